// A worker that dies as in a power cut at every named point of the closing: every document is sealed once all the same.
import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { pdf } from './signature-requests.ts'
import { SECRET_KEY, startService, type TestService, type TestTenant } from './service.ts'
import { fetchBytes, invite, openLink, readRequest } from './signing-flow.ts'
import { unzip } from './unzip.ts'
import { until } from './until.ts'

const POINTS = [
  'closing:before-key',
  'closing:after-key',
  'closing:before-file',
  'closing:after-file',
  'evidence:before-key',
  'evidence:after-key',
  'evidence:before-file',
  'closing:before-event',
]
const WITHIN_MS = 120_000
const WORK = new URL('../src/main/work.ts', import.meta.url)

describe('a worker that is killed at every point of a closing', () => {
  let service: TestService
  let tenant: TestTenant
  let folder: string
  let child: ChildProcess | undefined
  let isOver = false
  let deaths = 0

  before(async () => {
    service = await startService()
    tenant = await service.createTenant()
    folder = mkdtempSync(join(tmpdir(), 'countersign-closing-'))
    startWorker()
  })
  after(async () => {
    isOver = true
    const ended = new Promise((resolve) => (child ? child.once('exit', resolve) : resolve(undefined)))
    child?.kill('SIGTERM')
    await ended
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  const markOf = (point: string) => join(folder, point.replace(':', '-'))

  function startWorker(): void {
    const { database, blobFolder } = service
    const env = {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      COUNTERSIGN_DATA: folder,
      COUNTERSIGN_STORAGE: blobFolder,
      COUNTERSIGN_LOG_LEVEL: 'silent',
      COUNTERSIGN_FAILPOINT: POINTS.map((point) => `${point}@${markOf(point)}`).join(','),
    }
    const started = fork(WORK, { env, execArgv: [] })
    child = started
    started.on('message', ({ kind }: { kind: string }) => {
      if (kind === 'ready for installation') {
        started.send({ connection: database.connection, secretKey: SECRET_KEY })
      }
    })
    started.on('exit', () => void startAnother())
  }

  /** The dead worker's leases would run for ten more seconds; they end here, so that the test need not wait. */
  async function startAnother(): Promise<void> {
    child = undefined
    if (isOver) return
    deaths++
    await service.database.asOwner(`update bucket_lease set expires_at = now()`)
    await service.database.asOwner(`delete from worker`)
    startWorker()
  }

  test('closes the request with exactly one seal in every document', { timeout: 2 * WITHIN_MS }, async () => {
    const documents = ['lease', 'terms'].map((name) => ({
      title: name,
      fileName: `${name}.pdf`,
      contentBase64: pdf(name),
    }))
    const { requestId, signatoryIds } = await invite(tenant, { documents, deliveryMethods: ['Link'] })
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    assert.equal((await browser.sign()).status, 202)
    const isClosed = async () => (await readRequest(tenant, requestId)).json.status === 'Closed'
    await until('Closed', isClosed, { withinMs: WITHIN_MS, everyMs: 100 })
    for (const point of POINTS) assert.ok(existsSync(markOf(point)), `it died at ${point}`)
    assert.equal(deaths, POINTS.length)

    const files = unzip(await fetchBytes(service, tenant, `/signing/signaturerequest/${requestId}/evidence`))
    const trustAnchors = [...files].filter(([name]) => name.startsWith('certificates/')).map(([, pem]) => derOf(pem))
    for (const [name, signatures] of [
      ['documents/lease.pdf', 2],
      ['documents/terms.pdf', 2],
      ['evidence.pdf', 1],
    ] as const) {
      const report = await validatePdf(files.get(name)!, { trustAnchors, time: new Date() })
      assert.equal(report.verdict, 'valid', name)
      assert.equal(report.signatures.length, signatures, `${name}: the person where there is one, and one seal`)
    }
    const seals = await service.database.asOwner(
      `select document_id, count(*) filter (where state = 'used')::int as used,
              count(*) filter (where state = 'planned')::int as planned
         from signature_intent where request_id = $1 and signatory_id is null group by document_id`,
      [requestId],
    )
    assert.deepEqual(
      seals.map(({ used, planned }) => [used, planned]),
      [
        [1, 0],
        [1, 0],
        [1, 0],
      ],
      'every seal that was planned was used once or is recorded as abandoned',
    )
    const events = await service.database.asOwner(
      `select type from event where request_id = $1 and type = 'signaturerequestcompleted'`,
      [requestId],
    )
    assert.equal(events.length, 1)
  })
})

function derOf(pem: Buffer): Buffer {
  return Buffer.from(pem.toString().replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
}
