import { readConfig } from '#platform/config/config.ts'
import { migrate as runMigrations, OTHER_MIGRATES } from '#platform/db/migrate.ts'
import { CommandFailure, EXIT, type Command } from '../command-line/command.ts'
import { progressOnceKnown } from '../command-line/terminal.ts'

export const migrate: Command = {
  purpose: 'bring the database up to date',
  description:
    'Brings the database of DATABASE_URL up to date, for those who migrate before they start several servers. The ' +
    'embedded database is migrated by every start.',
  async run(terminal) {
    const { databaseUrl } = readConfig(terminal.environment)
    if (databaseUrl === undefined) {
      throw new CommandFailure('DATABASE_URL is needed; the embedded database is migrated by every start', {
        exitCode: EXIT.usage,
      })
    }
    const bar = progressOnceKnown(terminal, 'Migrations')
    const ran = await runMigrations({ connectionString: databaseUrl }, new Date(), {
      onRun: (total) => bar.add(1, total),
      onWait: () => terminal.note(OTHER_MIGRATES),
    })
    bar.done()
    const verdict = ran.length === 0 ? 'The database is up to date.' : `${ran.length} migrations ran.`
    terminal.answer({ migrations: ran }, [...ran, verdict])
    return EXIT.good
  },
}
