/** Sends a signal to a process that may have ended between being found and being signalled. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export const endNow = (pid: number) => signal(pid, 'SIGKILL')
