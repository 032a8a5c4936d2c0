// How much processes have worked, from /proc: on a machine that others use as well, rates say less than that.
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second; Linux has the same everywhere. */
const TICKS = 100

type Stat = { parent: number; ticks: number }

function readStat(pid: number | string): Stat | undefined {
  try {
    // The name of the program stands in brackets and may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return undefined
  }
}

/** Milliseconds that a process has worked. A database works in processes of its own, below the first. */
export function workOf(pid: number): number {
  const isOwn = pid === process.pid
  const children = isOwn
    ? []
    : readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readStat(name)?.parent === pid)
  return ([pid, ...children].reduce<number>((sum, one) => sum + (readStat(one)?.ticks ?? 0), 0) * 1000) / TICKS
}

export function parentOf(pid: number): number {
  return readStat(pid)!.parent
}
