// The first start makes a tenant, its administrator and a key, so that a newcomer can call the API at once.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import { listTenants, waitForOtherFirstStarts } from '#features/onboarding/tenant-statements.ts'
import { hashPassword, requireGoodPassword } from '#platform/auth/passwords.ts'
import type { Config } from '#platform/config/config.ts'
import { openDatabase, type Database } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { writeLasting } from './lasting-file.ts'

export const FIRST_START_FILE = 'first-start.txt'

export type FirstStart = {
  /** Where what was made is written down; undefined once somebody has deleted it. */
  file: string | undefined
  /** Only on the very first start. */
  made: { tenantId: string; login: string; password: string; key: string } | undefined
}

type Made = NonNullable<FirstStart['made']>

/** Makes the first tenant where there is none; two processes that start at once make one between them. */
export async function ensureFirstTenant(connection: PoolConfig, config: Config, now: Date): Promise<FirstStart> {
  const isSpread = config.isDatabaseSpread
  const role = 'countersign_request'
  const db = openDatabase({ connection, role, poolSize: 1, isSpread, onConnectionError: () => {} })
  const file = join(config.dataDir, FIRST_START_FILE)
  try {
    const tenants = await db.systemTransaction((tx) => listTenants.many(tx, {}))
    const made = tenants.length === 0 ? await makeFirstTenant(db, { config, file, now }) : undefined
    return { file: existsSync(file) ? file : undefined, made }
  } finally {
    await db.close()
  }
}

async function makeFirstTenant(
  db: Database,
  { config, file, now }: { config: Config; file: string; now: Date },
): Promise<Made | undefined> {
  // Loaded here: all later starts are quicker without it.
  const { createTenant } = await import('#features/onboarding/index.ts')
  const login = config.firstStart.adminEmail ?? 'admin@countersign.local'
  const password = config.firstStart.adminPassword ?? randomBytes(12).toString('base64url')
  requireGoodPassword(password, 'COUNTERSIGN_ADMIN_PASSWORD')
  const administrator = { email: login, passwordHash: await hashPassword(password) }
  const primaryKey = config.firstStart.subscriptionKey
  const tenantId = newId()
  return db.transaction(tenantId, async (tx) => {
    await waitForOtherFirstStarts.one(tx, {})
    if ((await listTenants.many(tx, {})).length > 0) return undefined
    const { key } = await createTenant(tx, { tenantId, name: 'My organisation', administrator, primaryKey, now })
    const made = { tenantId, login, password, key: key.primaryKey }
    // Before the commit: nobody could use a tenant whose password and key went down with us. Without the commit the next
    // start finds no tenant, makes one and writes the file again.
    writeDown(file, made)
    return made
  })
}

function writeDown(file: string, { tenantId, login, password, key }: Made): void {
  const text =
    `Made at the first start of Countersign. Keep it in a safe place and delete this file.\n\n` +
    `tenant            ${tenantId}\nlogin             ${login}\npassword          ${password}\nsubscription key  ${key}\n`
  try {
    writeLasting(file, text)
  } catch (cause) {
    throw new Error(`${file} can't be written`, { cause })
  }
}
