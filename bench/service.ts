// The whole service, started as a newcomer starts it: database, server and worker in processes of their own.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { childrenOf, memoryMibOf } from './processor-time.ts'

/** What the service says of itself once everything is up; the rest only on the first start. */
type Welcome = { url: string; made: { login: string; password: string; key: string } | null }

export type Service = Welcome & { tookS: number; memory(): Memory; stop(): Promise<void> }

/** Shared memory of the database counts once for each of its processes that touched it. */
export type Memory = { totalMib: number; parts: string }

/** Starts it on a data directory, and answers once server and worker are up. */
export async function startService(folder: string, settings: Record<string, string> = {}): Promise<Service> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL('../bin/start.js', import.meta.url)), '--json'], {
    env: {
      ...process.env,
      COUNTERSIGN_DATA: folder,
      COUNTERSIGN_PORT: '0',
      COUNTERSIGN_LOG_LEVEL: 'silent',
      COUNTERSIGN_INVITATIONS_PER_DAY: '1000000000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const welcome = await readWelcome(child)
  const tookS = (performance.now() - startedAt) / 1000
  return { ...welcome, tookS, memory: () => memoryByPart(child.pid!), stop: () => stop(child) }
}

async function readWelcome(child: ChildProcess): Promise<Welcome> {
  for await (const line of createInterface(child.stdout!)) return JSON.parse(line) as Welcome
  throw new Error(`the service ended with ${child.exitCode}`)
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Of a process and all below it. */
function memoryByPart(pid: number): Memory {
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
