// The client of Countersign: `connect` for everything that you ask of the service, `verifyWebhook` for what it tells you.
export type { CallOptions, Content } from './call.ts'
export { connect, type ConnectOptions, type Countersign } from './connect.ts'
export type { CredentialOptions, Login } from './credentials.ts'
export { ConnectionError, CountersignError } from './errors.ts'
export type * from './generated/types.ts'
export type { Item, ListAll, ListingName } from './listings.ts'
export type { RetryOptions } from './retries.ts'
export { verifyWebhook, WebhookError, type Delivery as WebhookDelivery, type WebhookEvent } from './webhooks.ts'
