// What is killed, and how the service comes back from it.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from '../installation.ts'
import { childrenOf, processesOf, untilGone } from '../processes.ts'

/** Parts that the supervisor starts again by itself, and everything, after which a person types `npm start` again. */
export const KILLS = ['serve', 'work', 'postgres', 'everything'] as const
export type Kill = (typeof KILLS)[number]

const BACK_WITHIN_MS = 20_000

/** Kills with SIGKILL, waits until the service is ready again, and answers with how long that took. */
export async function killAndRecover(installation: Installation, kill: Kill): Promise<number> {
  const { dataDir } = installation
  const before = processesOf(dataDir)
  const victims = before.filter(({ command }) => isMeant(kill, command)).map(({ pid }) => pid)
  assert.ok(victims.length > 0, `nothing to kill for ${kill} among ${JSON.stringify(before)}`)
  const backends = kill === 'everything' ? victims.flatMap(childrenOf) : []
  const startedAt = performance.now()
  for (const pid of new Set([...victims, ...backends])) endNow(pid)
  if (kill === 'everything') {
    await untilGone(dataDir)
    await installation.start()
  }
  await untilReady(installation, kill, victims)
  return performance.now() - startedAt
}

/** Ends every process of the installation, in whatever state the test left it. */
export async function endEverything(dataDir: string): Promise<void> {
  for (const { pid } of processesOf(dataDir)) endNow(pid)
  await untilGone(dataDir)
}

function isMeant(kill: Kill, command: string): boolean {
  if (kill === 'everything') return true
  return kill === 'postgres' ? /\bpostgres\b.* -D/.test(command) : command.includes(`${kill}.ts`)
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It has ended between being found and being killed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function untilReady({ dataDir, call }: Installation, kill: Kill, victims: number[]): Promise<void> {
  for (const end = performance.now() + BACK_WITHIN_MS; ; await sleep(25)) {
    const isRunning = (name: Kill) =>
      processesOf(dataDir).some(({ pid, command }) => isMeant(name, command) && !victims.includes(pid))
    // First the database: a backend of the old one may still answer for a while before it notices that it is alone.
    const isBack = isRunning('postgres') && isRunning('serve') && isRunning('work')
    const isReady = await call('GET', '/readyz').then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isBack && isReady) return
    assert.ok(performance.now() < end, `it was not ready again after the kill of ${kill}`)
  }
}
