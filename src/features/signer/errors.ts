import { AppError, errorKind } from '#platform/errors.ts'

export const linkNotFound = errorKind(
  { code: 2950, classification: 'EntityNotFound', meaning: 'The personal link is wrong, or it is dead.' },
  () => 'This link does not lead to a signature request, or not any more.',
)

export const sessionNeeded = errorKind(
  {
    code: 5950,
    classification: 'AuthenticationError',
    meaning: 'The signing page has no session, or it has ended; the personal link opens a new one.',
  },
  () => 'Open your personal link again: this session has ended.',
)

export const notFromThePage = errorKind(
  {
    code: 6950,
    classification: 'AuthorizationError',
    meaning:
      'The call did not come from the signing page: its Origin or its header X-Countersign-Sign is missing or wrong.',
  },
  () => 'This call must come from the signing page itself.',
)

export const notAuthenticated = errorKind(
  {
    code: 6951,
    classification: 'AuthorizationError',
    meaning: 'The signatory has not been authenticated as strongly as the request asks for.',
  },
  (purpose: string) => `You have to be authenticated for ${purpose} first.`,
)

export const noCodeWanted = errorKind(
  {
    code: 7950,
    classification: 'InvalidOperation',
    meaning: 'This request asks for no code for this purpose, or the signatory may not act any more.',
  },
  () => 'No code is needed here.',
)

export const tooManyCodes = errorKind(
  { code: 7951, classification: 'InvalidOperation', meaning: 'No more codes are sent to this signatory for now.' },
  () => 'Too many codes have been sent. Try again in an hour.',
)

export const wrongCode = errorKind(
  { code: 1950, classification: 'InvalidArgument', meaning: 'The code is wrong.' },
  (triesLeft: number) => `code: is wrong. Tries left: ${triesLeft}.`,
)

export const codeNotUsable = errorKind(
  {
    code: 1951,
    classification: 'InvalidArgument',
    meaning: 'There is no code to compare with: it was used, has ended, or was tried too often.',
  },
  () => 'code: is not valid any more. Ask for a new one.',
)

export const tooManyTries = errorKind(
  {
    code: 1952,
    classification: 'InvalidArgument',
    meaning: 'The signatory has tried too many codes for this request and can not be authenticated by code any more.',
  },
  () => 'Too many wrong codes. Ask the sender of the request for help.',
)

export const tooManySessions = errorKind(
  { code: 7952, classification: 'InvalidOperation', meaning: 'The link has been opened too often within an hour.' },
  () => 'This link has been opened too often. Try again later.',
)

export const noIdentificationWanted = errorKind(
  {
    code: 7953,
    classification: 'InvalidOperation',
    meaning: 'This request asks for no identity provider for this purpose, or the signatory may not act any more.',
  },
  () => 'No identification is needed here.',
)

export const tooManyIdentifications = errorKind(
  {
    code: 7954,
    classification: 'InvalidOperation',
    meaning: 'The signatory has been to the identity provider too often.',
  },
  () => 'Too many identifications were begun. Try again in an hour.',
)

const providerAway = errorKind(
  {
    code: 9950,
    classification: 'InternalError',
    meaning: 'The identity provider does not answer at the moment, or is not configured any more.',
  },
  () => 'The identity provider does not answer at the moment. Try again in a while.',
)

export function identityProviderAway(cause: unknown): AppError {
  const { classification, code, message } = providerAway()
  return new AppError(classification, code, message, { cause, retryAfterS: 30 })
}

export const documentNotShown = errorKind(
  {
    code: 2951,
    classification: 'EntityNotFound',
    meaning: 'The document is not part of what this signatory is shown.',
  },
  () => 'There is no such document in this signature request.',
)
