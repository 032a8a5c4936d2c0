// Mistakes in what keeps tenants, departments, roles and strangers apart, planted one at a time: each has a test that
// notices. `npm run proof:attack -- doors` plants them all.
import type { Rewrite } from '../crash/plants.ts'

export type OpenDoor = {
  name: string
  /** What is wrong with it. */
  says: string
  rewrites: readonly Rewrite[]
  /** A test that has to fail: its file, and the beginning of its name. */
  test: { file: string; name: string }
}

const CALLER = 'src/platform/auth/caller.ts'
const CALL = 'src/platform/http/call.ts'
const TOKENS = 'src/platform/auth/tokens.ts'
const AUTHENTICATE = 'src/platform/auth/authenticate.ts'
const PERMISSIONS = 'src/platform/auth/permissions.ts'
const DATABASE = 'src/platform/db/database.ts'
const IDEMPOTENCY = 'test/idempotency.test.ts'
const CONTRACT = 'test/contract.test.ts'
const HOSTILE_TOKENS = 'src/features/identity/hostile-tokens.test.ts'

export const OPEN_DOORS: readonly OpenDoor[] = [
  {
    name: 'tenant-not-set',
    says: 'a transaction is not told whose it is',
    rewrites: [{ file: DATABASE, from: `['app.tenant', tenantId]`, to: `['app.other', tenantId]` }],
    test: { file: 'src/platform/db/database.test.ts', name: 'know their tenant' },
  },
  {
    name: 'tenant-left-behind',
    says: 'a connection remembers whose turn it was',
    rewrites: [{ file: DATABASE, from: `$\${at + 1}, true)`, to: `$\${at + 1}, false)` }],
    test: { file: 'src/platform/db/database.test.ts', name: 'know their tenant' },
  },
  {
    name: 'role-not-taken',
    says: 'the service works as the owner of the tables',
    rewrites: [{ file: DATABASE, from: `  if (role) settings.push(`, to: `  if (role && !role) settings.push(` }],
    test: { file: 'src/platform/db/database.test.ts', name: 'see and write nothing of another tenant' },
  },
  {
    name: 'statement-without-tenant',
    says: 'a document is found by its id alone',
    rewrites: [
      {
        file: 'src/features/storage/storage-statements.ts',
        from: `         where tenant_id = :tenantId and id = :documentId\`,
})

export const listContents`,
        to: `         where (tenant_id = :tenantId or true) and id = :documentId\`,
})

export const listContents`,
      },
    ],
    test: { file: 'test/spread-statements.test.ts', name: 'of one tenant compare every table' },
  },
  {
    name: 'reach-not-asked',
    says: 'what belongs to another department is not refused',
    rewrites: [
      {
        file: CALLER,
        from: `  if (!(await hasReach(tx, caller, departmentId))) throw notReachable()\n`,
        to: '',
      },
    ],
    test: { file: CONTRACT, name: 'ends at the edge of a department' },
  },
  {
    name: 'every-department-in-lists',
    says: 'listings show every department',
    rewrites: [{ file: CALLER, from: `  if (caller.isTenantWide) return undefined\n`, to: `  return undefined\n` }],
    test: { file: CONTRACT, name: 'ends at the edge of a department' },
  },
  {
    name: 'permission-not-asked',
    says: 'roles are not asked for',
    rewrites: [{ file: CALL, from: `PERMISSIONS[route.permission]`, to: `PERMISSIONS['document:read']` }],
    test: { file: CONTRACT, name: 'keeps to the roles' },
  },
  {
    name: 'everybody-manages-users',
    says: 'every role may manage users',
    rewrites: [{ file: PERMISSIONS, from: `'user:manage': ADMINISTRATORS`, to: `'user:manage': EVERYBODY` }],
    test: { file: 'test/permissions.test.ts', name: 'a key alone manages neither keys nor users' },
  },
  {
    name: 'answer-of-another-caller',
    says: 'a repeated Idempotency-Key answers with what another caller was told',
    rewrites: [{ file: CALL, from: `    callerId: caller.userId,\n`, to: `    callerId: caller.tenantId,\n` }],
    test: { file: IDEMPOTENCY, name: 'belongs to one caller: nobody hears the secret' },
  },
  {
    name: 'answer-of-another-operation',
    says: 'a repeated Idempotency-Key answers with what another operation did',
    rewrites: [{ file: CALL, from: `    operation: routeName(route),\n`, to: `    operation: 'any',\n` }],
    test: { file: IDEMPOTENCY, name: 'belongs to one operation: the next has its own effect' },
  },
  {
    name: 'inactive-let-in',
    says: 'a deactivated user goes on',
    rewrites: [{ file: CALL, from: `  if (caller.isInactive) throw`, to: `  if (!caller) throw` }],
    test: { file: CONTRACT, name: 'is refused to a deactivated user' },
  },
  {
    name: 'stopped-tenant',
    says: 'who belongs to a tenant that was shut out gets in',
    rewrites: [
      {
        file: 'src/platform/auth/auth-statements.ts',
        from: `\`not exists (select from tenant t where t.id = tenant_id and t.stopped_at is not null)\``,
        to: `'true'`,
      },
    ],
    test: { file: 'src/main/commands/stop-tenant.test.ts', name: 'ends links, sessions, keys and logins' },
  },
  {
    name: 'token-of-another-tenant',
    says: 'a token is good with the key of another tenant',
    rewrites: [
      {
        file: AUTHENTICATE,
        from: `  if (!token || token.tenantId !== byKey.tenantId) throw`,
        to: `  if (!token) throw`,
      },
    ],
    test: { file: HOSTILE_TOKENS, name: 'is refused with 401' },
  },
  {
    name: 'token-for-others',
    says: 'a token for another service is accepted',
    rewrites: [{ file: TOKENS, from: `          audience: AUDIENCE,\n`, to: '' }],
    test: { file: HOSTILE_TOKENS, name: 'is refused with 401' },
  },
  {
    name: 'token-of-another-kind',
    says: 'a token of another type is accepted',
    rewrites: [{ file: TOKENS, from: `          typ: TYPE,\n`, to: '' }],
    test: { file: HOSTILE_TOKENS, name: 'is refused with 401' },
  },
  {
    name: 'token-without-end',
    says: 'a token without an end is accepted',
    rewrites: [
      { file: TOKENS, from: `requiredClaims: ['exp', 'iat',`, to: `requiredClaims: ['iat',` },
      { file: TOKENS, from: `new Date(Math.round(payload.exp! * 1000))`, to: `new Date(8e15)` },
    ],
    test: { file: HOSTILE_TOKENS, name: 'is refused with 401' },
  },
  {
    name: 'foreign-page',
    says: 'a page of another site may call with the cookie of the console',
    rewrites: [
      {
        file: 'src/platform/auth/console-session.ts',
        from: `  if (headers[CONSOLE_HEADER] !== '1' || !isOurs || site !== 'same-origin') throw`,
        to: `  if (headers[CONSOLE_HEADER] !== '1') throw`,
      },
    ],
    test: { file: 'test/forgery.test.ts', name: 'reaches no operation that writes' },
  },
  {
    name: 'foreign-page-signs',
    says: 'a page of another site may call with the cookie of a signatory',
    rewrites: [
      {
        file: 'src/features/signer/session.ts',
        from: `  if (method !== 'GET') requireOwnPage(platform, headers)\n`,
        to: '',
      },
    ],
    test: { file: 'test/forgery.test.ts', name: 'reaches no operation that writes' },
  },
  {
    name: 'idle-session',
    says: 'a session of the console does not end by idleness',
    rewrites: [
      {
        file: 'src/platform/auth/session-statements.ts',
        from: ` and s.last_seen_at > :idleSince\n`,
        to: ` and :idleSince::timestamptz is not null\n`,
      },
    ],
    test: { file: 'src/features/identity/sign-in.test.ts', name: 'after half an hour' },
  },
  {
    name: 'endless-guesses',
    says: 'passwords may be guessed without end',
    rewrites: [
      {
        file: 'src/features/identity/login-attempts.ts',
        from: `  if (failures > MOST_FAILURES) {`,
        to: `  if (failures < 0) {`,
      },
    ],
    test: { file: 'src/features/identity/log-in.test.ts', name: 'fifty wrong ones at once' },
  },
  {
    name: 'endless-codes',
    says: 'a one-time code may be guessed without end',
    rewrites: [
      { file: 'src/features/signer/code.ts', from: `export const MOST_TRIES = 5`, to: `export const MOST_TRIES = 500` },
    ],
    test: { file: 'src/features/signer/codes.test.ts', name: 'are compared five times at most' },
  },
  {
    name: 'page-of-another-history',
    says: 'a continuation token of one history opens another',
    rewrites: [
      {
        file: 'src/features/event/continuation-token.ts',
        from: `\`\${tenantId}|\${requestId}|\${sequence}\``,
        to: `\`\${tenantId && requestId && ''}\${sequence}\``,
      },
    ],
    test: { file: 'src/features/event/read-history.test.ts', name: 'takes a continuation token only for' },
  },
  {
    name: 'any-way-back',
    says: 'a link leads back to any address',
    rewrites: [
      {
        file: 'src/features/signing/return-url.ts',
        from: `  if (!isListed || url.username`,
        to: `  if (url === null || url.username`,
      },
    ],
    test: { file: 'src/features/signer/links.test.ts', name: 'lead back only to addresses' },
  },
  {
    name: 'private-receiver',
    says: 'webhooks reach neighbours',
    rewrites: [
      {
        file: 'src/platform/outbound/address-guard.ts',
        from: `  return notPublicIpv4.check(address, 'ipv4') ? 'refused' : 'public'`,
        to: `  return notPublicIpv4.check(address, 'ipv4') ? 'public' : 'public'`,
      },
    ],
    test: { file: 'src/platform/outbound/address-guard.test.ts', name: 'refuses what is not the public internet' },
  },
]
