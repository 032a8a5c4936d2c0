import type { JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { verifyHistory } from '#features/history/index.ts'

const USAGE = `Usage: countersign history verify FILE [--key FILE]

FILE holds the history of a signature request as GET /event/signaturerequest/{id} answers
with it: one page, or a list of its pages in order.
--key FILE   the public keys that the signature at its end must be made with, as they stand
             at /event/.well-known/jwks.json. Without it the keys in the history itself are
             taken, which shows that nothing was changed by accident, not who signed it.`

/** The exit code: 0 intact, 1 not, 2 asked wrongly. */
export function verifyHistoryFile(args: string[], say: (line: string) => void): number {
  const { positionals, keyFile } = readArguments(args)
  if (positionals.length !== 2 || positionals[0] !== 'verify') {
    say(USAGE)
    return 2
  }
  let pages: unknown
  let keys: JsonWebKey[]
  try {
    pages = readJsonFile(positionals[1]!)
    keys = readKeys(keyFile === undefined ? embeddedKeys(pages) : readJsonFile(keyFile))
  } catch (error) {
    say(`countersign: ${(error as Error).message}`)
    return 2
  }
  const verdict = verifyHistory(pages, keys)
  if (!verdict.isIntact) {
    say(`Not intact: ${verdict.problem}`)
    return 1
  }
  const erased = verdict.erased === 0 ? '' : `, ${verdict.erased} of them erased`
  say(`Intact: ${verdict.events} events${erased}, in order and unchanged, to the signed end.`)
  if (keyFile === undefined) say('The signature was checked with the keys in the history itself; see --key.')
  return 0
}

function readArguments(args: string[]): { positionals: string[]; keyFile: string | undefined } {
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { key: { type: 'string' } } })
    return { positionals, keyFile: values.key }
  } catch {
    return { positionals: [], keyFile: undefined }
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

/** Ed25519 keys of a JWK Set, or one key alone. */
function readKeys(value: unknown): JsonWebKey[] {
  const { keys = [value] } = value as { keys?: unknown }
  if (!Array.isArray(keys)) throw new Error('the keys are not a JWK Set')
  return keys.filter((key): key is JsonWebKey => (key as JsonWebKey | null)?.crv === 'Ed25519')
}
