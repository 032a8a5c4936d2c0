// A backup is read twice: first as a whole, to be sure of it, and only then to be put anywhere.
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { latestVersion } from '#platform/db/migrate.ts'
import { makeKeyring } from '#platform/secrets/keyring.ts'
import { CommandFailure, EXIT } from '../command-line/command.ts'
import type { Terminal } from '../command-line/terminal.ts'
import { FORMAT, keyCheckOf, MANIFEST, parseDocumentName, parseTableFileName, type Manifest } from './manifest.ts'
import { readTar } from './tar.ts'

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** The manifest of a backup every byte of which is what it should be; throws where anything is missing or changed. */
export async function checkBackup(path: string, terminal: Terminal): Promise<Manifest> {
  const files = new Map<string, string>()
  let documents = 0
  let manifest: Manifest | undefined
  const bar = terminal.progress('Checking ', (await stat(path)).size)
  try {
    for await (const { name, content } of readTar(path)) {
      const bytes = await content()
      const document = parseDocumentName(name)
      if (document !== undefined) {
        if (hashOf(bytes) !== document.sha256) throw new Error(`${name} is not what its name says`)
        documents += 1
      } else if (parseTableFileName(name) !== undefined) files.set(name, hashOf(bytes))
      else if (name === MANIFEST) manifest = JSON.parse(bytes.toString()) as Manifest
      bar.add(bytes.length)
    }
  } catch (error) {
    throw damaged(path, (error as Error).message)
  }
  bar.done()
  if (manifest === undefined) throw damaged(path, 'it has no end')
  requireSame(path, manifest, { files, documents })
  return manifest
}

function requireSame(path: string, manifest: Manifest, found: { files: Map<string, string>; documents: number }): void {
  const named = Object.entries(manifest.files)
  const changed = named.find(([name, sha256]) => found.files.get(name) !== sha256)
  if (changed !== undefined) throw damaged(path, `${changed[0]} is missing or changed`)
  if (named.length !== found.files.size) throw damaged(path, 'it holds more than it says')
  if (manifest.documents.count !== found.documents) throw damaged(path, 'documents are missing')
}

function damaged(path: string, why: string): CommandFailure {
  return new CommandFailure(`${path} is no whole backup: ${why}`, { fix: 'Nothing was changed. Take another backup.' })
}

/** Passes where this program and one of these keys, the present or the previous one, can use the backup. */
export function requireUsable({ format, schemaVersion, keyCheck }: Manifest, secretKeys: readonly string[]): void {
  if (format !== FORMAT || schemaVersion > latestVersion()) {
    throw new CommandFailure('the backup was made by a newer Countersign', {
      fix: 'Install that version, or a newer one.',
    })
  }
  if (secretKeys.some((secretKey) => keyCheckOf(makeKeyring(secretKey)) === keyCheck)) return
  throw new CommandFailure('the secret key is not the one that the backup was made under', {
    exitCode: EXIT.usage,
    fix: 'Put the right one into secret.key in the data directory, or set COUNTERSIGN_SECRET_KEY_FILE.',
  })
}
