// What a database leaves on the disk: its tables with the rows that were deleted, and the journal.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestDatabase } from './database.ts'

/** The file of the journal that is written just now. */
export async function currentJournal(database: TestDatabase): Promise<string> {
  const [row] = await database.asOwner('select pg_walfile_name(pg_current_wal_lsn()) as name')
  return String(row!['name'])
}

/** All files of this database, and those of the journal from the given one on. Both are complete after a checkpoint. */
export async function databaseFiles(database: TestDatabase, journal: string): Promise<string[]> {
  const [row] = await database.asOwner(
    `select current_setting('data_directory') as folder, oid from pg_database where datname = current_database()`,
  )
  const folder = String(row!['folder'])
  const tables = join(folder, 'base', String(row!['oid']))
  const last = await currentJournal(database)
  const journals = readdirSync(join(folder, 'pg_wal')).filter((name) => name >= journal && name <= last)
  return [
    ...readdirSync(tables).map((name) => join(tables, name)),
    ...journals.map((name) => join(folder, 'pg_wal', name)),
  ]
}
