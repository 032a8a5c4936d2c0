import pg from 'pg'
import { readConfig } from '#platform/config/config.ts'
import { listSpreadFaults, planSpread, type SpreadStep } from '#platform/db/spreading.ts'
import { listClusterFaults, listWorkerFaults } from '#platform/db/spread-machines.ts'
import { CommandFailure, EXIT, type Command } from '../command-line/command.ts'

export const distribute: Command = {
  purpose: 'spread the database over several machines, by tenant',
  description:
    'Prints the SQL that spreads the database of DATABASE_URL over the machines of a Citus cluster, each tenant whole on ' +
    'one of them. With --apply it is run, in one transaction; the service must be stopped meanwhile.',
  options: { apply: { about: 'Run the SQL instead of printing it.' } },
  async run(terminal, given) {
    const { databaseUrl } = readConfig(terminal.environment)
    if (databaseUrl === undefined) {
      throw new CommandFailure('DATABASE_URL is needed: the embedded database is one machine and stays one', {
        exitCode: EXIT.usage,
      })
    }
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    try {
      await refuseWhatCannotBeSpread(client)
      const hasCitus = await isThereCitus(client)
      if (!hasCitus && given.has('apply')) throw citusMissing()
      if (hasCitus) await refuseWrongMachines(client)
      const steps = await planSpread(client, hasCitus ? await listSpreadAlready(client) : [])
      if (given.has('apply')) await applySteps(client, steps, terminal.note)
      const done = given.has('apply') ? 'Done.' : 'Nothing was done: --apply runs this.'
      const verdict = steps.length === 0 ? 'Every table is spread already.' : done
      terminal.answer({ steps, isApplied: given.has('apply') }, [...steps.map(write), `-- ${verdict}`])
      return EXIT.good
    } finally {
      await client.end()
    }
  },
}

async function refuseWhatCannotBeSpread(client: pg.Client): Promise<void> {
  const faults = await listSpreadFaults(client)
  if (faults.length > 0) throw new CommandFailure(`this database can't be spread: ${faults.join('; ')}`)
}

async function refuseWrongMachines(client: pg.Client): Promise<void> {
  const faults = await listClusterFaults(client)
  if (faults.length === 0) faults.push(...(await listWorkerFaults(client)))
  if (faults.length > 0) throw new CommandFailure(`this cluster can't take the database: ${faults.join('; ')}`)
}

async function isThereCitus(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  return rows.length === 1
}

function citusMissing(): CommandFailure {
  return new CommandFailure('the database has no citus extension', {
    fix: 'Install Citus, add it to shared_preload_libraries, restart, and run: create extension citus',
  })
}

async function listSpreadAlready(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select logicalrelid::regclass::text as name from pg_dist_partition where partmethod = 'h'`,
  )
  return rows.map(({ name }) => name)
}

async function applySteps(client: pg.Client, steps: readonly SpreadStep[], note: (line: string) => void) {
  // Nobody may write while rows move, and nothing is left half spread.
  await client.query('begin')
  await client.query(`set local lock_timeout = '30s'`)
  // Tables that refer to each other are spread one after the other over the same connections.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
  for (const step of steps) {
    note(step.sql)
    await client.query(step.sql)
  }
  await client.query('commit')
}

const write = ({ sql, reason }: SpreadStep) => `${sql}; -- ${reason}`
