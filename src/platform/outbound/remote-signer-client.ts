import { readFile } from 'node:fs/promises'
import type { RemoteKey } from '#platform/config/remote-keys.ts'
import { fetchBytes, OutboundError } from './fetch-bytes.ts'

const TIMEOUT_MS = 20_000
const MOST_BYTES = 256 * 1024

/** Carries a question to the remote signing service and brings back its answer, which may be a refusal with its reason. */
export async function askRemoteSigner(
  { url, accessTokenFile }: RemoteKey,
  method: string,
  body: Record<string, unknown>,
): Promise<unknown> {
  const token = await readSecret(accessTokenFile)
  const answer = await fetchBytes({
    url: `${url}/${method}`,
    method: 'POST',
    body: Buffer.from(JSON.stringify(body)),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
    isChosenByOperator: true,
    timeoutMs: TIMEOUT_MS,
    mostBytes: MOST_BYTES,
    // CSC API 2, clause 10: what it refuses it answers with 400 and why.
    statuses: [200, 400],
  })
  try {
    return JSON.parse(answer.toString())
  } catch {
    throw new OutboundError(`${new URL(url).host} answered with something that is no JSON`)
  }
}

/** Those that the service asks for with each signature, by its names for them. */
export async function readRemoteSecrets({ secretFiles }: RemoteKey): Promise<Record<string, string>> {
  const secrets = Object.entries(secretFiles).map(async ([id, file]) => [id, await readSecret(file)] as const)
  return Object.fromEntries(await Promise.all(secrets))
}

/** A file that is missing at this moment may be there at the next try. */
async function readSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new OutboundError(`a secret for the remote signer can't be read (${code})`, { cause: error })
  }
}
