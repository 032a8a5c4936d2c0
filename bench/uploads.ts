// Documents of 25 MiB inside JSON: how long other calls wait meanwhile, and how much memory sixteen at once take.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { makeCreationBodies } from './creation.ts'
import { memoryMibOf } from './processor-time.ts'
import type { LongestTurn } from './servers/messages.ts'
import type { Probe, Probed } from './servers/prober.ts'
import { say, type Line } from './table.ts'
import { openBench, type Bench } from './workbench.ts'

const MIB = 1024 * 1024
const AT_ONCE = 16
const MOST_BLOCKED_MS = 50
const MOST_MIB = 1024

export async function measureUploads(): Promise<Line[]> {
  const bench = await openBench()
  try {
    const target = await ours(bench)
    const alone = await upload(bench, target, 1)
    const many = await upload(bench, target, AT_ONCE)
    bench.stopServer('countersign')
    const bare = await upload(bench, await theirs(bench), AT_ONCE)
    return [
      line('one upload of 25 MiB in Base64', alone),
      line(`${AT_ONCE} such uploads at once`, many, bare),
      memory(many, bare),
    ]
  } finally {
    await bench.close()
  }
}

type Target = { server: string; origin: string; smallCall: string }

async function ours(bench: Bench): Promise<Target> {
  const server = 'countersign'
  return { server, origin: await bench.startServer(server), smallCall: `/user/profile/${bench.userId}` }
}

/** The limit: a server that takes the whole body and parses it. */
async function theirs(bench: Bench): Promise<Target> {
  const server = 'bare-create'
  return { server, origin: await bench.startServer(server), smallCall: '/' }
}

type Figures = Probed & { tookS: number; turn: LongestTurn; restMib: number; peakMib: number }

async function upload(bench: Bench, { server, origin, smallCall }: Target, atOnce: number): Promise<Figures> {
  const { headers } = bench
  const nextBody = makeCreationBodies(25 * MIB - 1024)
  const bodies = Array.from({ length: atOnce }, nextBody)
  const agent = new Agent({ connections: atOnce })
  const prober = await startProber({ url: origin + smallCall, headers })
  const watch = watchMemory(bench.pidOf(server))
  await bench.ask(server, 'watch the loop')
  const startedAt = performance.now()
  await Promise.all(
    bodies.map(async (body) => {
      const url = `${origin}/onestepsigning/signaturerequest`
      const reply = await request(url, { method: 'POST', headers, body, dispatcher: agent })
      const text = await reply.body.text()
      if (reply.statusCode !== 202) throw new Error(`an upload was answered ${reply.statusCode} ${text}`)
    }),
  )
  const tookS = (performance.now() - startedAt) / 1000
  const turn = (await bench.ask(server, 'tell the longest turn')) as LongestTurn
  const probed = await prober.stop()
  await agent.close()
  return { tookS, turn, ...probed, ...watch.stop() }
}

async function startProber(probe: Probe): Promise<{ stop(): Promise<Probed> }> {
  const child = fork(fileURLToPath(new URL('./servers/prober.ts', import.meta.url)))
  child.send(probe)
  await once(child, 'message')
  return {
    async stop() {
      child.send('stop')
      const [{ waitsMs, latestMs }] = (await once(child, 'message')) as [Probed]
      child.kill()
      return { waitsMs: waitsMs.sort((a, b) => a - b), latestMs }
    },
  }
}

function watchMemory(pid: number): { stop(): { restMib: number; peakMib: number } } {
  const restMib = memoryMibOf(pid)
  let peakMib = restMib
  const look = setInterval(() => {
    peakMib = Math.max(peakMib, memoryMibOf(pid))
  }, 10)
  return {
    stop() {
      clearInterval(look)
      return { restMib, peakMib }
    },
  }
}

/** Blocked is who waits: as seen from outside, and in the server's own loop. */
function line(what: string, { tookS, turn, waitsMs, latestMs }: Figures, bare?: Figures): Line {
  const p99 = percentile(waitsMs, 0.99)
  say(
    `${what}: ${tookS.toFixed(1)} s; longest turn ${turn.ms.toFixed(0)} ms, ${turn.processorMs.toFixed(0)} of processor; ` +
      `a process that only sleeps was up to ${latestMs.toFixed(0)} ms late`,
  )
  return {
    what: `${what}: other calls wait`,
    ours: `p50 ${percentile(waitsMs, 0.5).toFixed(1)}, p99 ${p99.toFixed(0)}, longest ${waitsMs.at(-1)!.toFixed(0)} ms`,
    beside: bare
      ? `bare server p99 ${percentile(bare.waitsMs, 0.99).toFixed(0)}, longest ${bare.waitsMs.at(-1)!.toFixed(0)} ms`
      : `longest turn of the loop ${turn.ms.toFixed(0)} ms, ${turn.processorMs.toFixed(0)} of processor`,
    goal: `p99 and turn at most ${MOST_BLOCKED_MS} ms`,
    isMet: p99 <= MOST_BLOCKED_MS && turn.ms <= MOST_BLOCKED_MS,
  }
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

function memory({ restMib, peakMib }: Figures, bare: Figures): Line {
  return {
    what: `${AT_ONCE} such uploads at once: memory`,
    ours: `${peakMib.toFixed(0)} MiB, ${restMib.toFixed(0)} before`,
    beside: `bare server ${bare.peakMib.toFixed(0)} MiB`,
    goal: `under ${MOST_MIB} MiB`,
    isMet: peakMib < MOST_MIB,
  }
}
