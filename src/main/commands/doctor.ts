// `countersign doctor`: looks at everything that an installation stands on, and says for each what to do next.
import { readConfig, type Config } from '#platform/config/config.ts'
import { EXIT, type Command, type ExitCode } from '../command-line/command.ts'
import { table } from '../command-line/terminal.ts'
import { checkClock } from '../doctor/check-clock.ts'
import { checkDatabase } from '../doctor/check-database.ts'
import { checkFiles } from '../doctor/check-files.ts'
import { checkIdentityProviders, checkMail, checkPublicAddress } from '../doctor/check-outside.ts'
import { checkCertificates, checkStorage, checkTimestamps } from '../doctor/check-platform.ts'
import { checkTenants } from '../doctor/check-tenants.ts'
import { checkWork } from '../doctor/check-work.ts'
import { describeReason } from '../doctor/describe-reason.ts'
import { bad, check, good, type Finding } from '../doctor/finding.ts'
import { openLocalDatabase, openPlatformOn, readSecretKey, type LocalDatabase } from '../local-installation.ts'

const WORDS: Readonly<Record<Finding['state'], string>> = { good: 'ok', look: 'LOOK', bad: 'BAD' }

export const doctor: Command = {
  purpose: 'check everything that the installation stands on',
  description:
    'Checks the configuration, database, storage (by writing and reading) and files known to be damaged, secret key, certificates and their expiry, a ' +
    'timestamp, the worker and how long its work waits, tenants at their limit of invitations or reported by people, mail (by logging in), identity providers, clocks and the public ' +
    'address. Says for each what to do next. ' +
    'Works beside a service that runs and without one. Nothing is sent to anybody, and nothing stays behind.',
  exitCodes: { 0: 'all is well', 1: 'something is bad', 3: 'nothing is bad, but something needs a look' },
  async run(terminal) {
    const config = readConfig(terminal.environment)
    const findings = [
      good('configuration', 'every setting can be read'),
      await checkClock(terminal.environment),
      ...(await examineInstallation(config)),
      ...(await check('mail', MAIL_FIX, () => checkMail(config))),
      ...(await checkIdentityProviders(config)),
      await checkPublicAddress(config),
    ]
    terminal.answer({ findings }, describe(findings))
    return exitCodeOf(findings)
  },
}

const MAIL_FIX = 'Check SMTP_URL: the host, the port, smtp:// or smtps://, the login and the password.'
const STORAGE_FIX = 'Check COUNTERSIGN_STORAGE: that it exists, has room, and that this user may write there.'
const KEY_FIX = 'Bring back the secret key that was in use: without it nothing stored under it can be read.'
const TIMESTAMP_FIX = 'Check COUNTERSIGN_TSA_URL and COUNTERSIGN_TSA_CA_FILE, and the way there.'

async function examineInstallation(config: Config): Promise<Finding[]> {
  let database: LocalDatabase
  try {
    database = await openLocalDatabase(config)
  } catch (error) {
    const fix = (error as { fix?: string }).fix ?? 'Check the data directory and what its pg.log says.'
    return [bad('database', describeReason(error), fix)]
  }
  try {
    const fix = 'Check DATABASE_URL: the host, the port, the login, the name, and that the server runs.'
    const findings = await check('database', fix, () => checkDatabase(database, config.isDatabaseSpread))
    // On a database that can't be used, what follows would only say the same again.
    return findings.some(({ state }) => state === 'bad')
      ? findings
      : [...findings, ...(await examinePlatform(config, database))]
  } finally {
    await database.close()
  }
}

async function examinePlatform(config: Config, database: LocalDatabase): Promise<Finding[]> {
  try {
    readSecretKey(config)
  } catch (error) {
    return [bad('secret key', describeReason(error), KEY_FIX)]
  }
  let opened: Awaited<ReturnType<typeof openPlatformOn>>
  try {
    opened = await openPlatformOn(config, database, 'countersign_worker')
  } catch (error) {
    // The database is sound and the key is there: what remains is where documents lie.
    return [bad('storage', describeReason(error), STORAGE_FIX)]
  }
  const { platform, close } = opened
  try {
    const timestampFix = config.timestamps === undefined ? KEY_FIX : TIMESTAMP_FIX
    return [
      ...(await check('storage', STORAGE_FIX, () => checkStorage(platform))),
      ...(await check('stored files', 'Check the database.', () => checkFiles(platform))),
      ...(await check('certificates', 'Check the database.', () => checkCertificates(platform))),
      ...(await check('timestamps', timestampFix, () => checkTimestamps(platform))),
      ...(await check('queue', 'Check the database.', () => checkWork(platform))),
      ...(await check('invitations', 'Check the database.', () => checkTenants(platform))),
    ]
  } finally {
    await close()
  }
}

function describe(findings: readonly Finding[]): string[] {
  const rows = table(findings.map(({ name, state, found }) => [WORDS[state], name, found]))
  return findings.flatMap(({ fix }, index) => [rows[index]!, ...(fix === null ? [] : [`      → ${fix}`])])
}

function exitCodeOf(findings: readonly Finding[]): ExitCode {
  if (findings.some(({ state }) => state === 'bad')) return EXIT.bad
  return findings.some(({ state }) => state === 'look') ? EXIT.doubt : EXIT.good
}
