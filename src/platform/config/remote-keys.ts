// Keys that never come here: they lie with a remote signing service, and the operator's JSON file says which tenant may
// have its documents sealed with which of them. Tokens and PINs stay in files of their own, which the worker alone reads,
// anew for each use: access tokens end, and are replaced without a restart.
import { dirname, resolve } from 'node:path'
import type { EnvironmentReader } from './environment.ts'
import { hasTexts, isSafeAddress, isText, readListFile, type Entry } from './list-file.ts'

export type RemoteKey = Readonly<{
  /** What administrators call it by. */
  name: string
  /** In lower case: nobody else's administrators may use it. */
  tenantId: string
  /** Of the service's API, up to its version. */
  url: string
  credentialId: string
  algorithm: (typeof ALGORITHMS)[number]
  accessTokenFile: string
  /** What the service asks for besides, such as a PIN: the files that hold it, by the service's names for it. */
  secretFiles: Readonly<Record<string, string>>
}>

const NAME = 'COUNTERSIGN_CSC_FILE'
const LIST = { most: 1_000, things: 'keys' }
const MOST_SECRETS = 10
const ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256'] as const
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The keys by name; none where the variable is not set. */
export function readRemoteKeys(env: EnvironmentReader): ReadonlyMap<string, RemoteKey> {
  const keys = new Map<string, RemoteKey>()
  for (const entry of readListFile(env, NAME, LIST)) {
    const key = readKey(entry)
    if (key === undefined) continue
    if (keys.has(key.name)) env.problem(NAME, `${entry.file}: has the name ${key.name} twice`)
    keys.set(key.name, key)
  }
  return keys
}

function readKey(entry: Entry): RemoteKey | undefined {
  const { given, file, problem } = entry
  if (!hasTexts(entry, ['name', 'tenantId', 'url', 'credentialId', 'algorithm', 'accessTokenFile'])) return undefined
  const { name, tenantId, url, credentialId, accessTokenFile } = given as Record<string, string>
  const algorithm = ALGORITHMS.find((known) => known === given['algorithm'])
  if (!UUID.test(tenantId!)) problem('must have a tenantId that is one')
  if (!isSafeAddress(url!)) problem('must have a url that starts with https:// (http:// on this machine alone)')
  if (algorithm === undefined) problem(`must have one of ${ALGORITHMS.join(', ')} as algorithm`)
  return {
    name: name!,
    tenantId: tenantId!.toLowerCase(),
    url: url!.replace(/\/$/, ''),
    credentialId: credentialId!,
    algorithm: algorithm ?? ALGORITHMS[0],
    accessTokenFile: resolve(dirname(file), accessTokenFile!),
    secretFiles: readSecretFiles(entry),
  }
}

function readSecretFiles({ given, file, problem }: Entry): Record<string, string> {
  const files = Object.entries(Object(given['secretFiles'] ?? {}) as Record<string, unknown>)
  if (files.length > MOST_SECRETS || !files.every(([, path]) => isText(path))) {
    problem(`must have at most ${MOST_SECRETS} secretFiles, each the path of a file`)
    return {}
  }
  return Object.fromEntries(files.map(([id, path]) => [id, resolve(dirname(file), path as string)]))
}
