// What goes over the wire for departments, users, keys and the tenant.
import type { Static } from 'typebox'
import { Skip, Take } from '#platform/http/paging.ts'
import {
  Named,
  DateTime,
  Email,
  Language,
  Listing,
  NAME_LENGTH,
  Nullable,
  Optional,
  Phone,
  Text,
  Type,
  Uuid,
  Words,
} from '#platform/http/schema.ts'

const SEARCH_LENGTH = 200
const MOST_USERS_AT_ONCE = 100
const MOST_RETURN_ORIGINS = 50
/** A hundred years. */
const LONGEST_RETENTION_DAYS = 36_500

const Name = () => Text(NAME_LENGTH, { minLength: 1 })
const NullableText = () => Nullable(Type.String())

/** The interface calls a department's id a text: whatever is not a known id is simply not found. */
export const DepartmentPath = Type.Object({ id: Type.String({ description: 'Id of the department.' }) })
export const UserPath = Type.Object({ id: Uuid('Id of the user.') })
export const KeyPath = Type.Object({ id: Uuid('Id of the subscription key.') })

const UserFields = {
  role: Optional(Name()),
  firstName: Optional(Text()),
  lastName: Optional(Text()),
  phone: Optional(Phone()),
  externalReference: Optional(Text()),
  language: Optional(Language()),
  timezone: Optional(Text()),
}

export const NewUser = Type.Object({ ...UserFields, email: Email() })
export type NewUserFields = Static<typeof NewUser>

export const Department = Named('Department', {
  id: Uuid(),
  name: Type.String(),
  shortName: NullableText(),
  contactEmail: NullableText(),
  businessId: NullableText(),
  externalReference: NullableText(),
  tenantId: Uuid(),
  parentDepartmentId: Nullable(Uuid()),
})

export const DepartmentList = Listing(Department)

export const DepartmentQuery = Type.Object({
  businessId: Optional(Text()),
  externalReference: Optional(Text()),
  skip: Skip(),
  take: Take(),
})
export type DepartmentFilter = Static<typeof DepartmentQuery>

const DepartmentFields = {
  shortName: Optional(Text()),
  contactEmail: Optional(Email()),
  businessId: Optional(Text()),
  externalReference: Optional(Text()),
  subscriptionTier: Optional(Text()),
  parentDepartmentId: Optional(Uuid('Addition: where the department hangs; the caller’s own department by default.')),
}

export const NewDepartment = Type.Object({
  department: Type.Object({
    name: Name(),
    ...DepartmentFields,
    users: Optional(Type.Array(NewUser, { maxItems: MOST_USERS_AT_ONCE })),
  }),
})
export type NewDepartmentFields = Static<typeof NewDepartment>['department']

export const DepartmentChange = Type.Object({
  name: Optional(Name()),
  ...DepartmentFields,
  retentionDays: Optional(
    Type.Integer({
      minimum: 0,
      maximum: LONGEST_RETENTION_DAYS,
      description:
        'Days after which finished requests are erased. Without it, or 0: as the department above says; where none says ' +
        'anything, they are kept.',
    }),
  ),
})
export type DepartmentChangeFields = Static<typeof DepartmentChange>

export const ChangedDepartment = Type.Object({
  ...Department.properties,
  subscriptionTier: NullableText(),
  retentionDays: Nullable(Type.Integer()),
})

const Amount = () => Type.Integer({ minimum: 0 })

export const DepartmentDetails = Type.Object({
  ...Department.properties,
  subscriptionTier: NullableText(),
  retentionDays: Nullable(Type.Integer()),
  contents: Type.Object(
    {
      departments: Amount(),
      users: Amount(),
      keys: Amount(),
      subscriptions: Amount(),
      templates: Amount(),
      certificates: Amount(),
      unfinishedSignatureRequests: Amount(),
      unfinishedSealingRequests: Amount(),
    },
    { description: 'What lies in it and below it: all that a forced deletion would reach.' },
  ),
})

/** The interface writes ForceDelete; either initial is read. */
export const DepartmentDeletion = Type.Object({ ForceDelete: Optional(Type.Boolean()) }, { eitherInitial: true })

const person = {
  id: Uuid(),
  role: Type.String(),
  firstName: NullableText(),
  lastName: NullableText(),
  email: NullableText(),
  phone: NullableText(),
  externalReference: NullableText(),
  language: NullableText(),
  timezone: NullableText(),
}

export const CreatedDepartment = Type.Object({ ...Department.properties, users: Type.Array(Type.Object(person)) })

export const User = Named('User', {
  ...person,
  departmentId: Uuid(),
  isActive: Type.Boolean(),
  hasPassword: Type.Boolean({ description: 'False until the invitation has been accepted.' }),
  hasSecondFactor: Type.Boolean({ description: 'An authenticator app or a passkey.' }),
})
export const UserList = Type.Object({
  ...Listing(User).properties,
  totalIsCapped: Optional(
    Type.Boolean({ description: 'There are more than total; beyond that they are not counted.' }),
  ),
})

export const UserQuery = Type.Object({
  departmentId: Optional(Uuid()),
  email: Optional(Text(254)),
  search: Optional(
    Text(SEARCH_LENGTH, { description: 'Beginnings of words of the name or the e-mail address; each must be there.' }),
  ),
  skip: Skip(),
  take: Take(),
})
export type UserFilter = Static<typeof UserQuery>

export const UserCreation = Type.Object({ ...NewUser.properties, departmentId: Optional(Uuid()) })
export type UserCreationFields = Static<typeof UserCreation>

export const UserChange = Type.Object({
  ...UserFields,
  email: Optional(Email()),
  departmentId: Optional(Uuid()),
  isActive: Optional(Type.Boolean({ description: 'False deactivates the user, true takes that back.' })),
})
export type UserChangeFields = Static<typeof UserChange>

export const InvitationRequest = Type.Object({
  deliver: Optional(Type.Boolean({ description: 'Sends it to the user by e-mail as well.' })),
})

export const Invitation = Named('Invitation', {
  token: Type.String({ description: 'For POST /identity/password; good for one use.' }),
  expiresAt: DateTime(),
})

const key = {
  id: Uuid(),
  name: Type.String(),
  departmentId: Uuid('The key reaches this department and everything below it.'),
  serviceUserId: Uuid('The user in whose name calls with the key alone act.'),
  creationDate: DateTime(),
  rotationDate: Nullable(DateTime()),
  lastUsedDate: Nullable(DateTime()),
}

export const Key = Named('SubscriptionKey', key)
export const KeyList = Listing(
  Type.Object({ ...key, callsToday: Type.Integer({ minimum: 0 }), callsLast30Days: Type.Integer({ minimum: 0 }) }),
)
export const KeyQuery = Type.Object({ skip: Skip(), take: Take() })
export const KeyCreation = Type.Object({ name: Name(), departmentId: Optional(Uuid()) })
export const CreatedKeyBody = Type.Object({ ...key, primaryKey: Type.String(), secondaryKey: Type.String() })

export const KEY_VALUES = ['primary', 'secondary'] as const
export type KeyValue = (typeof KEY_VALUES)[number]
export const KeyRotation = Type.Object({ which: Words(KEY_VALUES) })
export const RotatedKey = Type.Object({
  ...key,
  primaryKey: Optional(Type.String()),
  secondaryKey: Optional(Type.String()),
})

export const TenantChange = Type.Object({
  name: Optional(Name()),
  returnOrigins: Optional(
    Type.Array(Type.String({ maxLength: NAME_LENGTH }), {
      maxItems: MOST_RETURN_ORIGINS,
      description: 'The https origins to which a signatory may be sent back, and which may frame the signing page.',
    }),
  ),
  personalIdentifierInCertificates: Optional(
    Type.Boolean({ description: 'Whether certificates of signatories name their personal identifier.' }),
  ),
})
export type TenantChangeFields = Static<typeof TenantChange>

export const Tenant = Named('Tenant', {
  id: Uuid(),
  name: Type.String(),
  returnOrigins: Type.Array(Type.String()),
  personalIdentifierInCertificates: Type.Boolean(),
})
