// Drives a server with a fixed number of calls in flight for a while, and tells how many it answered and how fast.
import { Agent, request } from 'undici'

export type Call = () => {
  path: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | Buffer
}

export type Load = { perSecond: number; p50Ms: number; p99Ms: number; calls: number }

export type Drive = {
  atOnce: number
  seconds: number
  /** Goes on beyond its time until so many were answered: code is slow before it has run often. */
  leastCalls?: number
}

export async function drive(origin: string, call: Call, { atOnce, seconds, leastCalls = 0 }: Drive): Promise<Load> {
  const agent = new Agent({ connections: atOnce, pipelining: 1 })
  const times: number[] = []
  const endsAt = performance.now() + seconds * 1000
  const caller = async () => {
    while (performance.now() < endsAt || times.length < leastCalls) {
      const { path, ...options } = call()
      const startedAt = performance.now()
      const { statusCode, body } = await request(origin + path, { ...options, dispatcher: agent })
      const text = await body.text()
      if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${text}`)
      times.push(performance.now() - startedAt)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: atOnce }, caller))
  const tookS = (performance.now() - startedAt) / 1000
  await agent.close()
  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / tookS,
    p50Ms: times[Math.floor(times.length * 0.5)]!,
    p99Ms: times[Math.floor(times.length * 0.99)]!,
    calls: times.length,
  }
}

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** A load, and what it took of the processors, without the one who drives it. */
export type Run = Load & { processorMs: number }

export type Comparison = {
  ours: number
  theirs: number
  ratio: number
  p99Ms: number
  /** Processor milliseconds a call. */
  oursMs: number
  theirsMs: number
}

type Contest = { ours: () => Promise<Run>; theirs: () => Promise<Run>; rounds: number }

/**
 * Runs the two in turns, and answers with the median of each turn's ratio: a busy moment of the machine hits both runs of a
 * turn alike, and what hits only one of them is outvoted by the other turns.
 */
export async function compare({ ours, theirs, rounds }: Contest): Promise<Comparison> {
  const [mine, other]: [Run[], Run[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    mine.push(await ours())
    other.push(await theirs())
  }
  const rate = (runs: Run[]) => median(runs.map((run) => run.perSecond))
  const cost = (runs: Run[]) => median(runs.map((run) => run.processorMs / run.calls))
  return {
    ours: rate(mine),
    theirs: rate(other),
    ratio: median(mine.map((run, round) => run.perSecond / other[round]!.perSecond)),
    p99Ms: median(mine.map((run) => run.p99Ms)),
    oursMs: cost(mine),
    theirsMs: cost(other),
  }
}
