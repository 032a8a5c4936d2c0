// What processes have used of the processors. On a busy machine this says more than the clock on the wall.
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

const TICK_MS = 10

/** Milliseconds that a process has used so far, in its own code and in the kernel's. */
export function processorMsOf(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** The same for a database server with all its processes, those that have ended too. */
export function processorMsOfDatabase(serverPid: number): number {
  const ended = statOf(serverPid)
  const endedMs = (Number(ended[13]) + Number(ended[14])) * TICK_MS
  return childrenOf(serverPid).reduce((sum, pid) => sum + msOfChild(pid), processorMsOf(serverPid) + endedMs)
}

/** One that has ended meanwhile is counted with the server the next time. */
function msOfChild(pid: number): number {
  try {
    return processorMsOf(pid)
  } catch {
    return 0
  }
}

/** The process that all of a connection's siblings descend from. */
export async function findDatabaseServer(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return Number(statOf(rows[0]!.pid)[1])
}

/** What a process takes of memory at this moment. */
export function memoryMibOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

/** Every process that one has started and that still runs. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((candidate) => candidate > 0 && isChild(candidate, pid))
}

function isChild(pid: number, parent: number): boolean {
  try {
    return Number(statOf(pid)[1]) === parent
  } catch {
    return false // it has ended meanwhile
  }
}

/** The fields of proc(5) stat from the third on: the second, the name, may contain spaces. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
