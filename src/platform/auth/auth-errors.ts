import { errorKind } from '#platform/errors.ts'

export const keyNotAccepted = errorKind(
  {
    code: 5000,
    classification: 'AuthenticationError',
    meaning: 'The header Ocp-Apim-Subscription-Key is missing, unknown or revoked.',
  },
  () => 'The header Ocp-Apim-Subscription-Key must carry a valid subscription key.',
)

export const tokenNotAccepted = errorKind(
  {
    code: 5001,
    classification: 'AuthenticationError',
    meaning: 'The bearer token is malformed, expired, revoked, or of another tenant.',
  },
  () => 'The bearer token is not valid or not valid any more. Log in again.',
)

export const tokenMissing = errorKind(
  { code: 5002, classification: 'AuthenticationError', meaning: 'This operation also needs a bearer token.' },
  () => 'This operation needs the header Authorization: Bearer with a token from POST /identity/login.',
)

export const consoleSessionNeeded = errorKind(
  {
    code: 5003,
    classification: 'AuthenticationError',
    meaning: 'The console has no session, or it has ended.',
  },
  () => 'You are not signed in, or not any more. Sign in again.',
)

export const roleNotEnough = errorKind(
  { code: 6001, classification: 'AuthorizationError', meaning: 'The caller may not do this with its role.' },
  () => 'You may not do this with your role.',
)

export const userInactive = errorKind(
  { code: 6002, classification: 'UserInactiveError', meaning: 'The user has been deactivated.' },
  () => 'This user has been deactivated.',
)

export const inactiveUserRefused = errorKind(
  {
    code: 6003,
    classification: 'AuthorizationError',
    meaning: 'The user has been deactivated (on operations that do not know UserInactiveError).',
  },
  () => 'This user has been deactivated.',
)

export const userOutsideKey = errorKind(
  {
    code: 6004,
    classification: 'AuthorizationError',
    meaning: 'The subscription key does not reach the department of the token.',
  },
  () => 'The subscription key does not reach the department that this token acts for.',
)

export const creatorNotAllowed = errorKind(
  {
    code: 6005,
    classification: 'AuthorizationError',
    meaning: 'Only keys and administrators may name a creator other than themselves.',
  },
  (field: string) => `${field}: only keys and administrators may name somebody other than themselves.`,
)

export const notFromTheConsole = errorKind(
  {
    code: 6006,
    classification: 'AuthorizationError',
    meaning:
      'A call with the console’s session did not come from the console: its Origin or its header X-Countersign-Console is missing or wrong.',
  },
  () => 'This call must come from the console itself.',
)
