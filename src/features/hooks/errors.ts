import { errorKind, quote } from '#platform/errors.ts'

export const addressNotAllowed = errorKind(
  { code: 1800, classification: 'InvalidArgument', meaning: 'Deliveries can not be sent to this address.' },
  (reason: string) => `uri: ${reason}`,
)

export const headerNotAllowed = errorKind(
  { code: 1801, classification: 'InvalidArgument', meaning: 'This header can not be sent with deliveries.' },
  (name: string, reason: string) => `headers.${quote(name)}: ${reason}`,
)

export const subscriptionNotFound = errorKind(
  { code: 2800, classification: 'EntityNotFound', meaning: 'There is no such webhook subscription.' },
  (id: string) => `There is no subscription with the id ${quote(id)} for this event type.`,
)

export const tooManySubscriptions = errorKind(
  { code: 7800, classification: 'InvalidOperation', meaning: 'The tenant has as many subscriptions as it may have.' },
  (limit: number) => `There are ${limit} subscriptions already. Delete one that is not needed any more.`,
)

export const deliveryNotFound = errorKind(
  { code: 2801, classification: 'EntityNotFound', meaning: 'There is no such delivery of this subscription.' },
  (id: string) => `There is no delivery with the id ${quote(id)} of this subscription.`,
)

export const departmentGone = errorKind(
  {
    code: 7801,
    classification: 'InvalidOperation',
    meaning: 'The department of this subscription was deleted; it can not be resumed.',
  },
  () => 'The department of this subscription was deleted. Make a new subscription for another one.',
)
