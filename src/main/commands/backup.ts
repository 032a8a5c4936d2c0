import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { writeBackup } from '../backup/write-backup.ts'
import { EXIT, type Command } from '../command-line/command.ts'
import { openLocalPlatform } from '../local-installation.ts'

export const backup: Command = {
  purpose: 'write everything into one file: database and documents',
  description:
    'Writes the database, as it is at one moment, and every document that it names into one tar file that only its owner ' +
    'can read. The service may run meanwhile. The secret key is not in it: without that key the backup can’t be used, so ' +
    'keep it somewhere else.',
  positionals: ['FILE'],
  exitCodes: { 0: 'the backup is whole', 3: 'the backup is there, but some documents are damaged in storage' },
  async run(terminal, given) {
    const path = resolve(given.positionals[0]!)
    const { platform, connection, close } = await openLocalPlatform(terminal.environment)
    try {
      const manifest = await writeBackup(platform, { path, connection, terminal, now: platform.clock.now() })
      const { documents, damaged, deletedMeanwhile, tables, createdAt } = manifest
      const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
      const { size } = await stat(path)
      terminal.answer({ path, sizeBytes: size, createdAt, rows, documents, damaged, deletedMeanwhile }, [
        `${path}: ${rows} rows and ${documents.count} documents, ${size} bytes.`,
        'The secret key is not in it. Keep it somewhere else: without it this backup can’t be used.',
        ...damaged.map((document) => `Damaged in storage, and not in the backup: ${document}`),
        ...deletedMeanwhile.map((document) => `Not in storage: ${document}`),
      ])
      return damaged.length + deletedMeanwhile.length === 0 ? EXIT.good : EXIT.doubt
    } finally {
      await close()
    }
  },
}
