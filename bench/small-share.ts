// Gives a process a share of one core, so that several small machines can be tried on one. Linux alone can do it, by its
// control groups, and only for root.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PERIOD_US = 20_000
const SECOND_VERSION = '/sys/fs/cgroup/cgroup.controllers'
const ROOTS = { first: '/sys/fs/cgroup/cpu', second: '/sys/fs/cgroup' }

export type Share = {
  /** Puts a process, and whatever it starts from now on, under the limit. */
  hold(pid: number): void
  /** Once all of its processes are gone. */
  remove(): void
}

/** A limit for processes that count as one machine. Undefined where that is not to be had. */
export function limitTo(cores: number, name: string): Share | undefined {
  const isSecond = existsSync(SECOND_VERSION)
  const folder = join(isSecond ? ROOTS.second : ROOTS.first, `countersign-${process.pid}-${name}`)
  const quota = Math.round(PERIOD_US * cores)
  try {
    mkdirSync(folder)
    if (isSecond) writeFileSync(join(folder, 'cpu.max'), `${quota} ${PERIOD_US}`)
    else {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US))
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota))
    }
  } catch {
    return undefined
  }
  return {
    hold: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    remove: () => rmdirSync(folder),
  }
}
