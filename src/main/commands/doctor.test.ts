import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startMailServer, type MailServer } from '../../../test/fakes/mail-server.ts'
import { environmentOf, openShell, type Outcome } from '../../../test/command-line.ts'
import { startSigningService } from '../../../test/signing-flow.ts'
import type { TestService } from '../../../test/service.ts'
import { ensureInstallation, ensureTenantAuthority } from '#features/certificates/index.ts'

type Finding = { name: string; state: string; found: string; fix: string | null }

describe('countersign doctor', () => {
  let service: TestService
  let mail: MailServer
  let usual: Record<string, string>
  let neighbour: Server
  let publicUrl: string
  let tenantId: string

  before(async () => {
    service = await startSigningService()
    mail = await startMailServer()
    usual = { ...environmentOf(service), PATH: '/nowhere' } // Whether this machine keeps its clock is not the question.
    tenantId = (await service.createTenant()).tenantId
    const worker = { ...service.platform, db: service.database.open('countersign_worker') }
    const now = service.clock.now()
    await ensureInstallation(worker, now)
    await ensureTenantAuthority(worker, { tenantId, now })
    neighbour = createServer((_request, response) => response.end(JSON.stringify({ status: 'alive' })))
    await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve))
    publicUrl = `http://127.0.0.1:${(neighbour.address() as AddressInfo).port}`
  })
  after(async () => {
    neighbour.close()
    await mail.stop()
    await service.stop()
  })

  const examine = (changes: Record<string, string | undefined> = {}) =>
    openShell({ ...usual, ...changes })('doctor', '--json')
  const stateOf = ({ json }: Outcome) =>
    Object.fromEntries((json.findings as Finding[]).map(({ name, state }) => [name, state]))
  const find = ({ json }: Outcome, name: string) => (json.findings as Finding[]).find((one) => one.name === name)!

  test('a sound installation: every check is good', async () => {
    const outcome = await examine({ COUNTERSIGN_PUBLIC_URL: publicUrl, SMTP_URL: `smtp://127.0.0.1:${mail.port}` })
    assert.deepEqual(stateOf(outcome), {
      configuration: 'good',
      clock: 'good',
      database: 'good',
      'database clock': 'good',
      migrations: 'good',
      isolation: 'good',
      storage: 'good',
      certificates: 'good',
      timestamps: 'good',
      worker: 'good',
      queue: 'good',
      mail: 'good',
      'text messages': 'good',
      'public address': 'good',
    })
    assert.equal(outcome.exitCode, 0)
    assert.match(find(outcome, 'mail').found, /answers/)
  })

  test('without a public address it asks for a look, and says which variable to set', async () => {
    const outcome = await examine()
    assert.equal(outcome.exitCode, 3)
    assert.match(find(outcome, 'public address').fix!, /COUNTERSIGN_PUBLIC_URL/)
    const { out } = await openShell(usual)('doctor')
    assert.match(out, /^LOOK +public address .*\n +→ Set COUNTERSIGN_PUBLIC_URL/m)
  })

  for (const [what, changes, name, fix] of [
    [
      'a database that does not answer',
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      'database',
      /Check DATABASE_URL/,
    ],
    ['another secret key', { COUNTERSIGN_SECRET_KEY: 'x'.repeat(40) }, 'timestamps', /secret key/],
    ['storage that is a file', { COUNTERSIGN_STORAGE: '/dev/null/documents' }, 'storage', /COUNTERSIGN_STORAGE/],
    ['a mail server that is not there', { SMTP_URL: 'smtp://127.0.0.1:1' }, 'mail', /Check SMTP_URL/],
    [
      'a public address that leads nowhere',
      { COUNTERSIGN_PUBLIC_URL: 'http://127.0.0.1:1' },
      'public address',
      /lead to this service/,
    ],
  ] as const) {
    test(`${what}: bad, with the next fix`, async () => {
      const outcome = await examine(changes)
      assert.equal(outcome.exitCode, 1)
      const finding = find(outcome, name)
      assert.equal(finding.state, 'bad')
      assert.match(finding.fix!, fix)
    })
  }

  test('work that waits is bad, work that was given up asks for a look', async () => {
    const late = new Date(Date.now() - 600_000)
    const queue = (state: string) =>
      service.database.asOwner(
        `insert into job (tenant_id, id, bucket, queue, payload, run_at, state, created_at)
         values ($1, gen_random_uuid(), 0, 'nobody.does-this', '{}', $2, $3, $2)`,
        [tenantId, late, state],
      )
    await queue('dead')
    const given = await examine({ COUNTERSIGN_PUBLIC_URL: publicUrl })
    assert.equal(given.exitCode, 3)
    assert.equal(find(given, 'jobs given up').found, '1 of nobody.does-this')
    await queue('waiting')
    const waiting = await examine()
    assert.equal(waiting.exitCode, 1)
    assert.match(find(waiting, 'queue').found, /the oldest \(nobody\.does-this\) is 6\d\d s late/)
    assert.match(find(waiting, 'queue').fix!, /countersign work/)
    await service.database.asOwner(`delete from job where queue = 'nobody.does-this'`)
  })

  test('a file that the worker found damaged is bad, and is named', async () => {
    const detail = `damaged: content ${'ab'.repeat(32)} of tenant 01a1e3ab-28e8-7774-8fad-90fe46458353`
    const trouble = `insert into trouble (name, detail, since) values ('stored files', $1, now())`
    await service.database.asOwner(trouble, [detail])
    const outcome = await examine()
    await service.database.asOwner('delete from trouble')
    assert.equal(outcome.exitCode, 1)
    assert.deepEqual([find(outcome, 'stored files').state, find(outcome, 'stored files').found], ['bad', detail])
    assert.match(find(outcome, 'stored files').fix!, /backup/)
  })

  test('a clock that nobody keeps asks for a look', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-doctor-'))
    const program = join(folder, 'timedatectl')
    for (const [word, state] of [
      ['no', 'look'],
      ['yes', 'good'],
    ] as const) {
      writeFileSync(program, `#!/bin/sh\necho ${word}\n`, { mode: 0o700 })
      assert.equal(find(await examine({ PATH: `${folder}:/usr/bin:/bin` }), 'clock').state, state)
    }
    rmSync(folder, { recursive: true })
  })

  test('a data directory without an installation', async () => {
    const outcome = await openShell({ COUNTERSIGN_DATA: '/tmp/countersign-nothing-here' })('doctor', '--json')
    assert.equal(outcome.exitCode, 1)
    assert.match(find(outcome, 'database').fix!, /countersign start/)
  })

  test('a setting that can’t be read is named, with exit code 2', async () => {
    const outcome = await openShell({ ...usual, COUNTERSIGN_PORT: 'eighty' })('doctor')
    assert.equal(outcome.exitCode, 2)
    assert.match(outcome.err, /COUNTERSIGN_PORT must be a whole number/)
  })

  test('arguments are refused', async () => {
    assert.equal((await openShell(usual)('doctor', 'everything')).exitCode, 2)
  })
})
