// The whole configuration, read once at start from the environment into one frozen object. .env.example explains each.
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readNetwork } from '#platform/outbound/allowed-addresses.ts'
import { ConfigurationError, EnvironmentReader, type Environment } from './environment.ts'
import { readIdentityProviders, type IdentityProvider } from './identity-providers.ts'
import { readIsTraced } from './tracing.ts'
import { readMail, readSms, readTimezone, type MailConfig, type SmsConfig } from './gateways.ts'
import { readRemoteKeys, type RemoteKey } from './remote-keys.ts'

const MIB = 1024 * 1024
const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

export type Config = Readonly<{
  dataDir: string
  /** Absent: the embedded PostgreSQL in the data directory. */
  databaseUrl: string | undefined
  runtimeDatabaseUrl: string | undefined
  databasePoolSize: number
  usePreparedStatements: boolean
  /** The database is spread over several machines. */
  isDatabaseSpread: boolean
  storage: string
  host: string
  port: number
  publicUrl: string | undefined
  trustProxy: string[]
  corsOrigins: string[]
  secretKey: string | undefined
  previousSecretKey: string | undefined
  requireBearer: boolean
  allowInsecureHooks: boolean
  /** Networks of the operator's own that deliveries may be sent to, though they are not public. */
  hooksAllow: string[]
  /** Authorities that receivers' certificates may come from, besides the usual ones. */
  hooksCaFile: string | undefined
  /** Where answers about certificates of others may be fetched from, though the addresses are not public. */
  revocationOrigins: string[]
  activeContent: 'refuse' | 'allow'
  /** An outside timestamp authority, and the certificates (DER) that it is trusted by. Absent: our own. */
  timestamps: Readonly<{ url: string; anchors: readonly Buffer[] }> | undefined
  /** Authorities (DER) that signatures may come from, besides our own: for validation. */
  trustAnchors: readonly Buffer[]
  /** Absent: e-mails stay in the outbox. */
  mail: MailConfig | undefined
  /** Absent: text messages stay in the outbox. */
  sms: SmsConfig | undefined
  /** By area code in lower case. Empty: nobody can be authenticated strongly. */
  identityProviders: ReadonlyMap<string, IdentityProvider>
  /** By name: keys with a remote signing service, each for one tenant's seals. */
  remoteKeys: ReadonlyMap<string, RemoteKey>
  /** Of dates in messages and evidence. */
  timezone: string
  logLevel: 'info' | 'debug' | 'warn' | 'error' | 'silent'
  metricsToken: string | undefined
  /** Steps are followed by OpenTelemetry. */
  isTraced: boolean
  limits: Readonly<{
    documentBytes: number
    bodyBytes: number
    documents: number
    signatories: number
    callsPerMinute: number
    /** People whom a tenant may ask in a day. Undefined: as many as it likes. */
    invitationsPerDay: number | undefined
  }>
  firstStart: Readonly<{
    subscriptionKey: string | undefined
    adminEmail: string | undefined
    adminPassword: string | undefined
  }>
}>

/** Reads and checks the environment; throws a ConfigurationError that lists everything that is wrong with it. */
export function readConfig(environment: Environment): Config {
  const env = new EnvironmentReader(environment)
  const dataDir = resolve(env.text('COUNTERSIGN_DATA') ?? 'data')
  const config: Config = {
    dataDir,
    databaseUrl: databaseUrl(env, 'DATABASE_URL'),
    runtimeDatabaseUrl: databaseUrl(env, 'COUNTERSIGN_RUNTIME_DATABASE_URL'),
    databasePoolSize: env.integer('COUNTERSIGN_DATABASE_POOL', { least: 2, most: 200, otherwise: 10 }),
    usePreparedStatements: env.boolean('COUNTERSIGN_PREPARED_STATEMENTS', true),
    isDatabaseSpread: env.boolean('COUNTERSIGN_DATABASE_SPREAD'),
    storage: env.text('COUNTERSIGN_STORAGE') ?? resolve(dataDir, 'documents'),
    host: env.text('COUNTERSIGN_HOST') ?? '127.0.0.1',
    port: env.integer('COUNTERSIGN_PORT', { least: 0, most: 65_535, otherwise: 8080 }),
    publicUrl: publicUrl(env),
    trustProxy: env.list('COUNTERSIGN_TRUST_PROXY'),
    corsOrigins: env.list('COUNTERSIGN_CORS_ORIGINS'),
    secretKey: secretKey(env, 'COUNTERSIGN_SECRET_KEY'),
    previousSecretKey: secretKey(env, 'COUNTERSIGN_SECRET_KEY_PREVIOUS'),
    requireBearer: env.boolean('COUNTERSIGN_REQUIRE_BEARER'),
    allowInsecureHooks: env.boolean('COUNTERSIGN_ALLOW_INSECURE_HOOKS'),
    hooksAllow: networks(env, 'COUNTERSIGN_HOOKS_ALLOW'),
    hooksCaFile: certificateFile(env, 'COUNTERSIGN_HOOKS_CA_FILE'),
    revocationOrigins: origins(env, 'COUNTERSIGN_REVOCATION_ORIGINS'),
    activeContent: env.oneOf('COUNTERSIGN_ACTIVE_CONTENT', ['refuse', 'allow']),
    timestamps: timestamps(env),
    trustAnchors: trusted(env),
    mail: readMail(env),
    sms: readSms(env),
    identityProviders: readIdentityProviders(env),
    remoteKeys: readRemoteKeys(env),
    timezone: readTimezone(env),
    logLevel: env.oneOf('COUNTERSIGN_LOG_LEVEL', ['info', 'debug', 'warn', 'error', 'silent']),
    metricsToken: env.secret('COUNTERSIGN_METRICS_TOKEN'),
    isTraced: readIsTraced(env),
    limits: {
      // A signed file has to be checked as a whole, which reads 512 MB and 250 signatures and timestamps at most.
      documentBytes: env.integer('COUNTERSIGN_MAX_DOCUMENT_MB', { least: 1, most: 450, otherwise: 25 }) * MIB,
      bodyBytes: env.integer('COUNTERSIGN_MAX_BODY_MB', { least: 1, most: 4096, otherwise: 100 }) * MIB,
      documents: env.integer('COUNTERSIGN_MAX_DOCUMENTS', { least: 1, most: 500, otherwise: 50 }),
      signatories: env.integer('COUNTERSIGN_MAX_SIGNATORIES', { least: 1, most: 100, otherwise: 100 }),
      callsPerMinute: env.integer('COUNTERSIGN_RATE_LIMIT', { least: 1, most: 100_000_000, otherwise: 60_000 }),
      invitationsPerDay:
        env.integer('COUNTERSIGN_INVITATIONS_PER_DAY', { least: 0, most: 1_000_000_000, otherwise: 10_000 }) ||
        undefined,
    },
    firstStart: {
      subscriptionKey: env.secret('COUNTERSIGN_SUBSCRIPTION_KEY'),
      adminEmail: env.text('COUNTERSIGN_ADMIN_EMAIL'),
      adminPassword: env.secret('COUNTERSIGN_ADMIN_PASSWORD'),
    },
  }
  checkTogether(env, config)
  if (env.problems.length > 0) throw new ConfigurationError(env.problems)
  return Object.freeze(config)
}

function databaseUrl(env: EnvironmentReader, name: string): string | undefined {
  const value = env.secret(name)
  if (value === undefined) return undefined
  if (!/^postgres(ql)?:\/\//.test(value)) env.problem(name, 'must be an address that starts with postgres://')
  return value
}

function publicUrl(env: EnvironmentReader): string | undefined {
  const url = env.url('COUNTERSIGN_PUBLIC_URL', ['https:', 'http:'])
  if (url === undefined) return undefined
  if (url.protocol === 'http:' && !LOOPBACK.includes(url.hostname)) {
    env.problem('COUNTERSIGN_PUBLIC_URL', 'must use https:// unless it names this machine alone')
  }
  if (url.search !== '' || url.hash !== '') env.problem('COUNTERSIGN_PUBLIC_URL', 'must not have a query or a fragment')
  return url.href.replace(/\/$/, '')
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

function timestamps(env: EnvironmentReader): Config['timestamps'] {
  const url = env.url('COUNTERSIGN_TSA_URL', ['https:', 'http:'])
  const file = env.text('COUNTERSIGN_TSA_CA_FILE')
  if (url === undefined && file === undefined) return undefined
  if (url === undefined || file === undefined) {
    const [missing, given] = url ? ['TSA_CA_FILE', 'TSA_URL'] : ['TSA_URL', 'TSA_CA_FILE']
    env.problem(`COUNTERSIGN_${missing}`, `is needed with COUNTERSIGN_${given}`)
    return undefined
  }
  return { url: url.href, anchors: readCertificates(env, 'COUNTERSIGN_TSA_CA_FILE', file) }
}

function trusted(env: EnvironmentReader): Buffer[] {
  const file = env.text('COUNTERSIGN_TRUST_FILE')
  return file === undefined ? [] : readCertificates(env, 'COUNTERSIGN_TRUST_FILE', file)
}

function readCertificates(env: EnvironmentReader, name: string, file: string): Buffer[] {
  try {
    const found = readFileSync(file, 'utf8').match(PEM_CERTIFICATE) ?? []
    if (found.length === 0) env.problem(name, `${file} holds no certificate; it must be PEM`)
    return found.map((pem) => new X509Certificate(pem).raw)
  } catch (error) {
    env.problem(name, `${file} can't be read (${(error as NodeJS.ErrnoException).code ?? 'not a certificate'})`)
    return []
  }
}

function secretKey(env: EnvironmentReader, name: string): string | undefined {
  const value = env.secret(name)
  if (value !== undefined && value.length < 32) {
    env.problem(name, 'must have at least 32 characters; make one with: openssl rand -base64 32')
  }
  return value
}

function networks(env: EnvironmentReader, name: string): string[] {
  const given = env.list(name)
  for (const network of given) {
    if (readNetwork(network) === undefined) env.problem(name, `has ${network}, which is no network such as 10.1.0.0/16`)
  }
  return given
}

function origins(env: EnvironmentReader, name: string): string[] {
  const given = env.list(name)
  for (const origin of given) {
    const isOrigin =
      URL.canParse(origin) && /^https?:$/.test(new URL(origin).protocol) && new URL(origin).origin === origin
    if (!isOrigin) env.problem(name, `has ${origin}, which is no origin such as http://pki.example.com:8080`)
  }
  return given
}

function certificateFile(env: EnvironmentReader, name: string): string | undefined {
  const path = env.text(name)
  if (path === undefined) return undefined
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (!text.includes('-----BEGIN CERTIFICATE-----')) env.problem(name, 'must be a file with certificates in PEM form')
  return path
}

function checkTogether(env: EnvironmentReader, config: Config): void {
  if (config.databaseUrl !== undefined && config.secretKey === undefined) {
    env.problem('COUNTERSIGN_SECRET_KEY', 'is needed with DATABASE_URL; make one with: openssl rand -base64 32')
  }
  if (!LOOPBACK.includes(config.host) && config.trustProxy.length === 0) {
    env.problem(
      'COUNTERSIGN_HOST',
      'is not this machine alone: plain http is served only to a proxy, named in COUNTERSIGN_TRUST_PROXY',
    )
  }
  if (config.limits.documentBytes > config.limits.bodyBytes) {
    env.problem('COUNTERSIGN_MAX_DOCUMENT_MB', 'must not be larger than COUNTERSIGN_MAX_BODY_MB')
  }
  const { subscriptionKey, adminPassword } = config.firstStart
  if (subscriptionKey !== undefined && subscriptionKey.length < 32) {
    env.problem('COUNTERSIGN_SUBSCRIPTION_KEY', 'must have at least 32 characters')
  }
  if (adminPassword !== undefined && adminPassword.length < 12) {
    env.problem('COUNTERSIGN_ADMIN_PASSWORD', 'must have at least 12 characters')
  }
}
