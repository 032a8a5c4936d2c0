import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { historyKeys } from '#features/event/index.ts'
import { auditLog } from '#features/history/index.ts'
import type { Config } from '#platform/config/config.ts'
import { openDatabase } from '#platform/db/database.ts'
import { startEmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts'
import { makeKeyring } from '#platform/secrets/keyring.ts'
import { readConfigOrExit, type Installation } from './process.ts'
import { readOrMakeSecretKey } from './secret-key.ts'

/** The exit code: 0 intact, 1 not, 2 asked wrongly. */
export async function auditHistory(args: string[], say: (line: string) => void): Promise<number> {
  const config = readConfigOrExit()
  let kept: string | undefined
  let opened: Opened
  try {
    const { values } = parseArgs({ args: args.slice(1), options: { checkpoint: { type: 'string' } } })
    kept = values.checkpoint === undefined ? undefined : readFileSync(values.checkpoint, 'utf8')
    opened = await openInstallation(config)
  } catch (error) {
    say(`countersign: ${(error as Error).message}`)
    return 2
  }
  try {
    return await audit(opened, { kept, config, say })
  } finally {
    await opened.close()
  }
}

async function audit(
  { connection, secretKey }: Installation,
  { kept, config, say }: { kept: string | undefined; config: Config; say: (line: string) => void },
): Promise<number> {
  const db = openDatabase({ connection, role: 'countersign_worker', poolSize: 1, onConnectionError: () => {} })
  const keys = historyKeys(makeKeyring(secretKey, config.previousSecretKey)).map(({ publicKey }) => publicKey)
  const { events, stamped, problems } = await auditLog({ db, keys, kept }).finally(() => db.close())
  for (const problem of problems) say(`Not intact: ${problem}`)
  if (problems.length > 0) return 1
  say(`Intact: ${events} events are what was logged, and ${stamped} timestamped checkpoints agree.`)
  if (kept === undefined)
    say('Whether the log was put back to an earlier end only a kept checkpoint tells; see --checkpoint.')
  return 0
}

type Opened = Installation & { close(): Promise<void> }

/** The database that is configured; or the embedded one, which must not be running. */
async function openInstallation({ databaseUrl, secretKey, dataDir }: Config): Promise<Opened> {
  if (databaseUrl !== undefined) {
    return { connection: { connectionString: databaseUrl }, secretKey: secretKey!, close: async () => {} }
  }
  if (!existsSync(join(dataDir, 'secret.key')))
    throw new Error(`${dataDir} holds no installation; see COUNTERSIGN_DATA`)
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  return {
    connection: postgres.connection,
    secretKey: secretKey ?? readOrMakeSecretKey(dataDir),
    close: () => postgres.stop(),
  }
}
