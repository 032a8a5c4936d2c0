// A worker that dies as in a power cut at every named point of a signing and of the closing: every person has signed
// once and every document is sealed once all the same.
import assert from 'node:assert/strict'
import { execFile, fork, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { verifyHistory } from '#features/history/index.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { FAILPOINTS } from '#platform/failpoint.ts'
import { pdf } from './signature-requests.ts'
import { SECRET_KEY, startService, type TestService, type TestTenant } from './service.ts'
import { fetchBytes, openLink, readRequest, invite } from './signing-flow.ts'
import { unzip } from './unzip.ts'
import { until } from './until.ts'

const WITHIN_MS = 240_000
const WORK = new URL('../src/main/work.ts', import.meta.url)
const JOBS = new URL('../src/main/jobs.ts', import.meta.url)

describe('a worker that is killed at every point of a signing and of the closing', () => {
  let service: TestService
  let tenant: TestTenant
  let folder: string
  let child: ChildProcess | undefined
  let isOver = false
  let deaths = 0

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-killed-'))
    ;[service] = await Promise.all([startService(), keepCode()])
    tenant = await service.createTenant()
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

  const environment = () => ({
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    NODE_COMPILE_CACHE: join(folder, 'code'),
  })

  /** Compiled once for all the workers: each of them would lose its own by dying. */
  const keepCode = () =>
    promisify(execFile)(process.execPath, ['--eval', `import(${JSON.stringify(JOBS)})`], { env: environment() })

  function startWorker(): void {
    const { database, blobFolder } = service
    const env = {
      ...environment(),
      COUNTERSIGN_DATA: folder,
      COUNTERSIGN_STORAGE: blobFolder,
      COUNTERSIGN_LOG_LEVEL: 'silent',
      COUNTERSIGN_FAILPOINT: FAILPOINTS.map((point) => `${point}@${markOf(point)}`).join(','),
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

  test(
    'finishes the request: one signature for each person, one seal in each file',
    { timeout: 2 * WITHIN_MS },
    async () => {
      const signatories = ['Aino', 'Björn'].map((firstName) => ({ firstName, email: `${firstName}@example.com` }))
      const documents = ['lease', 'terms'].map((name) => ({
        title: name,
        fileName: `${name}.pdf`,
        contentBase64: pdf(name),
      }))
      const { requestId, signatoryIds } = await invite(tenant, { signatories, documents, deliveryMethods: ['Link'] })
      for (const signatoryId of signatoryIds) {
        const browser = await openLink(service, tenant, requestId, signatoryId)
        assert.equal((await browser.sign()).status, 202)
      }
      const closed = await until(
        'Closed',
        async () => {
          const { json } = await readRequest(tenant, requestId)
          return json.status === 'Closed' && json
        },
        { withinMs: WITHIN_MS, everyMs: 100 },
      )
      for (const point of FAILPOINTS) assert.ok(existsSync(markOf(point)), `it died at ${point}`)
      assert.equal(deaths, FAILPOINTS.length)
      assert.deepEqual(
        closed.signatories.map(({ state }: { state: string }) => state),
        ['Signed', 'Signed'],
      )
      await requireOneSignatureEach(requestId)
      await requireOneUseOfEveryKey(requestId)
    },
  )

  async function requireOneSignatureEach(requestId: string): Promise<void> {
    const files = unzip(await fetchBytes(service, tenant, `/signing/signaturerequest/${requestId}/evidence`))
    const trustAnchors = [...files].filter(([name]) => name.startsWith('certificates/')).map(([, pem]) => derOf(pem))
    for (const [name, people] of [
      ['documents/lease.pdf', ['Aino', 'Björn']],
      ['documents/terms.pdf', ['Aino', 'Björn']],
      ['evidence.pdf', []],
    ] as const) {
      const report = await validatePdf(files.get(name)!, { trustAnchors, time: new Date() })
      assert.equal(report.verdict, 'valid', name)
      const subjects = report.signatures.map(({ subject }) => subject)
      assert.deepEqual(subjects.slice(0, -1).sort(), people, `${name}: everybody once, and then one seal`)
    }
    const history = JSON.parse(files.get('history.json')!.toString())
    assert.ok(verifyHistory([history], history.head.keys).isIntact)
    const count = (type: string) =>
      history.items.filter(({ eventType }: { eventType: string }) => eventType === type).length
    assert.deepEqual([count('signatorysigned'), count('signaturerequestcompleted')], [2, 1])
  }

  /** Every signature that was planned was made once or is recorded as abandoned. */
  async function requireOneUseOfEveryKey(requestId: string): Promise<void> {
    const intents = await service.database.asOwner(
      `select count(*) filter (where state = 'used')::int as used,
              count(*) filter (where state = 'planned')::int as planned
         from signature_intent where request_id = $1 group by signatory_id, document_id`,
      [requestId],
    )
    // Two people and the seal in two documents, and the seal of the evidence.
    assert.deepEqual(
      intents.map(({ used, planned }) => [used, planned]),
      Array.from({ length: 7 }, () => [1, 0]),
    )
  }
})

function derOf(pem: Buffer): Buffer {
  return Buffer.from(pem.toString().replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
}
