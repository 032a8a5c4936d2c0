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

export const smsGatewayMissing = errorKind(
  {
    code: 1103,
    classification: 'InvalidArgument',
    meaning: 'Text messages are asked for, and e-mails can be sent here but text messages can not.',
  },
  (field: string) => `${field}: Sms needs an SMS gateway, and none is configured here; use Email.`,
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

export const areaCodeUnknown = errorKind(
  {
    code: 1104,
    classification: 'InvalidArgument',
    meaning:
      'Strong authentication is asked for, and no identity provider is configured for the signatory’s area code.',
  },
  (field: string, known: readonly string[]) =>
    `${field}: no identity provider is configured for this area; must be one of ${known.join(', ')}.`,
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

export const shownAgain = errorKind(
  {
    code: 7102,
    classification: 'InvalidOperation',
    meaning: 'What was confirmed is not what this request holds; the documents have to be shown again.',
  },
  () => 'The documents have changed since they were shown. Look at them again before you sign.',
)

export const notAsked = errorKind(
  { code: 7103, classification: 'InvalidOperation', meaning: 'It is not this signatory’s turn.' },
  () => 'It is not your turn in this signature request.',
)

export const alreadySigned = errorKind(
  { code: 7104, classification: 'InvalidOperation', meaning: 'The signatory has signed and can not decline any more.' },
  () => 'You have signed this already; it cannot be declined any more.',
)

export const signatoryNotFound = errorKind(
  { code: 2101, classification: 'EntityNotFound', meaning: 'The signature request has no such signatory.' },
  (id: string) => `This signature request has no signatory with the id ${quote(id)}.`,
)

export const returnAddressRefused = errorKind(
  {
    code: 1102,
    classification: 'InvalidArgument',
    meaning: 'The address to return to after signing is not among the tenant’s returnOrigins.',
  },
  () => 'returnUrl: must be an https address of one of the tenant’s returnOrigins.',
)
