// Who can say for sure who somebody is: OpenID Connect providers, one for each area code, from one JSON file.
import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { EnvironmentReader } from './environment.ts'

export type IdentityProvider = Readonly<{
  /** In lower case: what a signatory's authenticationAreaCode is compared with. */
  areaCode: string
  issuer: string
  clientId: string
  clientSecret: string
  scope: string
  /** The claim that a signatory's personal identifier must equal. */
  identifierClaim: string
  /** The levels of authentication that count as strong; the provider's answer must name one of them. */
  acr: readonly string[]
}>

const NAME = 'COUNTERSIGN_OIDC_FILE'
const MOST_PROVIDERS = 200
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/** The providers by area code; none where the variable is not set. */
export function readIdentityProviders(env: EnvironmentReader): ReadonlyMap<string, IdentityProvider> {
  const file = env.text(NAME)
  const providers = new Map<string, IdentityProvider>()
  if (file === undefined) return providers
  for (const [index, entry] of readEntries(env, file).entries()) {
    const provider = readProvider(entry, { file, problem: (what) => env.problem(NAME, `${file}: [${index}] ${what}`) })
    if (provider === undefined) continue
    if (providers.has(provider.areaCode)) env.problem(NAME, `${file}: has the area code ${provider.areaCode} twice`)
    providers.set(provider.areaCode, provider)
  }
  return providers
}

function readEntries(env: EnvironmentReader, file: string): unknown[] {
  try {
    const entries: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (Array.isArray(entries) && entries.length > 0 && entries.length <= MOST_PROVIDERS) return entries
    env.problem(NAME, `${file} must be a JSON list of 1 to ${MOST_PROVIDERS} providers`)
  } catch (error) {
    env.problem(NAME, `${file} can't be read (${(error as NodeJS.ErrnoException).code ?? 'not JSON'})`)
  }
  return []
}

type Reading = { file: string; problem: (what: string) => void }

function readProvider(entry: unknown, { file, problem }: Reading): IdentityProvider | undefined {
  const given = Object(entry) as Record<string, unknown>
  const missing = ['areaCode', 'issuer', 'clientId', 'clientSecretFile', 'identifierClaim'].filter(
    (name) => !isText(given[name]),
  )
  if (missing.length > 0) {
    problem(`needs ${missing.join(', ')}`)
    return undefined
  }
  const acr = [given['acr']].flat()
  if (acr.length === 0 || !acr.every(isText)) problem('needs acr: the level, or a list of the levels, that are strong')
  const { areaCode, issuer, clientId, clientSecretFile, identifierClaim } = given as Record<string, string>
  requireSafeIssuer(issuer!, problem)
  return {
    areaCode: areaCode!.toLowerCase(),
    issuer: issuer!,
    clientId: clientId!,
    clientSecret: readSecret(resolve(dirname(file), clientSecretFile!), problem),
    scope: isText(given['scope']) ? given['scope'] : 'openid',
    identifierClaim: identifierClaim!,
    acr: acr as string[],
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1000
}

function requireSafeIssuer(issuer: string, problem: Reading['problem']): void {
  const url = URL.parse(issuer)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname))
  if (!isSafe) problem('must have an issuer that starts with https:// (http:// on this machine alone)')
}

function readSecret(file: string, problem: Reading['problem']): string {
  try {
    if ((statSync(file).mode & 0o004) !== 0) problem(`${file} can be read by everybody: chmod 600 it`)
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    problem(`${file} can't be read (${(error as NodeJS.ErrnoException).code})`)
    return ''
  }
}
