export { messageJobs } from './deliver.ts'
export type { FactsProvider, MessageFacts, MessageRegistry } from './facts.ts'
export type { Channel, Message, MessageKind } from './message.ts'
export { sendMessage, type NewMessage } from './send-message.ts'
