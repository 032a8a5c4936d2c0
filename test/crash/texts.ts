// All that is written in words in the database, table by table, as of one moment.
import type pg from 'pg'

export type TableText = { table: string; text: string }

/** What a person who was erased may still be in, each with the reason. */
export const MAY_NAME_THE_ERASED: Record<string, string> = {
  certificate: 'a certificate is part of what was signed; it goes with the request',
  signature_intent: 'the certificate of each use of a key',
  signature_proof: 'the certificates and answers that prove a signature good',
}

// Partitions are read through their parents.
const TABLES = `select relname as name from pg_class
                 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
                 order by relname`

const BYTES = /\\x((?:[0-9a-f]{2})+)/g

/** Every table that the catalogue has. Bytes are read as what they spell. */
export async function readTexts(client: pg.Client): Promise<TableText[]> {
  const { rows: tables } = await client.query<{ name: string }>(TABLES)
  const texts: TableText[] = []
  for (const { name: table } of tables) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from "${table}" t`)
    texts.push({ table, text: rows.map(({ row }) => spellOut(row)).join('\n') })
  }
  return texts
}

const spellOut = (row: string) => row.replaceAll(BYTES, (_, hex: string) => Buffer.from(hex, 'hex').toString())
