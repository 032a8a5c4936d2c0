import { AppError, errorKind, quote } from '#platform/errors.ts'

export const requestNotFound = errorKind(
  { code: 2100, classification: 'EntityNotFound', meaning: 'There is no such signature request.' },
  (id: string) => `There is no signature request with the id ${quote(id)}.`,
)

export const idTaken = errorKind(
  {
    code: 3100,
    classification: 'UniqueConstraint',
    meaning: 'A signature request with this id exists already, made by a call with other content.',
  },
  () => 'id: a signature request with this id exists already and was made with other content. Use a new id.',
)

export const wrongStatus = errorKind(
  {
    code: 7100,
    classification: 'InvalidOperation',
    meaning: 'The status of the signature request does not allow this.',
  },
  (status: string, past: string) => `This signature request is ${status}; it cannot be ${past}.`,
)

export const identityProviderMissing = errorKind(
  {
    code: 1100,
    classification: 'InvalidArgument',
    meaning: 'Strong authentication is asked for, and no identity provider is configured that could do it.',
  },
  (field: string) =>
    `${field}: Strong needs an identity provider, and none is configured here; use None, Email or Sms.`,
)

export const documentRefused = errorKind(
  { code: 1101, classification: 'InvalidArgument', meaning: 'A document can not be signed.' },
  (field: string, why: string) => `${field}: ${why}`,
)

const repairs = errorKind(
  {
    code: 9100,
    classification: 'InternalError',
    meaning: 'A damaged document needs repair, and too many are being repaired at the moment; try again.',
  },
  (field: string) =>
    `${field}: the document needs repair, and too many are being repaired just now. Try again in a moment.`,
)

export function repairsBusy(field: string): AppError {
  const { classification, code, message } = repairs(field)
  return new AppError(classification, code, message, { retryAfterS: 5 })
}

export const notReadyToOpen = errorKind(
  {
    code: 7101,
    classification: 'InvalidOperation',
    meaning: 'The Draft lacks something that it needs before it can be opened.',
  },
  (field: string, expected: string) => `This signature request can not be opened yet: ${field}: ${expected}.`,
)
