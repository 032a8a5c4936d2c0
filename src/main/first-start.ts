// The first start makes a tenant, its administrator and a key, so that a newcomer can call the API at once.
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import { listTenants } from '#features/onboarding/tenant-statements.ts'
import { hashPassword, requireGoodPassword } from '#platform/auth/passwords.ts'
import type { Config } from '#platform/config/config.ts'
import { openDatabase } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'

export const FIRST_START_FILE = 'first-start.txt'

export type FirstStart = {
  /** Where what was made is written down; undefined once somebody has deleted it. */
  file: string | undefined
  /** Only on the very first start. */
  made: { tenantId: string; login: string; password: string; key: string } | undefined
}

/** Makes the first tenant where there is none; two processes that start at once make one between them. */
export async function ensureFirstTenant(connection: PoolConfig, config: Config, now: Date): Promise<FirstStart> {
  const isSpread = config.isDatabaseSpread
  const role = 'countersign_request'
  const db = openDatabase({ connection, role, poolSize: 1, isSpread, onConnectionError: () => {} })
  const file = join(config.dataDir, FIRST_START_FILE)
  try {
    const tenants = await db.systemTransaction((tx) => listTenants.many(tx, {}))
    if (tenants.length > 0) return { file: existsSync(file) ? file : undefined, made: undefined }

    // Loaded here: all later starts are quicker without it.
    const { createTenant } = await import('#features/onboarding/index.ts')
    const login = config.firstStart.adminEmail ?? 'admin@countersign.local'
    const password = config.firstStart.adminPassword ?? randomBytes(12).toString('base64url')
    requireGoodPassword(password, 'COUNTERSIGN_ADMIN_PASSWORD')
    const passwordHash = await hashPassword(password)
    const tenantId = newId()
    const { key } = await db.transaction(tenantId, (tx) =>
      createTenant(tx, {
        tenantId,
        name: 'My organisation',
        administrator: { email: login, passwordHash },
        primaryKey: config.firstStart.subscriptionKey,
        now,
      }),
    )
    const made = { tenantId, login, password, key: key.primaryKey }
    writeDown(file, made)
    return { file, made }
  } finally {
    await db.close()
  }
}

function writeDown(file: string, { tenantId, login, password, key }: NonNullable<FirstStart['made']>): void {
  const fd = openSync(file, 'w', 0o600)
  writeSync(
    fd,
    `Made at the first start of Countersign. Keep it in a safe place and delete this file.\n\n` +
      `tenant            ${tenantId}\nlogin             ${login}\npassword          ${password}\nsubscription key  ${key}\n`,
  )
  fsyncSync(fd)
  closeSync(fd)
}
