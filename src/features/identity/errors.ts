import { AppError, errorKind } from '#platform/errors.ts'

const tooManyFailuresKind = errorKind(
  {
    code: 1500,
    classification: 'InvalidArgument',
    meaning: 'There were too many wrong passwords for this login; the header Retry-After says how long to wait.',
  },
  () => 'Too many failed attempts with this login. Try again after the time in Retry-After.',
)

export function tooManyFailures(retryAfterS: number): AppError {
  const { classification, code, message } = tooManyFailuresKind()
  return new AppError(classification, code, message, { retryAfterS })
}

export const invitationNotAccepted = errorKind(
  {
    code: 1501,
    classification: 'InvalidArgument',
    meaning: 'The token of an invitation or a reset is unknown, used or expired.',
  },
  () => 'token: is not valid or not valid any more. Ask an administrator for a new one.',
)

export const signInRefused = errorKind(
  {
    code: 5500,
    classification: 'AuthenticationError',
    meaning: 'E-mail address and password do not belong together, or the user can not sign in.',
  },
  () => 'The e-mail address or the password is not right.',
)

export const factorRefused = errorKind(
  {
    code: 5501,
    classification: 'AuthenticationError',
    meaning: 'The code of the second factor is wrong, has ended, or was used before; or the passkey was not accepted.',
  },
  (isPasskey: boolean) =>
    isPasskey
      ? 'The passkey was not accepted. Try again, or use a code.'
      : 'The code is not right, or not any more. Enter the one that the app shows now.',
)

export const passwordNotRight = errorKind(
  { code: 1502, classification: 'InvalidArgument', meaning: 'The caller’s own password is not right.' },
  (field: string) => `${field}: is not right.`,
)

export const codeNotRight = errorKind(
  {
    code: 1503,
    classification: 'InvalidArgument',
    meaning: 'The code does not belong to the authenticator app that is being added.',
  },
  () => 'code: is not the one that the app shows now.',
)

export const factorIsOn = errorKind(
  { code: 7510, classification: 'InvalidOperation', meaning: 'The user has an authenticator app already.' },
  () => 'You have an authenticator app already. Remove it before you add another.',
)

export const factorNotOffered = errorKind(
  {
    code: 7511,
    classification: 'InvalidOperation',
    meaning: 'There is no authenticator app that waits for its first code.',
  },
  () => 'There is nothing to confirm. Begin with POST /console/factor.',
)

export const factorIsYours = errorKind(
  {
    code: 7513,
    classification: 'InvalidOperation',
    meaning: 'One’s own second factors are removed with the password, not as an administrator.',
  },
  () => 'These are your own. Remove them on your account page, with your password.',
)

export const passkeyNotRight = errorKind(
  {
    code: 1504,
    classification: 'InvalidArgument',
    meaning: 'What the device sent is no passkey that was asked for here and now.',
  },
  () => 'credential: is not what was asked for, or came too late. Begin again with POST /console/factor/passkey.',
)

export const passkeyIsKnown = errorKind(
  {
    code: 3510,
    classification: 'UniqueConstraint',
    meaning: 'The passkey is known already, or there are as many as a person can have.',
  },
  (most: number) => `credential: is known already, or you have ${most} passkeys, which is the most.`,
)

export const passkeysNeedAName = errorKind(
  {
    code: 7512,
    classification: 'InvalidOperation',
    meaning: 'Passkeys belong to a host name, and this service was called by an IP address.',
  },
  () =>
    'Passkeys belong to a host name. Open the console by one, such as http://localhost:8080, and not by an IP address.',
)
