// Documents of 25 MiB inside JSON: how long other calls wait meanwhile, and how much memory sixteen at once take. Large
// bodies keep two cores and the disk busy, and everybody waits for those: so a bare server that gets no upload is asked the
// same small question all the while. What calls wait beyond its own is our doing, and so is the processor's time that one
// turn of our event loop takes; what that turn lasts by the clock is also how long others had the processor.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { makeCreationBodies } from './creation.ts'
import { memoryMibOf } from './processor-time.ts'
import type { LongestTurn } from './servers/messages.ts'
import type { Probe, Probed, Wait } from './servers/prober.ts'
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
    const bare = await upload(bench, await theirs(bench, target), AT_ONCE)
    return [
      line('one upload of 25 MiB in Base64', alone),
      line(`${AT_ONCE} such uploads at once`, many, bare),
      memory(many, bare),
    ]
  } finally {
    await bench.close()
  }
}

type Target = { server: string; origin: string; smallCall: string; control: string }

/** Asks the same database the same, on the same machine, and gets no upload. */
const CONTROL = 'bare-read'

async function ours(bench: Bench): Promise<Target> {
  const server = 'countersign'
  const control = `${await bench.startServer(CONTROL)}/profile/${bench.userId}`
  return { server, origin: await bench.startServer(server), smallCall: `/user/profile/${bench.userId}`, control }
}

/** The limit: a server that takes the whole body and parses it. */
async function theirs(bench: Bench, { control }: Target): Promise<Target> {
  const server = 'bare-create'
  return { server, origin: await bench.startServer(server), smallCall: '/', control }
}

/** In rising order: of the server that gets the uploads, and of the control at the same time. */
type Waits = { waitsMs: number[]; controlMs: number[] }

type Figures = Waits & { tookS: number; turn: LongestTurn; restMib: number; peakMib: number }

async function upload(bench: Bench, { server, origin, smallCall, control }: Target, atOnce: number): Promise<Figures> {
  const { headers } = bench
  const nextBody = makeCreationBodies(25 * MIB - 1024)
  const bodies = Array.from({ length: atOnce }, nextBody)
  const agent = new Agent({ connections: atOnce })
  const prober = await startProber({ urls: { server: origin + smallCall, control }, headers })
  const watch = watchMemory(bench.pidOf(server))
  await bench.ask(server, 'watch the loop')
  const from = now()
  await Promise.all(
    bodies.map(async (body) => {
      const url = `${origin}/onestepsigning/signaturerequest`
      const reply = await request(url, { method: 'POST', headers, body, dispatcher: agent })
      const text = await reply.body.text()
      if (reply.statusCode !== 202) throw new Error(`an upload was answered ${reply.statusCode} ${text}`)
    }),
  )
  const to = now()
  const turn = (await bench.ask(server, 'tell the longest turn')) as LongestTurn
  const probed = await prober.stop()
  await agent.close()
  return { tookS: (to - from) / 1000, turn, ...compare(probed, { from, to }), ...watch.stop() }
}

const now = () => performance.timeOrigin + performance.now()

/** The calls that were under way while the bodies were. */
function compare({ server = [], control = [] }: Probed, uploading: Wait): Waits {
  const during = (waits: readonly Wait[]) =>
    waits
      .filter((wait) => wait.from < uploading.to && uploading.from < wait.to)
      .map(({ from, to }) => to - from)
      .sort((a, b) => a - b)
  return { waitsMs: during(server), controlMs: during(control) }
}

async function startProber(probe: Probe): Promise<{ stop(): Promise<Probed> }> {
  const child = fork(fileURLToPath(new URL('./servers/prober.ts', import.meta.url)))
  child.send(probe)
  await once(child, 'message')
  return {
    async stop() {
      child.send('stop')
      const [probed] = (await once(child, 'message')) as [Probed]
      child.kill()
      return probed
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

/** Blocked is who waits longer than the machine makes everybody wait. */
function line(what: string, { tookS, turn, waitsMs, controlMs }: Figures, bare?: Figures): Line {
  say(
    `${what}: ${tookS.toFixed(1)} s, ${waitsMs.length} other calls; longest turn ${turn.ms.toFixed(0)} ms by the clock, ` +
      `${turn.processorMs.toFixed(0)} of processor${bare ? `; beside a bare server that takes them ${describe(bare.waitsMs)}` : ''}`,
  )
  const beyondMs = Math.max(
    percentile(waitsMs, 0.99) - percentile(controlMs, 0.99),
    waitsMs.at(-1)! - controlMs.at(-1)!,
  )
  return {
    what: `${what}: other calls wait`,
    ours: `p50 ${percentile(waitsMs, 0.5).toFixed(1)}, ${describe(waitsMs)}; a turn ${turn.processorMs.toFixed(0)} ms of processor`,
    beside: `a bare server that gets none ${describe(controlMs)}`,
    goal: `at most ${MOST_BLOCKED_MS} ms more, a turn ${MOST_BLOCKED_MS}`,
    isMet: Math.max(beyondMs, turn.processorMs) <= MOST_BLOCKED_MS,
  }
}

const describe = (waitsMs: readonly number[]) =>
  `p99 ${percentile(waitsMs, 0.99).toFixed(0)}, longest ${waitsMs.at(-1)!.toFixed(0)} ms`

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
