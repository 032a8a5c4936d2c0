// What people do at the console's door and with their own account. Sign-in has no key: the cookie that it gives stands in
// for key and token from then on.
import { route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { endOwnSession } from './end-session.ts'
import { forgetPassword, setPasswordByLink } from './forgotten-password.ts'
import { OF_ONESELF } from './factor-routes.ts'
import { changeOwnPassword, prepareNewPassword } from './own-password.ts'
import { readSessions } from './read-sessions.ts'
import {
  ForgottenBody,
  OwnPasswordBody,
  PasswordBody,
  SessionListing,
  SessionPath,
  SignInBody,
  SignInState,
} from './schemas.ts'
import { signIn } from './sign-in.ts'

/** From one address. Every attempt costs a comparison that is slow on purpose. */
const SIGN_INS_PER_MINUTE = 120
const RESETS_PER_MINUTE = 20

const FROM_THE_CONSOLE = 'Needs the header X-Countersign-Console: 1 and the Origin of this service.'

const atTheDoor = { tag: 'Identity', permission: 'identity:signin', isPublic: true } as const

export const consoleRoutes = [
  route({
    method: 'GET',
    url: '/console/session',
    summary: 'List sessions',
    description: 'The browsers in which you are signed in to the console.',
    tag: 'Identity',
    permission: 'identity:self',
    needsToken: true,
    response: { 200: SessionListing },
    handle: ({ tx, now }, { caller }) => readSessions(tx, { caller, now }),
  }),
  route({
    method: 'DELETE',
    url: '/console/session/:id',
    summary: 'End a session',
    description: 'Signs one of your browsers out of the console.',
    tag: 'Identity',
    permission: 'identity:self',
    needsToken: true,
    params: SessionPath,
    response: { 204: Nothing },
    handle: (work, { caller, params }) => endOwnSession(work, { caller, sessionId: params.id }),
  }),
  route({
    method: 'POST',
    url: '/console/session',
    summary: 'Sign in',
    description:
      'Opens a session by cookie, which stands in for key and token on every operation. Needs the header X-Countersign-Console: 1 and the Origin of this service, as every later call with the cookie.',
    tag: 'Identity',
    permission: 'identity:signin',
    isPublic: true,
    callsPerMinute: SIGN_INS_PER_MINUTE,
    body: SignInBody,
    response: { 200: SignInState },
    prepare: (outside, { body, headers, requestId }) => signIn(outside, { fields: body, headers, requestId }),
    handle: async (_work, { prepared }) => prepared,
  }),
  route({
    ...atTheDoor,
    method: 'POST',
    url: '/console/password',
    summary: 'Set a password by a link',
    description: `With the token of an invitation or a reset, which also tells the tenant. ${FROM_THE_CONSOLE}`,
    callsPerMinute: SIGN_INS_PER_MINUTE,
    body: PasswordBody,
    response: { 204: Nothing },
    prepare: (outside, { body, headers, requestId }) =>
      setPasswordByLink(outside, { fields: body, headers, requestId }),
    handle: async () => undefined,
  }),
  route({
    ...atTheDoor,
    method: 'POST',
    url: '/console/password/forgotten',
    summary: 'Ask for a new password',
    description: `Sends a link to whoever has this login; the answer is the same for everybody. ${FROM_THE_CONSOLE}`,
    callsPerMinute: RESETS_PER_MINUTE,
    body: ForgottenBody,
    response: { 202: Nothing },
    prepare: (outside, { body, headers }) => forgetPassword(outside, { login: body.login, headers }),
    handle: async () => undefined,
  }),
  route({
    ...OF_ONESELF,
    method: 'PUT',
    url: '/console/password',
    summary: 'Change password',
    description: 'Ends every token and session of yours; a browser that is signed in gets a new one.',
    body: OwnPasswordBody,
    response: { 204: Nothing },
    prepare: (outside, { caller, body }) => prepareNewPassword(outside, { caller, fields: body }),
    handle: (work, { caller, headers, prepared }) =>
      changeOwnPassword(work, { caller, passwordHash: prepared, agent: headers['user-agent'] }),
  }),
]
