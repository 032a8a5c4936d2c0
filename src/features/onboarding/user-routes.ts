import { route } from '#platform/http/route.ts'
import { changeUser } from './change-user.ts'
import { createUser } from './create-user.ts'
import { ONBOARDING } from './department-routes.ts'
import { inviteUser } from './invite-user.ts'
import { listUsers } from './list-users.ts'
import {
  Invitation,
  InvitationRequest,
  User,
  UserChange,
  UserCreation,
  UserList,
  UserPath,
  UserQuery,
} from './schemas.ts'

export const userManagementRoutes = [
  route({
    ...ONBOARDING,
    method: 'GET',
    url: '/onboarding/user',
    summary: 'List users',
    permission: 'user:manage',
    query: UserQuery,
    response: { 200: UserList },
    handle: ({ tx }, { caller, query }) => listUsers(tx, { caller, query }),
  }),
  route({
    ...ONBOARDING,
    method: 'POST',
    url: '/onboarding/user',
    summary: 'Create a user',
    permission: 'user:manage',
    body: UserCreation,
    response: { 200: User },
    handle: ({ tx, now, platform: { keyring } }, { caller, body }) =>
      createUser(tx, { caller, fields: body, keyring, now }),
  }),
  route({
    ...ONBOARDING,
    method: 'PATCH',
    url: '/onboarding/user/:id',
    summary: 'Change a user',
    description: 'Changes the fields that are given; isActive deactivates the user or takes that back.',
    permission: 'user:manage',
    params: UserPath,
    body: UserChange,
    response: { 200: User },
    handle: ({ tx, now, platform: { keyring, authenticator } }, { caller, params, body }) =>
      changeUser(tx, { caller, userId: params.id, fields: body, keyring, authenticator, now }),
  }),
  route({
    ...ONBOARDING,
    method: 'POST',
    url: '/onboarding/user/:id/invitation',
    summary: 'Create an invitation, or for a user with a password a reset',
    description: 'The token sets a password once, by POST /identity/password. An earlier one stops working.',
    permission: 'user:manage',
    params: UserPath,
    body: InvitationRequest,
    isBodyOptional: true,
    response: { 200: Invitation },
    answersWithSecrets: true,
    handle: ({ tx, now, platform: { keyring } }, { caller, params, body }) =>
      inviteUser(tx, { caller, userId: params.id, isDelivered: body?.deliver ?? false, keyring, now }),
  }),
]
