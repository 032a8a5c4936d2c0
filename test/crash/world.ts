// Everything that the invariants are held against, as of one moment: what the clients were told, the rows of the
// database, the files, what arrived outside, and how the processes ended.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { historyKeys } from '#features/event/index.ts'
import { auditLog } from '#features/history/index.ts'
import { openLocalPlatform } from '#main/local-installation.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import type { ValidationReport } from '#pades/validate/report.ts'
import type { Platform } from '#platform/platform.ts'
import type { ReceivedMail } from '../fakes/mail-server.ts'
import type { Received } from '../fakes/webhook-receiver.ts'
import type { Death, Deployment } from './deployment/deployment.ts'
import type { Ledger } from './ledger.ts'
import { readRows, type Rows } from './rows.ts'
import type { Surroundings } from './surroundings.ts'
import type { Tenant } from './tenants.ts'
import { readTexts, type TableText } from './texts.ts'

/** Tenant, two letters, hash. */
const BLOBS = '*-*/??/*'

/** A file of the store: its bytes hash to `sha256`, whatever its name says. */
export type StoredFile = { tenantId: string; name: string; sha256: string; bytes: Buffer }

export type World = {
  ledger: Ledger
  tenants: readonly Tenant[]
  rows: Rows
  /** What is written in any table, also in those whose rows are not looked at; nothing as long as nobody was erased. */
  texts: readonly TableText[]
  /** By tenant and name. */
  files: Map<string, StoredFile>
  /** Files that were begun and neither kept nor discarded; undefined where they lie in a bucket. */
  staged: string[] | undefined
  /** What our validator says about each file that is signed, by its hash. */
  signed: Map<string, ValidationReport>
  /** All that has arrived; the receivers were asked after the database. */
  received: readonly Received[]
  mails: readonly ReceivedMail[]
  /** What had arrived before the database was read, and so must be in it. */
  arrivedBefore: { received: readonly Received[]; mails: readonly ReceivedMail[]; files: ReadonlySet<string> }
  deaths: readonly Death[]
  /** What is wrong with the log over all events. */
  logProblems: string[]
  eventsInLog: number
  /** Sessions of the database that hold a transaction or an advisory lock although nothing runs. */
  held: string[]
  /** The load has stopped, all faults are healed, and the worker had time to finish. */
  isAtRest: boolean
}

export type Sources = {
  deployment: Deployment
  surroundings: Surroundings
  tenants: readonly Tenant[]
  ledger: Ledger
}

/**
 * Reads worlds of one installation. What was judged once is remembered by the hash of the bytes; the bytes themselves are read
 * every time, because a disk that has lost its power may have lost what was read from it before.
 */
export class WorldReader {
  readonly #sources: Sources
  readonly #reports = new Map<string, ValidationReport>()

  constructor(sources: Sources) {
    this.#sources = sources
  }

  async read({ isAtRest }: { isAtRest: boolean }): Promise<World> {
    const { deployment, surroundings, tenants, ledger } = this.#sources
    const { platform, connection, close } = await openLocalPlatform(deployment.environment, 'countersign_worker')
    const { receiver, mail } = surroundings
    const arrived = { received: [...receiver.received], mails: [...mail.received], names: this.#listNames() }
    try {
      const { rows, texts, held } = await readDatabase(connection, { withTexts: ledger.erased.length > 0 })
      const audit = await auditLog({ db: platform.db, keys: historyKeys(platform.keyring).map((key) => key.publicKey) })
      const files = await this.#readFiles(platform, rows)
      return {
        ledger,
        tenants,
        rows,
        texts,
        files,
        staged: this.#listStaged(),
        signed: await this.#judgeSigned(connection, files),
        received: [...receiver.received],
        mails: [...mail.received],
        arrivedBefore: { ...arrived, files: arrived.names ?? namesOf(rows) },
        deaths: [...deployment.deaths()],
        logProblems: audit.problems,
        eventsInLog: audit.events,
        held,
        isAtRest,
      }
    } finally {
      await close()
    }
  }

  /** Names of the files that are there now, also of those that no row names; undefined where they lie in a bucket. */
  #listNames(): Set<string> | undefined {
    const { documentsFolder } = this.#sources.deployment
    if (documentsFolder === undefined) return undefined
    return new Set(globSync(BLOBS, { cwd: documentsFolder }).map((path) => path.split('/').at(-1)!))
  }

  #listStaged(): string[] | undefined {
    const { documentsFolder } = this.#sources.deployment
    return documentsFolder === undefined ? undefined : readdirSync(join(documentsFolder, 'staging'))
  }

  /** Files of a folder are all read, also those that no row names; of a bucket, those that rows name. */
  async #readFiles(platform: Platform, rows: Rows): Promise<Map<string, StoredFile>> {
    const { documentsFolder } = this.#sources.deployment
    const found = documentsFolder === undefined ? await readBucket(platform, rows) : readFolder(documentsFolder)
    return new Map(found.map((file) => [`${file.tenantId} ${file.name}`, file]))
  }

  async #judgeSigned(
    connection: pg.ClientConfig,
    files: Map<string, StoredFile>,
  ): Promise<Map<string, ValidationReport>> {
    const trustAnchors = [this.#sources.surroundings.timestampRoot, ...(await readRoots(connection))]
    for (const { sha256, bytes } of files.values()) {
      if (this.#reports.has(sha256) || !bytes.includes('/ByteRange')) continue
      this.#reports.set(sha256, await validatePdf(bytes, { trustAnchors, time: new Date() }))
    }
    return this.#reports
  }
}

async function readDatabase(
  connection: pg.ClientConfig,
  { withTexts }: { withTexts: boolean },
): Promise<Pick<World, 'rows' | 'texts' | 'held'>> {
  return asOwner(connection, async (client) => {
    await client.query('begin isolation level repeatable read, read only')
    const rows = await readRows((sql) => client.query(sql))
    const texts = withTexts ? await readTexts(client) : []
    const idle = await client.query<{ query: string }>(
      `select query from pg_stat_activity
        where state like 'idle in transaction%' and state_change < now() - interval '5 seconds'`,
    )
    const locks = await client.query(`select classid, objid from pg_locks where locktype = 'advisory'`)
    const held = [...idle.rows.map(({ query }) => `a transaction after ${query}`), ...locks.rows.map(() => 'a lock')]
    return { rows, texts, held }
  })
}

async function readRoots(connection: pg.ClientConfig): Promise<Buffer[]> {
  const sql = `select certificate from installation_certificate where kind = 'root'`
  const { rows } = await asOwner(connection, (client) => client.query<{ certificate: Buffer }>(sql))
  return rows.map(({ certificate }) => certificate)
}

function readFolder(folder: string): StoredFile[] {
  return globSync(BLOBS, { cwd: folder }).map((path) => {
    const bytes = readFileSync(join(folder, path))
    const [tenantId, , name] = path.split('/') as [string, string, string]
    return { tenantId, name, sha256: hashOf(bytes), bytes }
  })
}

/** A file was there before the row that names it. */
const namesOf = (rows: Rows) => new Set(rows.stored_document.map(({ sha256 }) => sha256.toString('hex')))

async function readBucket({ blobs }: Platform, rows: Rows): Promise<StoredFile[]> {
  const found: StoredFile[] = []
  for (const { tenant_id: tenantId, sha256 } of rows.stored_document) {
    const name = sha256.toString('hex')
    const bytes = await blobs.openRead(tenantId, name).then(
      async ({ stream }) => Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)),
      () => undefined,
    )
    if (bytes) found.push({ tenantId, name, sha256: hashOf(bytes), bytes })
  }
  return found
}

/** Runs statements as the owner of the database, past every rule. */
export async function asOwner<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
