export {
  actorOf,
  appendEvents,
  beginHistory,
  SYSTEM,
  type Actor,
  type NewEvent,
  type Subject,
} from './append-events.ts'
