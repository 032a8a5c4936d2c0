// What people ask for at the door beside the password: an authenticator app and passkeys.
import { route, type Call, type Outside } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { confirmFactor, offerFactor, readFactor, removeApp } from './change-factor.ts'
import { addPasskey, offerPasskey, removePasskey, requireNewPasskey } from './change-passkeys.ts'
import { requirePassword } from './own-password.ts'
import { NewPasskeyBody, PasskeyOffer, PasskeyPath } from './passkey-schemas.ts'
import { resetFactor } from './reset-factor.ts'
import {
  AskedPasswordBody,
  FactorCodeBody,
  FactorOffer,
  FactorOwnerPath,
  FactorState,
  RecoveryCodes,
} from './schemas.ts'

/** What carries a password keeps no answers: the fingerprint of the body would be a fast hash of it. */
export const OF_ONESELF = {
  tag: 'Identity',
  permission: 'identity:self',
  needsToken: true,
  ignoresIdempotencyKey: true,
} as const

type Asked = Pick<Call<unknown, unknown, { password: string }, unknown>, 'caller' | 'body'>

const askPassword = (outside: Outside, { caller, body }: Asked) =>
  requirePassword(outside, { caller, password: body.password })

export const factorRoutes = [
  route({
    tag: 'Onboarding',
    errorStatuses: { forbidden: 401 },
    method: 'DELETE',
    url: '/onboarding/user/:id/factor',
    summary: 'Remove second factors of a user',
    description:
      'For whoever has lost them: the authenticator app, every passkey and the recovery codes. The user is signed out everywhere; the password alone is enough until another factor is added.',
    permission: 'user:manage',
    params: FactorOwnerPath,
    response: { 204: Nothing },
    handle: ({ tx, now, platform: { authenticator } }, { caller, params }) =>
      resetFactor(tx, { caller, userId: params.id, authenticator, now }),
  }),
  route({
    ...OF_ONESELF,
    method: 'GET',
    url: '/console/factor',
    summary: 'Read second factor',
    response: { 200: FactorState },
    handle: ({ tx }, { caller }) => readFactor(tx, { caller }),
  }),
  route({
    ...OF_ONESELF,
    method: 'POST',
    url: '/console/factor',
    summary: 'Add an authenticator app',
    description: 'Answers with the secret for the app; it counts once its first code has been confirmed.',
    body: AskedPasswordBody,
    response: { 200: FactorOffer },
    answersWithSecrets: true,
    prepare: askPassword,
    handle: (work, { caller }) => offerFactor(work, { caller }),
  }),
  route({
    ...OF_ONESELF,
    method: 'POST',
    url: '/console/factor/confirm',
    summary: 'Confirm an authenticator app',
    description: 'Turns the app on, and answers with the recovery codes, this once.',
    body: FactorCodeBody,
    response: { 200: RecoveryCodes },
    answersWithSecrets: true,
    handle: (work, { caller, body }) => confirmFactor(work, { caller, code: body.code }),
  }),
  route({
    ...OF_ONESELF,
    method: 'DELETE',
    url: '/console/factor',
    summary: 'Remove the authenticator app',
    body: AskedPasswordBody,
    response: { 204: Nothing },
    prepare: askPassword,
    handle: (work, { caller }) => removeApp(work, { caller }),
  }),
  route({
    ...OF_ONESELF,
    method: 'POST',
    url: '/console/factor/passkey',
    summary: 'Ask for a new passkey',
    description:
      'Answers with what navigator.credentials.create needs (PublicKeyCredential.parseCreationOptionsFromJSON). It is good for five minutes, once, and in this session alone.',
    body: AskedPasswordBody,
    response: { 200: PasskeyOffer },
    prepare: askPassword,
    handle: (work, { caller, headers }) => offerPasskey(work, { caller, headers }),
  }),
  route({
    ...OF_ONESELF,
    method: 'POST',
    url: '/console/factor/passkey/confirm',
    summary: 'Add a passkey',
    description: 'With what the browser answered. The first second factor comes with recovery codes, shown this once.',
    body: NewPasskeyBody,
    response: { 200: RecoveryCodes },
    answersWithSecrets: true,
    prepare: (outside, { caller, body, headers }) =>
      requireNewPasskey(outside, { caller, credential: body.credential, headers }),
    handle: (work, { caller, body, prepared }) => addPasskey(work, { caller, fields: body, passkey: prepared }),
  }),
  route({
    ...OF_ONESELF,
    method: 'DELETE',
    url: '/console/factor/passkey/:id',
    summary: 'Remove a passkey',
    params: PasskeyPath,
    body: AskedPasswordBody,
    response: { 204: Nothing },
    prepare: askPassword,
    handle: (work, { caller, params }) => removePasskey(work, { caller, passkeyId: params.id }),
  }),
]
