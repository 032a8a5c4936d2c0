import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openBlobStore } from '#platform/blobs/open-blob-store.ts'
import { readConfig, type Config } from '#platform/config/config.ts'
import type { Manifest } from '../backup/manifest.ts'
import { checkBackup, requireUsable } from '../backup/read-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { verifyInstallation, type Verified } from '../backup/verify-installation.ts'
import { CommandFailure, EXIT, type Command } from '../command-line/command.ts'
import type { Terminal } from '../command-line/terminal.ts'
import { openLocalDatabase, openPlatformOn, readSecretKey, type LocalDatabase } from '../local-installation.ts'

export const restore: Command = {
  purpose: 'bring back what `backup` wrote, into an empty installation',
  description:
    'Puts a backup into an empty data directory, or into the empty database and storage that the environment names, then ' +
    'verifies it: the rules of the database, every document against its hash, every history of signature and sealing ' +
    'requests, every event against the log. The secret key must be the ' +
    'one that the backup was made under. Interrupted at any moment, it can simply be run again.',
  positionals: ['FILE'],
  exitCodes: { 0: 'restored and verified', 1: 'it failed, or what was restored does not verify' },
  async run(terminal, given) {
    const config = readConfig(terminal.environment)
    const path = resolve(given.positionals[0]!)
    const secretKeys = [readSecretKey(config), config.previousSecretKey].filter((key) => key !== undefined)
    const manifest = await checkBackup(path, terminal)
    requireUsable(manifest, secretKeys)
    const verified = await restoreInto(config, { path, manifest, terminal })
    const { tenants, documents, histories, problems } = verified
    terminal.answer({ createdAt: manifest.createdAt, ...verified }, [
      `Restored as of ${manifest.createdAt}: ${tenants} tenants, ${documents} documents, ${histories} histories.`,
      ...(problems.length === 0 ? ['Everything was read back and verifies.'] : problems.map((line) => `BAD  ${line}`)),
    ])
    return problems.length === 0 ? EXIT.good : EXIT.bad
  },
}

type Restoring = { path: string; manifest: Manifest; terminal: Terminal }

async function restoreInto(config: Config, { path, manifest, terminal }: Restoring): Promise<Verified> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
  const database = await openLocalDatabase(config, { mayMake: true })
  try {
    requireNobody(database)
    const blobs = await openBlobStore(config.storage, { scratchFolder: join(config.dataDir, 'scratch') })
    try {
      await restoreBackup({ path, manifest, database, blobs, terminal, now: new Date() })
    } finally {
      await blobs.close()
    }
    const { platform, close } = await openPlatformOn(config, database, 'countersign_worker')
    try {
      const except = new Set([...manifest.damaged, ...manifest.deletedMeanwhile])
      return await verifyInstallation(platform, database.connection, { terminal, except })
    } finally {
      await close()
    }
  } finally {
    await database.close()
  }
}

function requireNobody({ kind }: LocalDatabase): void {
  if (kind !== 'running') return
  throw new CommandFailure('a service is running on this data directory', {
    fix: 'Stop it, or name an empty data directory with COUNTERSIGN_DATA.',
  })
}
