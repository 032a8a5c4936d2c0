// The API beside bare servers that do the least that could be called the same, in one run, in turns.
import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTenant } from '#features/onboarding/index.ts'
import { openDatabase } from '#platform/db/database.ts'
import { startEmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts'
import { migrate } from '#platform/db/migrate.ts'
import { newId } from '#platform/ids.ts'
import { samplePdf } from './sample-pdf.ts'
import { compare, drive, type Call } from './load.ts'
import type { Setup } from './servers/messages.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
const AT_ONCE = 16
const KEY = 'csk_a-key-that-the-benchmark-gives-itself'

const folder = mkdtempSync(join('/tmp', 'countersign-bench-'))
const children: ChildProcess[] = []
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: console.error })
try {
  await run()
} finally {
  for (const child of children) child.kill()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const { connection } = postgres
  await migrate(connection, new Date())
  const db = openDatabase({ connection, role: 'countersign_request', poolSize: 1, onConnectionError: console.error })
  const tenantId = newId()
  const { administratorId } = await db.transaction(tenantId, (tx) =>
    createTenant(tx, {
      tenantId,
      name: 'Bench',
      administrator: { email: 'a@example.com', passwordHash: 'none' },
      primaryKey: KEY,
      now: new Date(),
    }),
  )
  await db.close()
  const setup: Setup = { connection, folder, tenantId, key: KEY, userId: administratorId, entityId: '' }
  const [ours, bareCreate, bareRead] = await Promise.all(
    ['countersign', 'bare-create', 'bare-read'].map((name) => startServer(name, setup)),
  )

  const headers = { 'ocp-apim-subscription-key': KEY, 'content-type': 'application/json' }
  const body = JSON.stringify(creation())
  const create: Call = () => ({ path: '/onestepsigning/signaturerequest', method: 'POST', headers, body })
  const options = { atOnce: AT_ONCE, seconds: SECONDS }
  await drive(ours!, create, { ...options, seconds: 1 })
  await drive(bareCreate!, create, { ...options, seconds: 1 })
  report(
    'create, 2 signatories, PDF of 100 KB',
    await compare(
      () => drive(ours!, create, options),
      () => drive(bareCreate!, create, options),
      ROUNDS,
    ),
    0.6,
  )

  const response = await fetch(ours! + '/onestepsigning/signaturerequest', { method: 'POST', headers, body })
  const { id } = (await response.json()) as { id: string }
  await fetch(`${ours}/metadata/list/SignatureRequest/${id}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({
      metadata: [
        { key: 'case', value: '42' },
        { key: 'cost centre', value: 'north' },
      ],
    }),
  })
  const reads: [what: string, path: string, bare: string][] = [
    ['read a profile', `/user/profile/${administratorId}`, `/profile/${administratorId}`],
    ['read metadata', `/metadata/SignatureRequest/${id}`, `/metadata/${id}`],
    ['read a page of events', `/event/signaturerequest/${id}`, `/events/${id}`],
  ]
  for (const [what, path, bare] of reads) {
    const read =
      (target: string): Call =>
      () => ({ path: target, method: 'GET', headers: { 'ocp-apim-subscription-key': KEY } })
    report(
      what,
      await compare(
        () => drive(ours!, read(path), options),
        () => drive(bareRead!, read(bare), options),
        ROUNDS,
      ),
      0.7,
    )
  }
}

function creation(): unknown {
  return {
    subject: 'Lease for the office',
    status: 'Open',
    externalReference: 'bench',
    signatories: [
      { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      { firstName: 'Charles', lastName: 'Babbage', email: 'charles@example.com', signatoryGroupSigningOrder: 2 },
    ],
    documents: [{ title: 'Lease', fileName: 'lease.pdf', contentBase64: samplePdf(100 * 1024).toString('base64') }],
  }
}

async function startServer(name: string, setup: Setup): Promise<string> {
  const child = fork(fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url)))
  children.push(child)
  child.send(setup)
  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
  return url
}

function report(what: string, { ours, theirs, ratio, p99Ms }: Awaited<ReturnType<typeof compare>>, goal: number): void {
  const row = [
    what.padEnd(38),
    `${ours.toFixed(0)}/s`.padStart(9),
    `${theirs.toFixed(0)}/s`.padStart(9),
    `${(ratio * 100).toFixed(0)} %`.padStart(6),
  ]
  console.log([...row, `goal ${goal * 100} %`.padStart(10), `p99 ${p99Ms.toFixed(1)} ms`.padStart(12)].join('  '))
}
