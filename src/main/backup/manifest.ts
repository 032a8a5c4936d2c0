// What a backup says about itself. It is the last file of the archive, so an archive without it is not whole.
import type { Keyring } from '#platform/secrets/keyring.ts'

export const FORMAT = 1
export const MANIFEST = 'manifest.json'

export type Manifest = {
  format: typeof FORMAT
  createdAt: string
  /** The migration that the database was at. */
  schemaVersion: number
  /** Rows by table. */
  tables: Record<string, number>
  /** SHA-256 of each file of the database. */
  files: Record<string, string>
  documents: { count: number; bytes: number }
  /** Documents that were deleted while the backup ran; the database still names them. */
  deletedMeanwhile: string[]
  /** Documents whose bytes are not what was stored. They are not in the backup. */
  damaged: string[]
  /** Tells whether a secret key is the one that the backup was made under, and nothing else about it. */
  keyCheck: string
}

export function keyCheckOf(keyring: Keyring): string {
  return keyring.mac('backup', 'is this the key?').toString('hex')
}

/** Where a document lies in the archive, and how one is missed. */
export const documentName = (tenantId: string, sha256: string) => `documents/${tenantId}/${sha256}`

const DOCUMENT = /^documents\/([0-9a-f-]{36})\/([0-9a-f]{64})$/

export function parseDocumentName(name: string): { tenantId: string; sha256: string } | undefined {
  const [, tenantId, sha256] = DOCUMENT.exec(name) ?? []
  return tenantId === undefined || sha256 === undefined ? undefined : { tenantId, sha256 }
}

const TABLE_FILE = /^database\/([a-z_]+)\/(\d{6})\.jsonl\.gz$/

export const tableFileName = (table: string, part: number) =>
  `database/${table}/${String(part).padStart(6, '0')}.jsonl.gz`

export function parseTableFileName(name: string): { table: string } | undefined {
  const [, table] = TABLE_FILE.exec(name) ?? []
  return table === undefined ? undefined : { table }
}

export const README = `A backup of Countersign
=======================

database/     every row of the database at one moment, a file or more for each table
documents/    every document that those rows name, by tenant and SHA-256
manifest.json what belongs here, with hashes

The secret key is NOT in here. Without it the private keys, the webhook secrets and the links to signatories in this
backup can not be used: keep it somewhere else, and keep it safe.

To restore: countersign restore FILE, into an empty data directory or an empty database, with the same secret key.
`
