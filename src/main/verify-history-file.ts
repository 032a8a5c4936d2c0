import { X509Certificate, type JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { verifyCheckpointTimestamp, verifyHistory, type LogVerdict } from '#features/history/index.ts'

const USAGE = `Usage: countersign history verify FILE [--key FILE] [--authority FILE]
       countersign history audit [--checkpoint FILE]

verify checks the history of one signature request, offline. FILE is history.json of its
evidence, or what GET /event/signaturerequest/{id}/proof answers with; pages of
GET /event/signaturerequest/{id}, alone or in a list, are checked without the log.
--key FILE        the public keys that must have signed it, as they stand at /log/key or
                  /event/.well-known/jwks.json. Without it the keys in the history itself are
                  taken, which shows that nothing was changed by accident, not who signed it.
--authority FILE  PEM certificates of the authorities that may vouch for the timestamp.

audit checks every event of the installation against the log; it needs its configuration.
--checkpoint FILE  a checkpoint that was saved from /log/checkpoint earlier, best elsewhere.`

/** The exit code: 0 intact, 1 not, 2 asked wrongly. */
export function verifyHistoryFile(args: string[], say: (line: string) => void): number {
  const { positionals, keyFile, authorityFile } = readArguments(args)
  if (positionals.length !== 2 || positionals[0] !== 'verify') {
    say(USAGE)
    return 2
  }
  let pages: unknown
  let keys: JsonWebKey[]
  let anchors: Buffer[] | undefined
  try {
    pages = readJsonFile(positionals[1]!)
    keys = keyFile === undefined ? readKeySet(embeddedKeys(pages)) : readKeyFile(keyFile)
    anchors = authorityFile === undefined ? undefined : readCertificates(authorityFile)
  } catch (error) {
    say(`countersign: ${(error as Error).message}`)
    return 2
  }
  const verdict = verifyHistory(pages, keys)
  const lines = verdict.isIntact ? describeLog(verdict.events, verdict.log, anchors) : verdict.problem
  if (!verdict.isIntact || typeof lines === 'string') {
    say(`Not intact: ${String(lines)}`)
    return 1
  }
  const erased = verdict.erased === 0 ? '' : `, ${verdict.erased} of them erased`
  say(`Intact: ${verdict.events} events${erased}, in order and unchanged, to the signed end.`)
  for (const line of lines) say(line)
  if (keyFile === undefined) say('The signatures were checked with the keys in the history itself; see --key.')
  return 0
}

/** What the log proves, or in one sentence why it does not. */
function describeLog(events: number, log: LogVerdict | null, anchors: Buffer[] | undefined): string[] | string {
  if (log === null)
    return ['It comes without proof of its place in the log: whoever holds the keys could have rewritten it.']
  const waiting = events - log.logged
  const rest = waiting === 0 ? '' : `; the last ${waiting} wait for their places`
  const proved = `In the log: ${log.logged} of ${events}, by a signed checkpoint of ${log.size} events${rest}.`
  if (log.timestamp === null) return [proved, 'The checkpoint has no timestamp yet.']
  const checked = verifyCheckpointTimestamp(log.checkpoint, Buffer.from(log.timestamp, 'base64'), anchors)
  if (!checked.isGood) return `The timestamp of the checkpoint does not hold: ${checked.problem}`
  const stamped = `The checkpoint was timestamped at ${checked.time.toISOString()} by ${checked.authority}.`
  return [proved, stamped, ...(checked.isTrusted ? [] : ['Who that authority is was not checked; see --authority.'])]
}

function readArguments(args: string[]) {
  const options = { key: { type: 'string' }, authority: { type: 'string' } } as const
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
    return { positionals, keyFile: values.key, authorityFile: values.authority }
  } catch {
    return { positionals: [], keyFile: undefined, authorityFile: undefined }
  }
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path} can not be read as JSON: ${(error as Error).message}`, { cause: error })
  }
}

function embeddedKeys(pages: unknown): unknown {
  const last: unknown = Array.isArray(pages) ? pages.at(-1) : pages
  return (last as { head?: { keys?: unknown } | null } | undefined)?.head ?? { keys: [] }
}

/** A JWK Set or the lines of /log/key, each of which ends with the byte 1 and the key in Base64. */
function readKeyFile(path: string): JsonWebKey[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const keys = lines.map((line) => /^\S+\+[0-9a-f]{8}\+([A-Za-z0-9+/]{44})$/.exec(line.trim())?.[1])
  if (!keys.every((key) => key !== undefined)) return readKeySet(readJsonFile(path))
  return keys.map((key) => {
    const x = Buffer.from(key, 'base64').subarray(1).toString('base64url')
    return { kty: 'OKP', crv: 'Ed25519', x }
  })
}

/** Ed25519 keys of a JWK Set, or one key alone. */
function readKeySet(value: unknown): JsonWebKey[] {
  const { keys = [value] } = value as { keys?: unknown }
  if (!Array.isArray(keys)) throw new Error('the keys are not a JWK Set')
  return keys.filter((key): key is JsonWebKey => (key as JsonWebKey | null)?.crv === 'Ed25519')
}

function readCertificates(path: string): Buffer[] {
  const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (found.length === 0) throw new Error(`${path} holds no certificate; it must be PEM`)
  return found.map((pem) => new X509Certificate(pem).raw)
}
