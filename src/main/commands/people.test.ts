// Tenants, keys and users from the command line, used at once at the service that runs beside it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { environmentOf, openShell, type Shell } from '../../../test/command-line.ts'
import { makeCaller, PASSWORD, startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { newId, NIL_UUID } from '#platform/ids.ts'

/** The server forgets within this time what it knows of a caller. */
const REMEMBERED_MS = 2_000

describe('tenants, keys and users at the command line', () => {
  let service: TestService
  let acme: TestTenant
  let shell: Shell
  let folder: string

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    shell = openShell(environmentOf(service))
    folder = mkdtempSync(join(tmpdir(), 'countersign-people-'))
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  const asKey = (key: string) => makeCaller(service.url, { 'ocp-apim-subscription-key': key })
  const passwordFile = (password: string) => {
    const file = join(folder, newId())
    writeFileSync(file, `${password}\n`, { mode: 0o600 })
    return file
  }

  test('a tenant: its key and its administrator work at once', async () => {
    const { exitCode, json } = await shell('tenant', 'create', 'Globex', '--admin', 'boss@globex.example', '--json')
    assert.equal(exitCode, 0)
    const call = asKey(json.primaryKey)
    assert.equal((await call('GET', '/onboarding/department')).json.items[0].name, 'Globex')
    const login = { login: 'boss@globex.example', password: json.password }
    assert.equal((await call('POST', '/identity/login', login)).status, 200)
    const listed = await shell('tenant', 'list')
    assert.match(listed.out, new RegExp(`${json.tenantId} .* Globex`))
  })

  test('a tenant with a password of one’s own, which is not shown', async () => {
    const file = passwordFile('correct horse battery staple')
    const admin = ['--admin', 'boss@initech.example', '--password-file', file]
    const { json, out } = await shell('tenant', 'create', 'Initech', ...admin, '--json')
    assert.doesNotMatch(out, /correct horse/)
    const login = { login: 'boss@initech.example', password: 'correct horse battery staple' }
    assert.equal((await asKey(json.primaryKey)('POST', '/identity/login', login)).status, 200)
  })

  test('a key: made, listed, rotated and ended', async () => {
    const tenant = ['--tenant', acme.tenantId]
    const made = await shell('key', 'create', 'Nightly job', ...tenant, '--json')
    const [first, second] = [asKey(made.json.primaryKey), asKey(made.json.secondaryKey)]
    const status = async (call: typeof first) => (await call('GET', '/onboarding/department')).status
    assert.deepEqual([await status(first), await status(second)], [200, 200])
    assert.match((await shell('key', 'list', ...tenant)).out, /Nightly job/)

    const rotated = await shell('key', 'rotate', made.json.id, '--which', 'primary', ...tenant, '--json')
    assert.equal(await status(asKey(rotated.json.primaryKey)), 200)
    assert.equal(rotated.json.secondaryKey, undefined)

    assert.match((await shell('key', 'revoke', made.json.id, ...tenant)).out, /Nightly job works no more/)
    assert.doesNotMatch((await shell('key', 'list', ...tenant)).out, /Nightly job/)
    service.clock.advance(REMEMBERED_MS)
    assert.deepEqual([await status(first), await status(second)], [401, 401])
  })

  test('what was done here shows in the activity as done at the command line', async () => {
    await shell('key', 'create', 'Shown', '--tenant', acme.tenantId)
    const { json } = await acme.asAdministrator('GET', '/activity?take=1')
    assert.equal(json.items[0].target.name, 'Shown')
    assert.deepEqual(json.items[0].actor, { kind: 'commandline', id: NIL_UUID, name: 'Command line' })
  })

  test('why something was done stands beside it, where the operator says so', async () => {
    const reason = 'Asked for by telephone, ticket 4711'
    await shell('key', 'create', 'Explained', '--tenant', acme.tenantId, '--reason', ` ${reason} `)
    const { json } = await acme.asAdministrator('GET', '/activity?take=1')
    assert.deepEqual([json.items[0].target.name, json.items[0].details.reason], ['Explained', reason])
    await shell('key', 'create', 'Unexplained', '--tenant', acme.tenantId)
    const after = await acme.asAdministrator('GET', '/activity?take=1')
    assert.equal(after.json.items[0].details.reason, undefined)
  })

  test('a user: made with an invitation, listed, and given a new password', async () => {
    const tenant = ['--tenant', 'Acme']
    const names = ['--first-name', 'Ada', '--last-name', 'Lovelace', '--role', 'administrator']
    const made = await shell('user', 'create', 'ada@acme.example', ...names, ...tenant, '--json')
    assert.equal(made.json.firstName, 'Ada')
    const messages = await service.database.asOwner('select kind from message where user_id = $1', [made.json.id])
    assert.deepEqual(messages, [{ kind: 'userinvitation' }])
    assert.match((await shell('user', 'list', ...tenant)).out, /active +administrator +ada@acme\.example/)

    const reset = await shell('user', 'reset-password', 'ADA@acme.example', ...tenant, '--json')
    const login = { login: 'ada@acme.example', password: reset.json.password }
    assert.equal((await acme.call('POST', '/identity/login', login)).status, 200)
  })

  test('a new password ends what was open, and forgets the failed tries', async () => {
    const tenant = ['--tenant', acme.tenantId]
    const wrong = { login: acme.administratorEmail, password: 'wrong wrong wrong' }
    for (let count = 0; count < 10; count++) await acme.call('POST', '/identity/login', wrong)
    const right = { login: acme.administratorEmail, password: PASSWORD }
    assert.equal((await acme.call('POST', '/identity/login', right)).status, 429)

    const file = passwordFile('another correct horse staple')
    await shell('user', 'reset-password', acme.administratorEmail, '--password-file', file, ...tenant)
    service.clock.advance(REMEMBERED_MS)
    assert.equal((await acme.asAdministrator('GET', '/identity/me')).status, 401)
    const renewed = { login: acme.administratorEmail, password: 'another correct horse staple' }
    assert.equal((await acme.call('POST', '/identity/login', renewed)).status, 200)
  })

  test('a lost second factor: the password is enough again', async () => {
    const tenant = ['--tenant', acme.tenantId]
    const { json: user } = await shell('user', 'create', 'lost@acme.example', ...tenant, '--json')
    const args = ['user', 'reset-factor', 'LOST@acme.example', ...tenant]
    assert.match((await shell(...args)).out, /has no second factor/)
    await service.database.asOwner(
      `insert into authenticator_app (tenant_id, user_id, secret, created_at, confirmed_at)
       values ($1, $2, '\\x00', now(), now())`,
      [acme.tenantId, user.id],
    )
    assert.equal((await shell(...args, '--json')).json.wasReset, true)
    assert.match((await shell(...args)).out, /has no second factor/)
  })

  test('each deed is on record, as of the command line', async () => {
    const rows = await service.database.asOwner(
      `select distinct action from activity where tenant_id = $1 and request_id = 'command line'`,
      [acme.tenantId],
    )
    const actions = rows.map(({ action }) => action)
    for (const action of ['subscriptionkey.created', 'subscriptionkey.rotated', 'user.created', 'user.factorreset'])
      assert.ok(actions.includes(action), action)
  })

  for (const [what, args, exitCode, words] of [
    ['a tenant without an administrator', ['tenant', 'create', 'Hooli'], 2, /--admin is missing/],
    ['a tenant whose administrator has no address', ['tenant', 'create', 'Hooli', '--admin', 'x'], 2, /admin/],
    ['a tenant without a name', ['tenant', 'create', '', '--admin', 'a@b.example'], 2, /name/],
    ['tenants of somebody', ['tenant', 'list', 'Acme'], 2, /"Acme" is too much/],
    ['a verb that is none', ['tenant', 'drop', 'Acme'], 2, /there is no "drop" here/],
    ['a key of no clear tenant', ['key', 'list'], 2, /which tenant is meant is not clear/],
    ['a key of an unknown tenant', ['key', 'list', '--tenant', 'Nobody'], 2, /there is no tenant "Nobody"/],
    ['a key that is not there', ['key', 'revoke', newId(), '--tenant', 'Acme'], 1, /subscription key/],
    ['a key by a name', ['key', 'revoke', 'Nightly job', '--tenant', 'Acme'], 2, /ID must be/],
    ['a rotation by a name', ['key', 'rotate', 'x', '--which', 'primary', '--tenant', 'Acme'], 2, /ID must be/],
    [
      'a rotation of a key that is not there',
      ['key', 'rotate', newId(), '--which', 'primary', '--tenant', 'Acme'],
      1,
      /key/,
    ],
    [
      'a reason that is none',
      ['key', 'create', 'X', '--tenant', 'Acme', '--reason', ' '],
      2,
      /--reason takes 1 to 500/,
    ],
    ['a key without a name', ['key', 'create', '--tenant', 'Acme'], 2, /NAME is missing/],
    [
      'a rotation of nothing',
      ['key', 'rotate', newId(), '--tenant', 'Acme'],
      2,
      /--which must be primary or secondary/,
    ],
    [
      'a key of a department that is not there',
      ['key', 'create', 'K', '--tenant', 'Acme', '--department', newId()],
      1,
      /departmentId/,
    ],
    ['a user without an address', ['user', 'create', '--tenant', 'Acme'], 2, /EMAIL is missing/],
    [
      'a second factor of nobody',
      ['user', 'reset-factor', 'no@body.example', '--tenant', 'Acme'],
      1,
      /there is no user/,
    ],
    ['a user twice', ['user', 'create', 'ada@acme.example', '--tenant', 'Acme'], 1, /ada@acme\.example|already/],
    ['users of an unknown tenant', ['user', 'list', '--tenant', newId()], 2, /there is no tenant/],
    [
      'a password file that is not there',
      ['user', 'reset-password', 'a@b.example', '--password-file', '/no/file'],
      1,
      /ENOENT/,
    ],
    ['a user with a bad address', ['user', 'create', 'nobody', '--tenant', 'Acme'], 2, /email/],
    ['a password of nobody', ['user', 'reset-password', 'no@body.example', '--tenant', 'Acme'], 1, /there is no user/],
    [
      'a password on the command line',
      ['user', 'reset-password', 'a@b.example', '--password', 'x'],
      2,
      /Unknown option/,
    ],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const outcome = await shell(...args)
      assert.equal(outcome.exitCode, exitCode, outcome.out + outcome.err)
      assert.match(outcome.err, words)
      assert.equal(outcome.out, '')
    })
  }

  test('a refusal in JSON says the same, with the same exit code', async () => {
    for (const args of [
      ['tenant', 'create', 'Hooli'],
      ['key', 'list', '--tenant', 'Nobody'],
      ['user', 'create'],
    ]) {
      const outcome = await shell(...args, '--json')
      assert.equal(outcome.exitCode, 2)
      assert.equal(typeof outcome.json.error, 'string')
      assert.equal(outcome.err, '')
    }
  })

  test('refuses a password that is too easy', async () => {
    const args = ['--tenant', 'Acme', '--password-file', passwordFile('password')]
    const outcome = await shell('user', 'reset-password', acme.administratorEmail, ...args)
    assert.equal(outcome.exitCode, 2)
    assert.match(outcome.err, /--password-file/)
  })
})
