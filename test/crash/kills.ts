// What is killed, and how the service comes back from it.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from '../installation.ts'
import { processesOf } from '../processes.ts'
import { endAll, endNow } from './signals.ts'

/** Parts that the supervisor starts again by itself, and everything, after which a person types `npm start` again. */
export const KILLS = ['serve', 'work', 'postgres', 'everything'] as const
export type Kill = (typeof KILLS)[number]

const BACK_WITHIN_MS = 240_000

/** Kills with SIGKILL, waits until the service is ready again, and answers with how long that took. */
export async function killAndRecover(installation: Installation, kill: Kill): Promise<number> {
  const { dataDir } = installation
  const before = processesOf(dataDir)
  const victims = before.filter(({ command }) => isMeant(kill, command)).map(({ pid }) => pid)
  assert.ok(victims.length > 0, `nothing to kill for ${kill} among ${JSON.stringify(before)}`)
  const startedAt = performance.now()
  if (kill === 'everything') {
    await endAll(dataDir)
    await installation.start()
  } else {
    for (const pid of victims) endNow(pid)
  }
  await untilReady(installation, kill, victims)
  return performance.now() - startedAt
}

function isMeant(kill: Kill, command: string): boolean {
  if (kill === 'everything') return true
  return kill === 'postgres' ? /\bpostgres\b.* -D/.test(command) : command.includes(`${kill}.ts`)
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
