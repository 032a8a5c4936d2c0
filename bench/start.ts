// How long it takes until everything is up, on an empty data directory and on one that is there already, beside the
// database's own start, which nothing can be faster than; and what the processes take of memory when nothing happens.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts'
import { startService } from './service.ts'
import type { Line } from './table.ts'

const SETTLED_AFTER_MS = 3_000
const MOST_SECONDS = 5

/** Seconds on an empty data directory, and on the same one again. */
type Starts = [first: number, again: number]

export async function measureStart(): Promise<Line[]> {
  const { starts, memory } = await inFolder(startTwice)
  const database = await inFolder(startDatabaseTwice)
  return [
    startLine('start on an empty data directory', starts[0], database[0]),
    startLine('start again', starts[1], database[1]),
    { what: 'memory at rest, all processes', ours: `${memory.totalMib.toFixed(0)} MiB`, beside: memory.parts },
  ]
}

function startLine(what: string, seconds: number, databaseSeconds: number): Line {
  return {
    what,
    ours: `${seconds.toFixed(1)} s`,
    beside: `its database alone ${databaseSeconds.toFixed(1)} s`,
    goal: `at most ${MOST_SECONDS} s`,
    isMet: seconds <= MOST_SECONDS,
  }
}

async function inFolder<T>(measure: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join('/tmp', 'countersign-bench-start-'))
  try {
    return await measure(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startTwice(folder: string) {
  const first = await startService(folder)
  await first.stop()
  const second = await startService(folder)
  await sleep(SETTLED_AFTER_MS)
  const memory = second.memory()
  await second.stop()
  const starts: Starts = [first.tookS, second.tookS]
  return { starts, memory }
}

async function startDatabaseTwice(dataDir: string): Promise<Starts> {
  const start = async () => {
    const startedAt = performance.now()
    const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
    const seconds = (performance.now() - startedAt) / 1000
    await server.stop()
    return seconds
  }
  return [await start(), await start()]
}
