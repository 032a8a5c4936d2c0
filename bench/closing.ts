// From the last person's confirmation to Closed, with our own timestamp authority: alone, and beside a backlog of sealing.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { findDatabaseServer, processorMsOf, processorMsOfDatabase } from './processor-time.ts'
import { samplePdf } from './sample-pdf.ts'
import { pileUp } from './sealing.ts'
import { percent, type Line } from './table.ts'
import { openBench, type Bench } from './workbench.ts'

const SIGNINGS = 100
const WARM_UP = 5
const SIZE_BYTES = 1024 * 1024
const BACKLOG = 1000
const GOAL_MS = 500
const LOOK_EVERY_MS = 2

/** How long one signing took: until the person had signed, and until the request was closed. */
type Signing = { signedMs: number; closedMs: number }

/** With a size, the backlog has so many requests; fewer show little. */
export async function measureClosing(backlog = BACKLOG): Promise<Line[]> {
  const bench = await openBench()
  try {
    const origin = await bench.startServer('countersign')
    await bench.startServer('sealer')
    await signMany(bench, origin, WARM_UP)
    const database = await findDatabaseServer(bench.owner)
    const used = () => ({ worker: processorMsOf(bench.pidOf('sealer')), database: processorMsOfDatabase(database) })
    const before = used()
    const alone = await signMany(bench, origin, Math.min(SIGNINGS, backlog))
    const after = used()
    const workerMs = (after.worker - before.worker) / alone.length
    const databaseMs = (after.database - before.database) / alone.length

    bench.stopServer('sealer')
    await pileUp(bench, origin, backlog)
    await bench.startServer('sealer')
    // This worker has just started; the one before it was warm when it was measured.
    await signMany(bench, origin, WARM_UP)
    const busy: Signing[] = []
    while (await hasBacklog(bench)) busy.push(await signOne(bench, origin))
    return [closingLine(alone, { workerMs, databaseMs }), backlogLine(alone, busy, backlog)]
  } finally {
    await bench.close()
  }
}

type Work = { workerMs: number; databaseMs: number }

function closingLine(alone: Signing[], { workerMs, databaseMs }: Work): Line {
  const times = alone.map(({ closedMs }) => closedMs)
  const p99 = percentile(times, 99)
  return {
    what: `close a request of 1 MB after the last confirmation, ${times.length} one after the other`,
    ours: `p50 ${percentile(times, 50).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; of processors ${workerMs.toFixed(0)} ms in the worker, ${databaseMs.toFixed(0)} in the database`,
    beside: 'own timestamp authority, everything committed',
    ratio: percent(p99 / GOAL_MS),
    goal: `p99 below ${GOAL_MS} ms`,
    isMet: p99 < GOAL_MS,
  }
}

function backlogLine(alone: Signing[], busy: Signing[], backlog: number): Line {
  const p99 = (signings: Signing[]) =>
    percentile(
      signings.map(({ signedMs }) => signedMs),
      99,
    )
  const ratio = p99(busy) / p99(alone)
  return {
    what: `sign beside a backlog of ${backlog} sealing requests (${busy.length} signings)`,
    ours: `p99 ${p99(busy).toFixed(0)} ms`,
    beside: `without it ${p99(alone).toFixed(0)} ms`,
    ratio: percent(ratio),
    goal: 'at most twice',
    isMet: ratio <= 2,
  }
}

async function signMany(bench: Bench, origin: string, count: number): Promise<Signing[]> {
  const signings: Signing[] = []
  for (let i = 0; i < count; i++) signings.push(await signOne(bench, origin))
  return signings
}

async function signOne(bench: Bench, origin: string): Promise<Signing> {
  const { requestId, signatoryId } = await inviteOne(bench, origin)
  const cookie = await openLink(bench, origin, { requestId, signatoryId })
  const headers = { origin, 'x-countersign-sign': '1', 'content-type': 'application/json', cookie }
  const page = (await (await fetch(`${origin}/sign/api/request`, { headers })).json()) as {
    documents: { id: string; sha256: string }[]
  }
  const documents = page.documents.map(({ id, sha256 }) => ({ id, sha256 }))
  const startedAt = performance.now()
  const reply = await fetch(`${origin}/sign/api/sign`, { method: 'POST', headers, body: JSON.stringify({ documents }) })
  if (reply.status !== 202) throw new Error(`sign: ${reply.status} ${await reply.text()}`)
  let signedMs: number | undefined
  for (;;) {
    const { state, status } = await lookAt(bench, requestId)
    const elapsedMs = performance.now() - startedAt
    if (state === 'Signed') signedMs ??= elapsedMs
    if (status === 'Closed') return { signedMs: signedMs ?? elapsedMs, closedMs: elapsedMs }
    await sleep(LOOK_EVERY_MS)
  }
}

type Person = { requestId: string; signatoryId: string }

async function inviteOne(bench: Bench, origin: string): Promise<Person> {
  const pdf = samplePdf(SIZE_BYTES)
  const body = {
    subject: createHash('sha256').update(pdf).digest('hex'),
    status: 'Open',
    signingAuthenticationStrength: 'None',
    deliveryMethods: ['Link'],
    signatories: [{ firstName: 'Aino', lastName: 'Virtanen' }],
    documents: [{ title: 'Lease', fileName: 'lease.pdf', contentBase64: pdf.toString('base64') }],
  }
  const { headers } = bench
  const reply = await fetch(`${origin}/onestepsigning/signaturerequest`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (reply.status !== 202) throw new Error(`create: ${reply.status} ${await reply.text()}`)
  const { id: requestId } = (await reply.json()) as { id: string }
  for (;;) {
    const { state, signatoryId } = await lookAt(bench, requestId)
    if (state === 'Invited') return { requestId, signatoryId }
    await sleep(LOOK_EVERY_MS)
  }
}

async function openLink({ headers }: Bench, origin: string, { requestId, signatoryId }: Person): Promise<string> {
  const path = `/signing/signaturerequest/${requestId}/signatory/${signatoryId}/link`
  const { url } = (await (await fetch(origin + path, { headers })).json()) as { url: string }
  const session = await fetch(`${origin}/sign/api/session`, {
    method: 'POST',
    headers: { origin, 'x-countersign-sign': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(url).pathname.split('/').pop() }),
  })
  return session.headers.getSetCookie()[0]!.split(';')[0]!
}

async function lookAt({ owner }: Bench, requestId: string) {
  const { rows } = await owner.query(
    `select r.status, s.state, s.id as "signatoryId"
       from signature_request r
       join signatory s on s.tenant_id = r.tenant_id and s.request_id = r.id
      where r.id = $1`,
    [requestId],
  )
  return rows[0] as { status: string; state: string; signatoryId: string }
}

async function hasBacklog({ owner }: Bench): Promise<boolean> {
  const { rows } = await owner.query(
    `select exists (select from sealing_request where status in ('Open', 'Processing')) as "is"`,
  )
  return (rows[0] as { is: boolean }).is
}

function percentile(values: readonly number[], percentage: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percentage / 100) * sorted.length) - 1)] ?? Number.NaN
}
