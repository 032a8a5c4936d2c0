// Whether an installation holds together: the rules of its database, every document that a row names, every history, and
// the log over all of them.
import pg from 'pg'
import { historyKeys, readWholeHistory, type RequestKind } from '#features/event/index.ts'
import { auditLog, verifyHistory } from '#features/history/index.ts'
import { listTenants } from '#features/onboarding/index.ts'
import { listIsolationFaults } from '#platform/db/catalogue.ts'
import type { Platform } from '#platform/platform.ts'
import { progressOnceKnown, type Terminal } from '../command-line/terminal.ts'

export type Verified = { tenants: number; documents: number; histories: number; problems: string[] }

type Named = { tenantId: string; id: string }
type NamedHistory = Named & { requestKind: RequestKind }

/** Reads every document and every history. What is wrong is listed, not thrown. */
export async function verifyInstallation(
  platform: Platform,
  connection: pg.ClientConfig,
  { terminal, except }: { terminal: Terminal; except: ReadonlySet<string> },
): Promise<Verified> {
  const tenants = await platform.db.systemTransaction((tx) => listTenants.many(tx, {}))
  const { documents, histories, problems } = await listThings(
    connection,
    tenants.map(({ id }) => id),
  )
  const wanted = documents.filter(({ tenantId, id }) => !except.has(`${tenantId}/${id}`))
  const bar = terminal.progress('Verifying', wanted.length + histories.length)
  for (const document of wanted) {
    problems.push(
      ...(await problemOf(`document ${document.id}`, () => platform.blobs.verify(document.tenantId, document.id))),
    )
    bar.add(1)
  }
  for (const history of histories) {
    problems.push(...(await problemOf(`history of ${history.id}`, () => checkHistory(platform, history))))
    bar.add(1)
  }
  bar.done()
  problems.push(...(await auditEvents(platform, terminal)))
  return { tenants: tenants.length, documents: wanted.length, histories: histories.length, problems }
}

async function problemOf(what: string, check: () => Promise<void>): Promise<string[]> {
  try {
    await check()
    return []
  } catch (error) {
    return [`${what}: ${(error as Error).message}`]
  }
}

async function auditEvents({ db, keyring }: Platform, terminal: Terminal): Promise<string[]> {
  const bar = progressOnceKnown(terminal, 'Log      ')
  const keys = historyKeys(keyring).map(({ publicKey }) => publicKey)
  const { problems } = await auditLog({ db, keys, onPlaces: bar.add })
  bar.done()
  return problems
}

async function checkHistory(
  { db, keyring }: Platform,
  { tenantId, id: requestId, requestKind }: NamedHistory,
): Promise<void> {
  const history = await db.transaction(tenantId, (tx) =>
    readWholeHistory(tx, { tenantId, requestId, requestKind, keyring }),
  )
  // As it would travel: moments as texts.
  const page = JSON.parse(JSON.stringify(history)) as typeof history
  const verdict = verifyHistory(page, page.head.keys)
  if (!verdict.isIntact) throw new Error(verdict.problem)
}

async function listThings(connection: pg.ClientConfig, tenantIds: readonly string[]) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin read only')
    const problems = await listIsolationFaults(client)
    const [documents, histories]: [Named[], NamedHistory[]] = [[], []]
    for (const tenantId of tenantIds) {
      await client.query(`select set_config('app.tenant', $1, true)`, [tenantId])
      const ask = async <T>(sql: string) => (await client.query(sql, [tenantId])).rows as T[]
      documents.push(
        ...(await ask<Named>(`select distinct tenant_id as "tenantId", encode(sha256, 'hex') as id from stored_document
                        where tenant_id = $1`)),
      )
      histories.push(
        ...(await ask<NamedHistory>(`select tenant_id as "tenantId", request_id as id, request_kind as "requestKind"
                                    from event_chain where tenant_id = $1`)),
      )
    }
    await client.query('commit')
    return { documents, histories, problems }
  } finally {
    await client.end()
  }
}
