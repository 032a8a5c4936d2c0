// Documents of 25 MiB inside JSON: how long other calls wait meanwhile, and how much memory sixteen at once take.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { makeCreationBodies } from './creation.ts'
import { memoryMibOf } from './processor-time.ts'
import type { LongestTurn } from './servers/messages.ts'
import type { Probe } from './servers/prober.ts'
import { say, type Line } from './table.ts'
import { openBench, type Bench } from './workbench.ts'

const MIB = 1024 * 1024
const AT_ONCE = 16
const MOST_BLOCKED_MS = 50
const MOST_MIB = 1024

export async function measureUploads(): Promise<Line[]> {
  const bench = await openBench()
  try {
    const origin = await bench.startServer('countersign')
    const alone = await upload(bench, origin, { atOnce: 1 })
    const many = await upload(bench, origin, { atOnce: AT_ONCE })
    return [line('one upload of 25 MiB in Base64', alone), line(`${AT_ONCE} such uploads at once`, many), memory(many)]
  } finally {
    await bench.close()
  }
}

type Figures = { tookS: number; turn: LongestTurn; waitsMs: number[]; restMib: number; peakMib: number }

async function upload(bench: Bench, origin: string, { atOnce }: { atOnce: number }): Promise<Figures> {
  const { headers } = bench
  const nextBody = makeCreationBodies(25 * MIB - 1024)
  const bodies = Array.from({ length: atOnce }, nextBody)
  const agent = new Agent({ connections: atOnce })
  const prober = await startProber({ url: `${origin}/user/profile/${bench.userId}`, headers })
  const watch = watchMemory(bench.pidOf('countersign'))
  await bench.ask('countersign', 'watch the loop')
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
  const turn = (await bench.ask('countersign', 'tell the longest turn')) as LongestTurn
  const waitsMs = await prober.stop()
  await agent.close()
  return { tookS, turn, waitsMs, ...watch.stop() }
}

async function startProber(probe: Probe): Promise<{ stop(): Promise<number[]> }> {
  const child = fork(fileURLToPath(new URL('./servers/prober.ts', import.meta.url)))
  child.send(probe)
  await once(child, 'message')
  return {
    async stop() {
      child.send('stop')
      const [waitsMs] = (await once(child, 'message')) as [number[]]
      child.kill()
      return waitsMs.sort((a, b) => a - b)
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

function line(what: string, { tookS, turn, waitsMs }: Figures): Line {
  const at = (share: number) => waitsMs[Math.min(waitsMs.length - 1, Math.floor(waitsMs.length * share))]!.toFixed(1)
  say(`${what}: ${tookS.toFixed(1)} s`)
  return {
    what: `${what}: others are blocked`,
    ours: `${turn.ms.toFixed(0)} ms at most, ${turn.processorMs.toFixed(0)} of processor`,
    beside: `their calls: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms`,
    goal: `at most ${MOST_BLOCKED_MS} ms`,
    isMet: turn.ms <= MOST_BLOCKED_MS,
  }
}

function memory({ restMib, peakMib }: Figures): Line {
  return {
    what: `${AT_ONCE} such uploads at once: memory`,
    ours: `${peakMib.toFixed(0)} MiB`,
    beside: `${restMib.toFixed(0)} MiB before`,
    goal: `under ${MOST_MIB} MiB`,
    isMet: peakMib < MOST_MIB,
  }
}
