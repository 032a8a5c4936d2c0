// Documents first, then all rows in one transaction: whoever is interrupted before its end can simply begin again, and
// never finds an installation that is half there.
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { migrate, OTHER_MIGRATES } from '#platform/db/migrate.ts'
import type { LocalDatabase } from '../local-installation.ts'
import { CommandFailure } from '../command-line/command.ts'
import type { Terminal } from '../command-line/terminal.ts'
import { loadDatabase } from './load-database.ts'
import { parseDocumentName, parseTableFileName, type Manifest } from './manifest.ts'
import { readTar } from './tar.ts'

export type RestoreBackup = {
  path: string
  manifest: Manifest
  database: LocalDatabase
  blobs: BlobStore
  terminal: Terminal
  now: Date
}

/** Puts a backup that has been checked into an empty installation. */
export async function restoreBackup({ path, manifest, database, blobs, terminal, now }: RestoreBackup): Promise<void> {
  const { connection } = database
  const onWait = () => terminal.note(OTHER_MIGRATES)
  await migrate(connection, now, { upTo: manifest.schemaVersion, onWait })
  const bar = terminal.progress('Documents', manifest.documents.count)
  for await (const { name, content } of readTar(path)) {
    const document = parseDocumentName(name)
    if (document === undefined) continue
    const { sha256 } = await blobs.put(document.tenantId, await content())
    if (sha256 !== document.sha256) throw new CommandFailure(`${name} changed while it was read`)
    bar.add(1)
  }
  bar.done()
  await loadDatabase({ connection, parts: listParts(path, manifest, terminal), expected: manifest.tables })
  await migrate(connection, now, { onWait })
}

async function* listParts(path: string, { files }: Manifest, terminal: Terminal) {
  const bar = terminal.progress('Database ', Object.keys(files).length)
  for await (const { name, content } of readTar(path)) {
    const file = parseTableFileName(name)
    if (file === undefined) continue
    yield { table: file.table, content: await content() }
    bar.add(1)
  }
  bar.done()
}
