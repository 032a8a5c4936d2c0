import { route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { checkLogin, logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import { listOwnDepartments, readMe } from './read-me.ts'
import {
  LoginBody,
  LogoutBody,
  Me,
  OwnDepartmentListing,
  OwnDepartmentQuery,
  PasswordBody,
  PublicKeys,
  TokenBody,
} from './schemas.ts'
import { hashNewPassword, setPassword } from './set-password.ts'

export const identityRoutes = [
  route({
    operation: 15,
    method: 'POST',
    url: '/identity/login',
    summary: 'Log in',
    description:
      'Exchanges login and password for a token. 204 where the pair matches no active user of the key’s tenant.',
    tag: 'Identity',
    permission: 'identity:login',
    body: LoginBody,
    response: { 200: TokenBody, 204: Nothing },
    ignoresIdempotencyKey: true,
    prepare: (outside, { caller, body }) => checkLogin(outside, { caller, fields: body }),
    handle: (work, { caller, body, prepared }) => logIn(work, { caller, fields: body, checked: prepared }),
  }),
  route({
    method: 'POST',
    url: '/identity/password',
    summary: 'Set a password, with an invitation or a reset',
    tag: 'Identity',
    permission: 'identity:login',
    body: PasswordBody,
    response: { 204: Nothing },
    // The kept fingerprint of the body would be a fast hash of the password.
    ignoresIdempotencyKey: true,
    prepare: (outside, { caller, body }) => hashNewPassword(outside, { caller, fields: body }),
    handle: (work, { caller, body, prepared }) => setPassword(work, { caller, fields: body, passwordHash: prepared }),
  }),
  route({
    method: 'POST',
    url: '/identity/logout',
    summary: 'Log out',
    description: 'Ends this token or session, or all of the user’s.',
    tag: 'Identity',
    permission: 'identity:self',
    needsToken: true,
    body: LogoutBody,
    isBodyOptional: true,
    response: { 204: Nothing },
    handle: (work, { caller, body }) => logOut(work, { caller, isEverywhere: body?.everywhere ?? false }),
  }),
  route({
    method: 'GET',
    url: '/identity/me',
    summary: 'Read the caller',
    description: 'The user behind the token, and the department that it acts for.',
    tag: 'Identity',
    permission: 'identity:self',
    needsToken: true,
    response: { 200: Me },
    handle: ({ tx }, { caller }) => readMe(tx, { caller }),
  }),
  route({
    method: 'GET',
    url: '/identity/department',
    summary: 'List own departments',
    description: 'The names of the departments that the caller acts for: the caller’s own and everything below it.',
    tag: 'Identity',
    permission: 'identity:self',
    needsToken: true,
    query: OwnDepartmentQuery,
    response: { 200: OwnDepartmentListing },
    handle: ({ tx }, { caller, query }) => listOwnDepartments(tx, { caller, query }),
  }),
  route({
    method: 'GET',
    url: '/identity/.well-known/jwks.json',
    summary: 'List token keys',
    description: 'The public keys with which tokens of this service are verified.',
    tag: 'Identity',
    permission: 'identity:keys',
    isPublic: true,
    response: { 200: PublicKeys },
    handle: async ({ now, platform }) => ({ keys: await platform.tokens.publicKeys(now) }),
  }),
]
