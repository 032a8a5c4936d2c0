// Places where a test may end the process as a power cut would. Nothing happens unless the environment asks for it:
// COUNTERSIGN_FAILPOINT=after-key@/some/file kills the process once at that point and leaves the file as its mark.
import { openSync, closeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export type Failpoint = 'before-key' | 'after-key' | 'before-file' | 'after-file' | 'before-event'

const [wanted, mark] = (process.env['COUNTERSIGN_FAILPOINT'] ?? '').split('@')

/** Returns at once, except where this is the point at which a test wants the process to die. */
export async function failpoint(name: Failpoint): Promise<void> {
  if (name !== wanted || mark === undefined || !isFirstTime(mark)) return
  process.kill(process.pid, 'SIGKILL')
  await sleep(60_000)
}

function isFirstTime(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch {
    return false
  }
}
