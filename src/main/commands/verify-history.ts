// `countersign history verify FILE`: a saved history, with no database, no server and no configuration.
import { X509Certificate, type JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { verifyCheckpointTimestamp, verifyHistory, type LogVerdict } from '#features/history/index.ts'
import { CommandFailure, EXIT, type Command } from '../command-line/command.ts'

export const verifyHistoryFile: Command = {
  purpose: 'verify the saved history of one signature request',
  description:
    'FILE is history.json of its evidence, or what GET /event/signaturerequest/{id}/proof answers with. Every event is ' +
    'held against its hash, each hash against the one before, the end against its signature, each event against its ' +
    'place in the log, and the log against its signature and timestamp. Pages of GET /event/signaturerequest/{id}, ' +
    'alone or in a list, are checked without the log.',
  positionals: ['FILE'],
  options: {
    key: {
      value: 'FILE',
      about:
        'The public keys that must have signed it, as they stand at /log/key or /event/.well-known/jwks.json. Default: ' +
        'those in the history itself, which shows that nothing was changed by accident, not who signed it.',
    },
    authority: { value: 'FILE', about: 'Certificates (PEM) of the authorities that may vouch for the timestamp.' },
  },
  exitCodes: { 0: 'intact', 1: 'not intact' },
  async run(terminal, given) {
    const [keyFile, authorityFile] = [given.text('key'), given.text('authority')]
    const pages = readJsonFile(given.positionals[0]!)
    const keys = keyFile === undefined ? readKeySet(embeddedKeys(pages)) : readKeyFile(keyFile)
    const anchors = authorityFile === undefined ? undefined : readCertificates(authorityFile)
    const verdict = verifyHistory(pages, keys)
    const lines = verdict.isIntact ? describeLog(verdict.events, verdict.log, anchors) : verdict.problem
    if (!verdict.isIntact || typeof lines === 'string') {
      terminal.answer({ isIntact: false, problem: lines }, `Not intact: ${String(lines)}`)
      return EXIT.bad
    }
    const erased = verdict.erased === 0 ? '' : `, ${verdict.erased} of them erased`
    const intact = `Intact: ${verdict.events} events${erased}, in order and unchanged, to the signed end.`
    const own = 'The signatures were checked with the keys in the history itself; see --key.'
    terminal.answer(verdict, [intact, ...lines, ...(keyFile === undefined ? [own] : [])])
    return EXIT.good
  },
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

const wrongFile = (message: string) => new CommandFailure(message, { exitCode: EXIT.usage })

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw wrongFile(`${path} can not be read as JSON: ${(error as Error).message}`)
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
  if (!Array.isArray(keys)) throw wrongFile('the keys are not a JWK Set')
  return keys.filter((key): key is JsonWebKey => (key as JsonWebKey | null)?.crv === 'Ed25519')
}

function readCertificates(path: string): Buffer[] {
  const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (found.length === 0) throw wrongFile(`${path} holds no certificate in PEM form`)
  return found.map((pem) => new X509Certificate(pem).raw)
}
