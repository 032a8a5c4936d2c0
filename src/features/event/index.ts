export {
  actorOf,
  appendEvents,
  appendToMany,
  beginHistory,
  continueHistory,
  SYSTEM,
  type Actor,
  type Addition,
  type NewEvent,
  type Subject,
} from './append-events.ts'
export { beginHistories, type Beginning } from './begin-histories.ts'
export { hashBody, hashLink } from './event-chain.ts'
export { historyKeys } from './history-keys.ts'
export type { RequestKind } from './event-statements.ts'
export { readWholeHistory, requireHistory } from './read-history.ts'
export { HistoryEvent, HistoryPage, HistoryPath, SealingHistoryPath } from './schemas.ts'
export { endHistory, erasePeople } from './erase-bodies.ts'
export { EVENT_TYPES, listSupportedHooks, type EventType } from './event-kinds.ts'
export { writePayload } from './payload.ts'
export { listToldFiles, type ToldFiles } from './told-files.ts'
export { handOut } from './hand-out.ts'
