import { route } from '#platform/http/route.ts'
import { ONBOARDING } from './department-routes.ts'
import { issueKey } from './issue-key.ts'
import { listKeys } from './list-keys.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { CreatedKeyBody, Key, KeyCreation, KeyList, KeyPath, KeyQuery, KeyRotation, RotatedKey } from './schemas.ts'

export const keyRoutes = [
  route({
    ...ONBOARDING,
    method: 'GET',
    url: '/onboarding/subscriptionkey',
    summary: 'List subscription keys',
    description: 'With how often each was used, by days in UTC; the last minute of use may be missing.',
    permission: 'key:manage',
    query: KeyQuery,
    response: { 200: KeyList },
    handle: ({ tx, now }, { caller, query }) => listKeys(tx, { caller, query, now }),
  }),
  route({
    ...ONBOARDING,
    method: 'POST',
    url: '/onboarding/subscriptionkey',
    summary: 'Create a subscription key',
    description: 'The two values are shown this once.',
    permission: 'key:manage',
    body: KeyCreation,
    response: { 200: CreatedKeyBody },
    answersWithSecrets: true,
    handle: ({ tx, now }, { caller, body }) => issueKey(tx, { caller, fields: body, now }),
  }),
  route({
    ...ONBOARDING,
    method: 'POST',
    url: '/onboarding/subscriptionkey/:id/rotate',
    summary: 'Rotate a subscription key',
    description: 'Replaces one of its two values. The new value is shown this once; the other value goes on working.',
    permission: 'key:manage',
    params: KeyPath,
    body: KeyRotation,
    response: { 200: RotatedKey },
    answersWithSecrets: true,
    handle: ({ tx, now, platform: { authenticator } }, { caller, params, body }) =>
      rotateKey(tx, { caller, keyId: params.id, which: body.which, authenticator, now }),
  }),
  route({
    ...ONBOARDING,
    method: 'DELETE',
    url: '/onboarding/subscriptionkey/:id',
    summary: 'Revoke a subscription key',
    permission: 'key:manage',
    params: KeyPath,
    response: { 200: Key },
    handle: ({ tx, now, platform: { authenticator } }, { caller, params }) =>
      revokeKey(tx, { caller, keyId: params.id, authenticator, now }),
  }),
]
