// What a database must be like before anybody works on it. A step of a start: where it throws, the process ends and says why.
import pg from 'pg'
import { listIsolationFaults } from '#platform/db/catalogue.ts'
import { listClusterFaults, requireSpreadAsSet } from '#platform/db/spread-machines.ts'
import { listSpreadTables } from '#platform/db/spreading.ts'

type Database = { connection: pg.ClientConfig; isSpread: boolean }

/**
 * A database whose rules of isolation are broken is neither served nor worked on, whoever broke them. Nor is one where
 * machines and setting disagree: who takes many machines for one, or one for many, would do half of the work.
 */
export function requireIsolation({ connection, isSpread }: Database): Promise<void> {
  return ask(connection, async (client) => {
    await requireSpreadAsSet(client, isSpread)
    const faults = await listIsolationFaults(client, isSpread ? await listSpreadTables(client) : [])
    if (isSpread) faults.push(...(await listClusterFaults(client)))
    if (faults.length > 0) throw new Error(`the database does not keep tenants apart: ${faults.join('; ')}`)
  })
}

async function ask(connection: pg.ClientConfig, question: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await question(client)
  } finally {
    await client.end()
  }
}
