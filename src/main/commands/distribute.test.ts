// `distribute` on a stand-in for Citus, which holds to the rules of the real one but moves no rows.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { listClusterFaults, requireSpreadAsSet } from '#platform/db/spread-machines.ts'
import { environmentOf, openShell, type Shell } from '../../../test/command-line.ts'
import { ConsoleBrowser } from '../../../test/console-browser.ts'
import { startService, type TestService } from '../../../test/service.ts'

describe('distribute', () => {
  let service: TestService
  let shell: Shell

  before(async () => {
    service = await startService()
    shell = openShell(environmentOf(service))
  })
  after(() => service.stop())

  /** A process of its own, which ends by itself, or is ended after a while. */
  const run = async (name: string, more: Record<string, string>) => {
    const env = { ...process.env, ...environmentOf(service), COUNTERSIGN_PORT: '0', ...more }
    const child = spawn(process.execPath, ['bin/countersign.js', name], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 60_000,
    })
    const [err, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    return { exitCode: exitCode as number | null, err }
  }

  const listCalls = async () =>
    (await service.database.asOwner('select call from citus_stand_in.called order by number')).map(({ call }) => call)

  test('prints SQL that an operator can read, and does nothing', async () => {
    const { exitCode, out } = await shell('distribute')
    assert.equal(exitCode, 0)
    assert.match(out, /^select create_distributed_function\('current_tenant\(\)'\); -- policies name it/)
    assert.match(
      out,
      /select create_distributed_table\('signature_request', 'tenant_id', colocate_with => 'department'\);/,
    )
    assert.match(out, /-- Nothing was done: --apply runs this\.\n$/)
    const [row] = await service.database.asOwner(`select from pg_trigger where tgname = 'keep_login_place'`)
    assert.ok(row)
  })

  test('says what is missing where there is no Citus, and which setting where there is no server', async () => {
    const { exitCode, err } = await shell('distribute', '--apply')
    assert.equal(exitCode, 1)
    assert.match(err, /has no citus extension/)
    assert.match(err, /create extension citus/)
    const alone = await openShell({ COUNTERSIGN_DATA: service.platform.config.dataDir })('distribute')
    assert.equal(alone.exitCode, 2)
    assert.match(alone.err, /DATABASE_URL is needed/)
  })

  test('refuses a schema that can’t be spread, and spreads nothing of it', async () => {
    await service.database.asOwner('create unique index over_all on department (id)')
    const { exitCode, err } = await shell('distribute', '--apply')
    assert.equal(exitCode, 1)
    assert.match(err, /a unique index does not hold tenant_id: over_all/)
    await service.database.asOwner('drop index over_all')
  })

  test('prints the same where there is Citus', async () => {
    await service.database.asOwner(readFileSync('test/fakes/citus.sql', 'utf8'))
    await service.database.asOwner(`alter database ${service.database.name} set search_path = public, citus_stand_in`)
    const { exitCode, out } = await shell('distribute')
    assert.equal(exitCode, 0)
    assert.match(out, /Nothing was done/)
  })

  const wrongMachines: [what: string, spoil: string, mend: string, expected: RegExp][] = [
    [
      'whose coordinator takes rows of tenants',
      'update citus_stand_in.pg_dist_node set shouldhaveshards = true where groupid = 0',
      'update citus_stand_in.pg_dist_node set shouldhaveshards = false where groupid = 0',
      /the coordinator takes rows of tenants.*shouldhaveshards/,
    ],
    [
      'without a worker',
      'update citus_stand_in.pg_dist_node set groupid = 0 where groupid = 1',
      `update citus_stand_in.pg_dist_node set groupid = 1 where nodename = 'second'`,
      /no worker node is known/,
    ],
    [
      'whose workers can’t commit in two phases',
      `update citus_stand_in.worker_answer set result = 'f' where question like '%prepared%'`,
      `update citus_stand_in.worker_answer set result = 't'`,
      /max_prepared_transactions is 0 on a worker.*second:5432 says f/,
    ],
    [
      'whose workers don’t let the coordinator in',
      `update citus_stand_in.worker_answer set result = 'f' where question like '%login%'`,
      `update citus_stand_in.worker_answer set result = 't'`,
      /alter role … login \(second:5432/,
    ],
  ]
  for (const [what, spoil, mend, expected] of wrongMachines) {
    test(`refuses a cluster ${what}, before anything moves`, async () => {
      await service.database.asOwner(spoil)
      const { exitCode, err } = await shell('distribute', '--apply')
      await service.database.asOwner(mend)
      assert.equal(exitCode, 1)
      assert.match(err.replaceAll(/\s+/g, ' '), expected)
      assert.deepEqual(await listCalls(), [])
    })
  }

  test('with --apply spreads every table by its tenant, together, once', async () => {
    const { exitCode, out, err } = await shell('distribute', '--apply')
    assert.equal(exitCode, 0, err)
    assert.match(out, /-- Done\.\n$/)
    const calls = await listCalls()
    assert.deepEqual(calls.slice(0, 2), ['function current_tenant()', 'table department'])
    assert.ok(calls.length > 40, `${calls.length} calls`)
    const again = await shell('distribute', '--apply')
    assert.match(again.out, /Every table is spread already/)
    assert.deepEqual(await listCalls(), calls)
  })

  test('is refused by a server that was not told of it, in one line', () => requireToldOfIt('serve'))

  test('is refused by a worker that was not told of it, in one line', () => requireToldOfIt('work'))

  async function requireToldOfIt(part: 'serve' | 'work'): Promise<void> {
    const { exitCode, err } = await run(part, { COUNTERSIGN_DATABASE_SPREAD: 'false' })
    assert.equal(exitCode, 1, err)
    assert.match(err, /could not start: the database is spread over machines: set COUNTERSIGN_DATABASE_SPREAD=true/)
  }

  test('is noticed by a server that was not told of it, or that was told wrongly', async () => {
    const client = new pg.Client(service.database.connection)
    await client.connect()
    await assert.rejects(requireSpreadAsSet(client, false), /set COUNTERSIGN_DATABASE_SPREAD=true/)
    await requireSpreadAsSet(client, true)
    assert.deepEqual(await listClusterFaults(client), [])
    await client.query(`delete from pg_extension where extname = 'citus'`)
    assert.deepEqual(await listClusterFaults(client), ['the database has no citus extension'])
    await client.end()
  })

  test('leaves sign-ins that name no tenant as they were, though a trigger is gone', async () => {
    const { asAdministrator, administratorEmail } = await service.createTenant('Spread')
    const login = async (email: string) => (await new ConsoleBrowser(service.url).signIn(email)).status
    assert.equal(await login(administratorEmail), 200)
    const id = (await asAdministrator('GET', '/identity/me')).json.id
    const change = { email: 'moved@example.com' }
    assert.equal((await asAdministrator('PATCH', `/onboarding/user/${id}`, change)).status, 200)
    assert.deepEqual([await login('moved@example.com'), await login(administratorEmail)], [200, 401])
  })
})
