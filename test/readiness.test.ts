// What is degraded although the service works: seen by the worker, told by the server, gone when it is mended.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { makeTestAuthority } from '#pades/testing/authority.ts'
import { recurringTasks, watchTasks } from '#main/jobs.ts'
import { forgetOtherTroubles } from '#platform/troubles/troubles.ts'
import type { Platform } from '#platform/platform.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { certificatePem } from './fakes/openssl.ts'
import { startOtlpReceiver, type OtlpReceiver } from './fakes/otlp-receiver.ts'
import { startMailServer, type MailServer } from './fakes/mail-server.ts'
import { startTimestampServer, type TimestampServer } from './fakes/timestamp-server.ts'
import { readHealth } from './health.ts'
import { databaseEnvironment, startMachine, type Machine } from './machines.ts'
import { startService, type TestService, type TestTenant } from './service.ts'
import { until } from './until.ts'
import { workerPlatform } from './worker.ts'

describe('what is degraded', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-readiness-'))
  let service: TestService
  let worker: Platform
  let acme: TestTenant
  let authority: TimestampServer
  let mail: MailServer

  before(async () => {
    const { tsaSigner } = await makeTestAuthority('ES256', new Date())
    const file = join(folder, 'authority.pem')
    writeFileSync(file, certificatePem(tsaSigner.certificate))
    authority = await startTimestampServer(tsaSigner, () => service.clock.now())
    mail = await startMailServer()
    service = await startService({
      COUNTERSIGN_TSA_URL: authority.url,
      COUNTERSIGN_TSA_CA_FILE: file,
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    })
    worker = workerPlatform(service)
    acme = await service.createTenant('Acme')
    await service.database.asOwner(
      'insert into worker (id, seen_at) values (gen_random_uuid(), now() + interval $$1h$$)',
    )
  })
  afterEach(async () => {
    assert.deepEqual((await look()).body, { status: 'ready', checks: { database: 'ok' } })
  })
  after(async () => {
    await service.stop()
    await authority.close()
    await mail.stop()
    rmSync(folder, { recursive: true })
  })

  const look = () => readHealth(service.platform)
  const degraded = (...names: string[]) => ({
    status: 'degraded',
    checks: { database: 'ok', ...Object.fromEntries(names.map((name) => [name, 'degraded'])) },
  })
  /** As the worker's schedule would. */
  const runTask = (name: string) =>
    [...recurringTasks(worker), ...watchTasks(worker)].find((task) => task.name === name)!.run(service.clock.now())
  const trouble = (name: string) =>
    service.database.asOwner(`insert into trouble (name, detail, since) values ($1, 'no answer', now())`, [name])

  test('a queue that nobody serves is late, until it has been served', async () => {
    const enqueueLate = (ms: number, key: string | null) =>
      service.database.asOwner(
        `insert into job (tenant_id, id, bucket, queue, payload, key, run_at, created_at)
         values ($1, gen_random_uuid(), 0, 'stalled', '{}', $3, $2, now())`,
        [acme.tenantId, new Date(service.clock.now().getTime() - ms), key],
      )
    await enqueueLate(30_000, null)
    await runTask('see how long jobs wait')
    assert.equal((await look()).body.status, 'ready', 'half a minute is no accident yet')

    await enqueueLate(90_000, null)
    await runTask('see how long jobs wait')
    const late = await look()
    assert.equal(late.status, 200)
    assert.deepEqual(late.body, degraded('queue'))
    assert.match(late.metrics, /countersign_queue_lag_seconds 9\d\n/)
    assert.match(late.metrics, /countersign_jobs_waiting 2\n/)
    const [{ detail } = {}] = await service.database.asOwner(`select detail from trouble where name = 'queue'`)
    assert.match(String(detail), /stalled is 9\d s late/)

    await service.database.asOwner('delete from job')
    await runTask('see how long jobs wait')
    assert.match((await look()).metrics, /countersign_queue_lag_seconds 0\n/)
  })

  test('what waits behind an earlier job of its key is not late', async () => {
    const now = service.clock.now().getTime()
    for (const [id, runAt] of [
      ['00000000-0000-7000-8000-000000000001', now + 600_000],
      ['00000000-0000-7000-8000-000000000002', now - 600_000],
    ] as const)
      await service.database.asOwner(
        `insert into job (tenant_id, id, bucket, queue, payload, key, run_at, created_at)
         values ($1, $2, 0, 'tried again later', '{}', 'one', $3, now())`,
        [acme.tenantId, id, new Date(runAt)],
      )
    await runTask('see how long jobs wait')
    await service.database.asOwner('delete from job')
  })

  test('a certificate that ends soon, until there is a new one', async () => {
    await runTask('renew seal certificates')
    await runTask('see when certificates end')
    assert.match((await look()).metrics, /countersign_certificate_end_seconds 1\.?\d+/)

    const [seal] = await service.database.asOwner(`select id from certificate where kind = 'seal' and state = 'Active'`)
    // One that is made for a single signing ends within days.
    const { certificate } = (await makeTestAuthority('ES256', service.clock.now())).signer
    const [kept] = await service.database.asOwner(`select certificate from certificate where id = $1`, [seal!['id']])
    const put = (der: unknown) =>
      service.database.asOwner(`update certificate set certificate = $2 where id = $1`, [seal!['id'], der])
    await put(certificate)
    await runTask('see when certificates end')
    const ending = await look()
    assert.equal(ending.status, 200)
    assert.deepEqual(ending.body, degraded('certificates'))
    assert.match(ending.metrics, /countersign_trouble{name="certificates"} 1/)

    await put(kept!['certificate'])
    await runTask('see when certificates end')
  })

  test('services that failed and that nobody needs at the moment are asked whether they work again', async () => {
    authority.fault = 'unavailable'
    await mail.stop()
    await trouble('mail')
    await trouble('timestamp authority')
    await runTask('see whether what failed works again')
    assert.deepEqual((await look()).body, degraded('mail', 'timestamp authority'))

    authority.fault = undefined
    mail = await startMailServer({ port: mail.port })
    await runTask('see whether what failed works again')
  })

  test('troubles of services that are not configured any more are forgotten', async () => {
    await trouble('sms')
    await trouble('identity provider FI')
    await trouble('mail')
    await forgetOtherTroubles(worker)
    assert.deepEqual((await look()).body, degraded('mail'), 'mail is still configured')
    await runTask('see whether what failed works again')
  })
})

describe('a server and a worker', () => {
  let database: TestDatabase
  let collector: OtlpReceiver
  const machines: Machine[] = []

  before(async () => {
    database = await createDatabase()
    collector = await startOtlpReceiver()
  })
  after(async () => {
    await Promise.all(machines.filter((machine) => machine.isRunning()).map((machine) => machine.end('SIGKILL')))
    await database.drop()
    await collector.stop()
  })

  const start = async (part: 'serve' | 'work') => {
    const environment = { ...databaseEnvironment(database), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const machine = await startMachine({ part, environment })
    machines.push(machine)
    return machine
  }

  test('without a worker the server is degraded, with one it is ready', async () => {
    const server = await start('serve')
    const becomes = (status: string) =>
      until(`readiness to be ${status}`, async () => {
        const answer = (await (await fetch(`${server.url}/readyz`)).json()) as { status: string }
        return answer.status === status && answer
      })
    assert.deepEqual(await becomes('degraded'), {
      status: 'degraded',
      checks: { database: 'ok', storage: 'ok', 'secret key': 'ok', worker: 'degraded' },
    })
    const worker = await start('work')
    await becomes('ready')
    assert.match(await (await fetch(`${server.url}/metrics`)).text(), /countersign_workers 1\n/)
    await worker.end('SIGTERM')
    await becomes('degraded')
    await fetch(`${server.url}/identity/.well-known/jwks.json`)
    await server.end('SIGTERM')
    const heard = collector.spans.filter(({ service }) => service === 'countersign-serve').map(({ name }) => name)
    assert.ok(heard.includes('GET /identity/.well-known/jwks.json'), `of calls a collector heard: ${heard.join(', ')}`)
  })

  test('a worker without a database says so in one line and ends', async () => {
    const environment = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', COUNTERSIGN_SECRET_KEY: 'x'.repeat(40) }
    const failure = await startMachine({ part: 'work', environment }).then(
      () => '',
      (error: Error) => error.message,
    )
    assert.match(failure, /^countersign: could not start: the database does not answer: connect ECONNREFUSED/m)
    assert.doesNotMatch(failure, /^\s+at /m, 'no stack on the terminal')
  })
})
