export {
  actorOf,
  appendEvents,
  beginHistory,
  SYSTEM,
  type Actor,
  type NewEvent,
  type Subject,
} from './append-events.ts'
export { historyKeys } from './history-keys.ts'
export { readWholeHistory } from './read-history.ts'
