import type { Static } from 'typebox'
import { Skip, Take } from '#platform/http/paging.ts'
import {
  Named,
  DateTime,
  EMAIL_LENGTH,
  Listing,
  Nullable,
  Optional,
  Text,
  Type,
  Uuid,
  Words,
} from '#platform/http/schema.ts'
import { PasskeyAnswer, PasskeyRequest } from './passkey-schemas.ts'

/** Longer than any password that can be set; it bounds what is hashed. */
const LONGEST_PASSWORD = 1024
const LONGEST_TOKEN = 255
const LONGEST_CODE = 40

const Password = (description?: string) => Text(LONGEST_PASSWORD, { minLength: 1, ...(description && { description }) })
const Code = (description: string) => Text(LONGEST_CODE, { minLength: 1, description })

export const LoginBody = Type.Object({
  login: Text(EMAIL_LENGTH, { minLength: 1, description: 'The user’s e-mail address, in any case.' }),
  password: Text(LONGEST_PASSWORD, { minLength: 1 }),
  tenantId: Optional(Uuid('Must be the subscription key’s tenant.')),
  departmentId: Optional(Uuid('The department to act for: the user’s own, which is the default, or one below it.')),
  code: Optional(Code('Of the authenticator app, or a recovery code, where the user has a second factor.')),
})
export type LoginFields = Static<typeof LoginBody>

export const TokenBody = Type.Object({ token: Type.String() })

export const SignInBody = Type.Object({
  login: Text(EMAIL_LENGTH, { minLength: 1, description: 'The user’s e-mail address, in any case.' }),
  password: Text(LONGEST_PASSWORD, { minLength: 1 }),
  tenantId: Optional(Uuid('Which of several tenants, where the answer before offered a choice.')),
  code: Optional(Code('Of the authenticator app, or a recovery code, where the answer before asked for it.')),
  passkey: Optional(PasskeyAnswer),
})
export type SignInFields = Static<typeof SignInBody>

export const FACTORS = ['App', 'Passkey', 'RecoveryCode'] as const

export const SignInState = Type.Object({
  state: Words(['SignedIn', 'ChooseTenant', 'CodeNeeded']),
  tenants: Nullable(Type.Array(Type.Object({ id: Uuid(), name: Type.String() }))),
  factors: Nullable(Type.Array(Words(FACTORS), { description: 'What can be shown beside the password.' })),
  passkey: Nullable(PasskeyRequest),
})

export const SessionPath = Type.Object({ id: Uuid('Id of the session.') })

export const SessionListing = Listing(
  Type.Object({
    id: Uuid(),
    agent: Type.String({ description: 'What the browser calls itself.' }),
    isThisOne: Type.Boolean({ description: 'The session of this very call.' }),
    creationDate: DateTime(),
    lastSeenDate: DateTime(),
    expirationDate: DateTime(),
  }),
)

export const ForgottenBody = Type.Object({
  login: Text(EMAIL_LENGTH, { minLength: 1, description: 'The e-mail address that a link is sent to.' }),
})

export const OwnPasswordBody = Type.Object({ currentPassword: Password(), newPassword: Password() })

export const AskedPasswordBody = Type.Object({ password: Password('The caller’s own, once more.') })

export const FactorOwnerPath = Type.Object({ id: Uuid('Id of the user.') })

export const FactorState = Type.Object({
  isOn: Type.Boolean({ description: 'Whether anything is asked for beside the password.' }),
  appSinceDate: Nullable(DateTime('Since when there is an authenticator app.')),
  passkeys: Type.Array(
    Named('Passkey', {
      id: Uuid(),
      name: Type.String(),
      creationDate: DateTime(),
      lastUsedDate: Nullable(DateTime()),
    }),
  ),
  recoveryCodesLeft: Type.Integer(),
})

export const FactorOffer = Type.Object({
  secret: Type.String({ description: 'In Base32, to be typed into an app.' }),
  uri: Type.String({ description: 'An otpauth address, to be shown as a QR code.' }),
})

export const FactorCodeBody = Type.Object({ code: Code('That the app shows now.') })

export const RecoveryCodes = Type.Object({
  recoveryCodes: Nullable(
    Type.Array(Type.String(), {
      description: 'Each good for one sign-in without app and passkey. Null where there were some already.',
    }),
  ),
})

export const PasswordBody = Type.Object({
  token: Text(LONGEST_TOKEN, { minLength: 1, description: 'From an invitation or a reset; good for one use.' }),
  password: Text(LONGEST_PASSWORD, { minLength: 1 }),
})

export const LogoutBody = Type.Object({
  everywhere: Optional(Type.Boolean({ description: 'Ends every token and session of the user, not only this one.' })),
})

const NullableText = () => Nullable(Type.String())

export const Me = Named('Me', {
  id: Uuid(),
  role: Type.String(),
  isAdministrator: Type.Boolean(),
  firstName: NullableText(),
  lastName: NullableText(),
  email: NullableText(),
  phone: NullableText(),
  externalReference: NullableText(),
  language: NullableText(),
  timezone: NullableText(),
  tenantId: Uuid(),
  organisation: Type.String({ description: 'Name of the tenant.' }),
  departmentName: Type.String({ description: 'Name of the department that the token acts for.' }),
  departmentId: Uuid('The department that the token acts for.'),
  homeDepartmentId: Uuid('The department that the user belongs to.'),
})

export const OwnDepartmentQuery = Type.Object({ skip: Skip(), take: Take() })

export const OwnDepartmentListing = Listing(
  Named('OwnDepartment', { id: Uuid(), name: Type.String(), parentDepartmentId: Nullable(Uuid()) }),
)

export const PublicKeys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      crv: Type.String(),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      alg: Type.String(),
      use: Type.String(),
    }),
  ),
})
