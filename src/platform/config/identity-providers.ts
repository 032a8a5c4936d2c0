// Who can say for sure who somebody is: OpenID Connect providers, one for each area code, from one JSON file.
import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { EnvironmentReader } from './environment.ts'
import { hasTexts, isSafeAddress, isText, readListFile, type Entry } from './list-file.ts'

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
const LIST = { most: 200, things: 'providers' }

/** The providers by area code; none where the variable is not set. */
export function readIdentityProviders(env: EnvironmentReader): ReadonlyMap<string, IdentityProvider> {
  const providers = new Map<string, IdentityProvider>()
  for (const entry of readListFile(env, NAME, LIST)) {
    const provider = readProvider(entry)
    if (provider === undefined) continue
    const { areaCode } = provider
    if (providers.has(areaCode)) env.problem(NAME, `${entry.file}: has the area code ${areaCode} twice`)
    providers.set(areaCode, provider)
  }
  return providers
}

function readProvider(entry: Entry): IdentityProvider | undefined {
  const { given, file, problem } = entry
  if (!hasTexts(entry, ['areaCode', 'issuer', 'clientId', 'clientSecretFile', 'identifierClaim'])) return undefined
  const acr = [given['acr']].flat()
  if (acr.length === 0 || !acr.every(isText)) problem('needs acr: the level, or a list of the levels, that are strong')
  const { areaCode, issuer, clientId, clientSecretFile, identifierClaim } = given as Record<string, string>
  if (!isSafeAddress(issuer!)) {
    problem('must have an issuer that starts with https:// (http:// on this machine alone)')
  }
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

function readSecret(file: string, problem: Entry['problem']): string {
  try {
    if ((statSync(file).mode & 0o004) !== 0) problem(`${file} can be read by everybody: chmod 600 it`)
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    problem(`${file} can't be read (${(error as NodeJS.ErrnoException).code})`)
    return ''
  }
}
