// Places where a test may end the process as a power cut would. Nothing happens unless the environment asks for it:
// COUNTERSIGN_FAILPOINT=closing:after-key@/some/file kills the process once at that point and leaves the file as its mark;
// several are separated by commas.
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Which signatures are under way: a person's, the seals at the end, or the seal of the evidence. */
export type Stage = 'signing' | 'closing' | 'evidence'
/** Every one that there is, in the order in which a signature and then the closing of its request meet them. */
export const FAILPOINTS = [
  'signing:before-key',
  'signing:after-key',
  'signing:before-file',
  'signing:after-file',
  'signing:before-event',
  'closing:before-key',
  'closing:after-key',
  'closing:before-file',
  'closing:after-file',
  'evidence:before-key',
  'evidence:after-key',
  'evidence:before-file',
  'closing:before-event',
] as const
export type Failpoint = (typeof FAILPOINTS)[number]

const marks = new Map(
  (process.env['COUNTERSIGN_FAILPOINT'] ?? '')
    .split(',')
    .map((wish) => wish.split('@') as [string, string | undefined]),
)

/** Returns at once, except where a test wants the process to die here and it has not done so yet. */
export async function failpoint(name: Failpoint): Promise<void> {
  const mark = marks.get(name)
  if (mark === undefined || !isFirstTime(mark)) return
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
