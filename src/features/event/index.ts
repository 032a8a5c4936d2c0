export {
  actorOf,
  appendEvents,
  beginHistory,
  SYSTEM,
  type Actor,
  type NewEvent,
  type Subject,
} from './append-events.ts'
export { verifyHistory, type Verdict } from './verify-history.ts'
export { readWholeHistory } from './read-history.ts'
