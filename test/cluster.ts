// The database server of the tests: one for all files that a process runs, on throw-away data. Each file makes databases
// of its own in it.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lockDirectory } from '#platform/db/embedded/directory-lock.ts'
import { type Connection, startEmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts'
import { endServerSync } from '#platform/db/embedded/leftover-server.ts'

export type TestCluster = {
  connection: Connection
  /** Connects `pg` as the owner of everything. */
  ownerUrl: string
}

export const TEST_CLUSTER_VARIABLE = 'COUNTERSIGN_TEST_CLUSTER'

// Not the system's temporary folder: TMPDIR may be too long for a socket, or closed to the database user.
const PARENT = '/tmp'
const PREFIX = 'countersign-test-'
const YOUNG_MS = 60_000

/**
 * Starts the server. It ends with the process; `stop` ends it sooner, and does so before it returns: with
 * --test-force-exit the process does not wait for an asynchronous teardown.
 */
export async function startTestCluster(): Promise<{ cluster: TestCluster; stop: () => void }> {
  await removeAbandoned()
  const folder = mkdtempSync(join(PARENT, PREFIX))
  const { connection, ownerUrl, clusterDir } = await startEmbeddedPostgres({
    dataDir: folder,
    durability: 'tests',
    log: console.error,
  })
  const stop = () => {
    process.off('exit', stop)
    endServerSync(clusterDir)
    remove(folder)
  }
  process.once('exit', stop)
  return { cluster: { connection, ownerUrl }, stop }
}

/** The server of this test run, as the global setup left it in the environment. */
export function getTestCluster(): TestCluster {
  const text = process.env[TEST_CLUSTER_VARIABLE]
  if (text === undefined) throw new Error('There is no test cluster: run the tests with npm test.')
  return JSON.parse(text) as TestCluster
}

/** Ends and removes what a test run left behind that was killed. */
async function removeAbandoned(): Promise<void> {
  const folders = readdirSync(PARENT).filter((name) => name.startsWith(PREFIX))
  for (const folder of folders.map((name) => join(PARENT, name))) {
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found === undefined || found.uid !== process.getuid?.()) continue
    // Between making its folder and locking it, another run looks abandoned.
    if (found.mtimeMs > Date.now() - YOUNG_MS) continue
    const lock = await lockDirectory(folder).catch(() => undefined)
    if (lock === undefined) continue
    endServerSync(join(folder, 'pg', 'data'))
    remove(folder)
    await lock.release()
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
