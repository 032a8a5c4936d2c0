// What a process of ours has used so far, as the kernel tells it. A process that is busy with a hostile file can't be
// asked itself.
import { readFile } from 'node:fs/promises'

export interface ProcessUsage {
  /** All memory that it occupies: heap, buffers, stacks and code. */
  readonly memoryBytes: number
  readonly computedMs: number
}

/** Linux counts processor time for user programs in hundredths of a second, whatever the kernel itself ticks in. */
const MS_PER_TICK = 10
/** The fields of /proc/PID/stat behind the program's name: utime is the 14th of all, stime the 15th (proc(5)). */
const UTIME = 11
const STIME = 12

/** Undefined where the process is gone, and on systems without /proc. */
export async function readUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'latin1'),
      readFile(`/proc/${pid}/stat`, 'latin1'),
    ])
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
    // The name stands in parentheses and may hold anything, more of them included.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return resident === undefined
      ? undefined
      : {
          memoryBytes: Number(resident) * 1024,
          computedMs: (Number(fields[UTIME]) + Number(fields[STIME])) * MS_PER_TICK,
        }
  } catch {
    return undefined
  }
}
