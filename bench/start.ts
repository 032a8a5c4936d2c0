// How long it takes until a call is answered, on an empty data directory and on one that is there already, and what the
// processes take of memory when nothing happens.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { childrenOf, memoryMibOf } from './processor-time.ts'
import type { Line } from './table.ts'

const PORT = 18_080
const SETTLED_AFTER_MS = 3_000

export async function measureStart(): Promise<Line[]> {
  const folder = mkdtempSync(join('/tmp', 'countersign-bench-start-'))
  try {
    const first = await start(folder)
    await stop(first.child)
    const second = await start(folder)
    await sleep(SETTLED_AFTER_MS)
    const atRest = memoryByPart(second.child.pid!)
    await stop(second.child)
    return [
      { what: 'start on an empty data directory', ours: `${first.tookS.toFixed(1)} s`, goal: 'a few seconds' },
      { what: 'start again', ours: `${second.tookS.toFixed(1)} s` },
      { what: 'memory at rest', ours: `${atRest.totalMib.toFixed(0)} MiB`, beside: atRest.parts },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(folder: string): Promise<{ child: ChildProcess; tookS: number }> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL('../bin/start.js', import.meta.url))], {
    env: { ...process.env, COUNTERSIGN_DATA: folder, COUNTERSIGN_PORT: String(PORT), COUNTERSIGN_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    await sleep(20)
  }
  return { child, tookS: (performance.now() - startedAt) / 1000 }
}

async function isReady(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${PORT}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Of a process and all below it. Shared memory of the database counts once for each of its processes that touched it. */
function memoryByPart(pid: number): { totalMib: number; parts: string } {
  const all = [pid, ...descendantsOf(pid)].map((each) => ({ name: nameOf(each), mib: memoryMibOf(each) }))
  const byName = Map.groupBy(all, ({ name }) => name)
  const sum = (some: { mib: number }[]) => some.reduce((total, { mib }) => total + mib, 0)
  const parts = [...byName].map(([name, some]) => `${name} ${sum(some).toFixed(0)}`).join(', ')
  return { totalMib: sum(all), parts }
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

function nameOf(pid: number): string {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  return /(\w+)\.[jt]s/.exec(command)?.[1] ?? (command.includes('postgres') ? 'postgres' : 'other')
}
