// Brings the database of DATABASE_URL up to date, for those who migrate before they start several servers.
import { migrate } from '#platform/db/migrate.ts'
import { readConfigOrExit } from './process.ts'

const { databaseUrl } = readConfigOrExit()
if (databaseUrl === undefined) {
  console.error('countersign: DATABASE_URL is needed; the embedded database is migrated by every start')
  process.exit(2)
}
try {
  const ran = await migrate({ connectionString: databaseUrl }, new Date())
  for (const name of ran) console.log(name)
  console.log(ran.length === 0 ? 'The database is up to date.' : `${ran.length} migrations ran.`)
} catch (error) {
  console.error(`countersign: ${(error as Error).message}`)
  process.exit(1)
}
