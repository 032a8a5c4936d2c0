// `npm run proof:upgrade -- --from REVISION`: an older revision of this repository answers under load while the database
// is migrated to this one, and is then replaced; by default the newest one that has migrations before it. Prints what the
// clients saw; 1 if anything was lost, refused or had to be asked twice, or if the older one was not ready to the end.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts'
import { rollOver } from '../test/upgrade/roll-over.ts'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const migrationsOf = (revision: string) => git('ls-tree', revision, 'db/migrations/').split('\n')

function findOlder(): string {
  const now = new Set(migrationsOf('HEAD'))
  const isBefore = (revision: string) => {
    const then = migrationsOf(revision)
    return then.length < now.size && then.every((file) => now.has(file))
  }
  return git('rev-list', '--first-parent', 'HEAD').split('\n').find(isBefore)!
}

const { values } = parseArgs({ options: { from: { type: 'string' } } })
const revision = git('rev-parse', '--short', values.from ?? findOlder())
const folder = mkdtempSync('/tmp/countersign-upgrade-')
// Where root runs this, the database runs as another user, who has to get there.
chmodSync(folder, 0o755)
const olderFolder = mkdtempSync(join(folder, 'older-'))
execFileSync('sh', ['-c', `git archive ${revision} | tar -x -C ${olderFolder}`])
symlinkSync(join(process.cwd(), 'node_modules'), join(olderFolder, 'node_modules'))

const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: console.error })
const environment = {
  DATABASE_URL: postgres.ownerUrl,
  COUNTERSIGN_SECRET_KEY: 'the secret key of the upgrade is long enough',
  COUNTERSIGN_STORAGE: join(folder, 'documents'),
}
const runMigrate = (cwd: string) => {
  const env = { ...process.env, ...environment }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/countersign.js', 'migrate'], {
    cwd,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim().split('\n').at(-1)!
}
try {
  console.log(`older release: ${revision}. ${runMigrate(olderFolder)}`)
  const figures = await rollOver({
    environment,
    olderFolder,
    newerFolder: '.',
    migrate: async () => console.log(runMigrate('.')),
    say: console.log,
  })
  console.log(figures)
  const { surprises, lost, repeated, wasOlderReady } = figures
  process.exitCode = surprises.length + lost.length + repeated.length > 0 || !wasOlderReady ? 1 : 0
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
