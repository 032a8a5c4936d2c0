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
export { EVENT_TYPES, isSubscribable, listSupportedHooks, type EventType } from './event-kinds.ts'
export { writePayload } from './payload.ts'
export { handOut } from './hand-out.ts'
