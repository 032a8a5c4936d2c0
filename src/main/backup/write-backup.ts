// The database first, at one moment; then every document that it names. Documents never change, so what is copied later
// is what was meant; one that has been deleted meanwhile is listed as such.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import { BLOB_CORRUPT_CODE } from '#platform/blobs/errors.ts'
import { AppError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { CommandFailure } from '../command-line/command.ts'
import { progressOnceKnown, type Terminal } from '../command-line/terminal.ts'
import { dumpDatabase, type Dump } from './dump-database.ts'
import { documentName, FORMAT, keyCheckOf, MANIFEST, README, tableFileName, type Manifest } from './manifest.ts'
import { createTar, type TarWriter } from './tar.ts'

export type WriteBackup = { path: string; connection: pg.ClientConfig; terminal: Terminal; now: Date }

/** Writes a backup into a new file. It has its name only once it is whole. */
export async function writeBackup(platform: Platform, options: WriteBackup): Promise<Manifest> {
  const { path, now } = options
  if (existsSync(path)) throw new CommandFailure(`${path} is there already`, { fix: 'Name a file that is not.' })
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const tar = await createTar(partial, now)
  try {
    const manifest = await fill(tar, platform, options)
    await tar.finish()
    await rename(partial, path)
    await syncFolder(dirname(path))
    return manifest
  } catch (error) {
    await tar.abort().catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

async function fill(tar: TarWriter, platform: Platform, { connection, terminal, now }: WriteBackup): Promise<Manifest> {
  await tar.add('README.txt', Buffer.from(README))
  const files: Record<string, string> = {}
  const dump = await dumpTables(tar, files, connection, terminal)
  const copied = await copyDocuments(tar, platform, dump.documents, terminal)
  const { schemaVersion, tables } = dump
  const manifest: Manifest = {
    format: FORMAT,
    createdAt: now.toISOString(),
    schemaVersion,
    tables,
    files,
    ...copied,
    keyCheck: keyCheckOf(platform.keyring),
  }
  await tar.add(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  return manifest
}

async function dumpTables(
  tar: TarWriter,
  files: Record<string, string>,
  connection: pg.ClientConfig,
  terminal: Terminal,
): Promise<Dump> {
  const parts = new Map<string, number>()
  const bar = progressOnceKnown(terminal, 'Database ')
  const dump = await dumpDatabase({
    connection,
    async write({ table, content }) {
      const part = (parts.get(table) ?? 0) + 1
      parts.set(table, part)
      const name = tableFileName(table, part)
      files[name] = createHash('sha256').update(content).digest('hex')
      await tar.add(name, content)
    },
    onTable: (total) => bar.add(1, total),
  })
  bar.done()
  return dump
}

type Copied = Pick<Manifest, 'documents' | 'deletedMeanwhile' | 'damaged'>

async function copyDocuments(
  tar: TarWriter,
  { blobs }: Platform,
  documents: Dump['documents'],
  terminal: Terminal,
): Promise<Copied> {
  const copied: Copied = { documents: { count: 0, bytes: 0 }, deletedMeanwhile: [], damaged: [] }
  const bar = terminal.progress('Documents', documents.length)
  for (const { tenantId, sha256 } of documents) {
    const outcome = await readDocument(blobs, tenantId, sha256)
    if (Buffer.isBuffer(outcome)) {
      await tar.add(documentName(tenantId, sha256), outcome)
      copied.documents.count += 1
      copied.documents.bytes += outcome.length
    } else copied[outcome].push(`${tenantId}/${sha256}`)
    bar.add(1)
  }
  bar.done()
  return copied
}

/** Whole and unchanged, or why not. */
async function readDocument(
  blobs: Platform['blobs'],
  tenantId: string,
  sha256: string,
): Promise<Buffer | 'deletedMeanwhile' | 'damaged'> {
  if ((await blobs.stat(tenantId, sha256)) === undefined) return 'deletedMeanwhile'
  try {
    const { stream } = await blobs.openRead(tenantId, sha256)
    const chunks: Buffer[] = []
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch (error) {
    if ((await blobs.stat(tenantId, sha256)) === undefined) return 'deletedMeanwhile'
    if (error instanceof AppError && error.code === BLOB_CORRUPT_CODE) return 'damaged'
    throw error
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
