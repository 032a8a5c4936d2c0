// The API beside bare servers that do the least that could be called the same, in one run, in turns.
import { makeCreationBodies } from './creation.ts'
import { compare, drive, type Call, type Comparison } from './load.ts'
import { openBench } from './workbench.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
const AT_ONCE = 16

export async function measureApi(): Promise<void> {
  const bench = await openBench()
  try {
    const { headers } = bench
    const [ours, bareCreate, bareRead] = [
      await bench.startServer('countersign'),
      await bench.startServer('bare-create'),
      await bench.startServer('bare-read'),
    ]
    const load = { atOnce: AT_ONCE, seconds: SECONDS }
    const nextBody = makeCreationBodies(100 * 1024)
    const create: Call = () => ({
      path: '/onestepsigning/signaturerequest',
      method: 'POST',
      headers,
      body: nextBody(),
    })
    for (const origin of [ours, bareCreate]) await drive(origin, create, { ...load, seconds: 1 })
    console.log(`\nthe API beside a bare server (${AT_ONCE} calls in flight, median of ${ROUNDS} rounds)`)
    const against = (mine: string, theirs: string, call: (origin: string) => Call) =>
      compare({
        ours: () => drive(mine, call(mine), load),
        theirs: () => drive(theirs, call(theirs), load),
        rounds: ROUNDS,
      })
    report('create: 2 signatories, PDF of 100 KB', await against(ours, bareCreate, () => create), 0.6)

    const response = await fetch(`${ours}/onestepsigning/signaturerequest`, {
      method: 'POST',
      headers,
      body: nextBody(),
    })
    const { id } = (await response.json()) as { id: string }
    await fetch(`${ours}/metadata/list/SignatureRequest/${id}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ metadata: ['case', 'cost centre'].map((key) => ({ key, value: '42' })) }),
    })
    const reads: [what: string, path: string, bare: string][] = [
      ['read a profile', `/user/profile/${bench.userId}`, `/profile/${bench.userId}`],
      ['read metadata', `/metadata/SignatureRequest/${id}`, `/metadata/${id}`],
      ['read a page of events', `/event/signaturerequest/${id}`, `/events/${id}`],
    ]
    for (const [what, path, bare] of reads) {
      const read =
        (origin: string): Call =>
        () => ({ path: origin === ours ? path : bare, method: 'GET', headers })
      report(what, await against(ours, bareRead, read), 0.7)
    }
  } finally {
    await bench.close()
  }
}

function report(what: string, { ours, theirs, ratio, p99Ms }: Comparison, goal: number): void {
  const figures = [
    `${ours.toFixed(0)}/s`,
    `${theirs.toFixed(0)}/s`,
    `${(ratio * 100).toFixed(0)} %`,
    `goal ${goal * 100} %`,
    `p99 ${p99Ms.toFixed(1)} ms`,
  ]
  console.log([what.padEnd(38), ...figures.map((figure) => figure.padStart(12))].join(''))
}
