// The processes of an installation, found where the kernel lists them.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export type Process = { pid: number; command: string }

/** Processes that belong to the installation: ours by their environment, PostgreSQL's by its data directory. */
export function processesOf(dataDir: string): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = commandOf(name)
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8')
        const isOurs = environment.includes(`COUNTERSIGN_DATA=${dataDir}\0`) || command.includes(dataDir)
        return isOurs && command !== '' ? [{ pid: Number(name), command }] : []
      } catch {
        return []
      }
    })
}

function commandOf(pid: string | number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
}

/** Of PostgreSQL's processes those that serve a connection, which says where it comes from in its title. */
export function connectionsAmong(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      return /^postgres: .*(\[local\]|\(\d+\)) /.test(commandOf(pid))
    } catch {
      return false
    }
  })
}

export async function untilGone(dataDir: string, isMeant = (_command: string) => true): Promise<void> {
  const left = () => processesOf(dataDir).filter(({ command }) => isMeant(command))
  for (const end = performance.now() + 180_000; left().length > 0; await sleep(50)) {
    assert.ok(performance.now() < end, `still there: ${JSON.stringify(left())}`)
  }
}

/** The children of a process, which PostgreSQL's backends are known by. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === parent)
    .map(Number)
}

/** What this process has started and what runs this program. */
export function ownChildren(program: string): number[] {
  return childrenOf(process.pid).filter((pid) => commandOf(pid).includes(program))
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}
