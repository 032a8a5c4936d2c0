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
