import { childrenOf, processesOf } from '../processes.ts'
import { until } from '../until.ts'

/** Sends a signal to a process that may have ended between being found and being signalled. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export const endNow = (pid: number) => signal(pid, 'SIGKILL')

/** Ends every process of an installation, also those that others start while they are being ended. */
export async function endAll(dataDir: string): Promise<void> {
  await until(
    'the processes to end',
    async () => {
      const found = processesOf(dataDir).map(({ pid }) => pid)
      for (const pid of new Set([...found, ...found.flatMap(childrenOf)])) endNow(pid)
      return found.length === 0
    },
    { withinMs: 120_000 },
  )
}
