// Parses at a place in a source without knowing beforehand how many bytes the thing there has.
import type { Budget } from './limits.ts'
import { Parser, WINDOW_TOO_SMALL } from './parser.ts'
import { damaged, tooComplex } from './refused.ts'
import type { Source } from './source.ts'
import type { PdfValue } from './value.ts'

const FIRST_WINDOW_BYTES = 1024
const WINDOW_GROWTH = 8

/** Runs `parse` on the bytes from `position` on, with ever larger windows until it fits. */
export async function parseAt<T>(
  source: Source,
  position: number,
  budget: Budget,
  parse: (parser: Parser) => T,
): Promise<T> {
  if (!Number.isSafeInteger(position) || position < 0 || position >= source.size) {
    throw damaged(`it points to byte ${position}, which it does not have`)
  }
  const { maxObjectBytes } = budget.limits
  for (let length = FIRST_WINDOW_BYTES; ; length = Math.min(length * WINDOW_GROWTH, maxObjectBytes)) {
    const bytes = await source.read(position, length)
    const isWhole = position + bytes.length >= source.size
    const parser = new Parser({ bytes, base: position, inFile: true }, budget.limits, { isWhole })
    try {
      const parsed = parse(parser)
      budget.spendParsed(parser.position - position)
      return parsed
    } catch (error) {
      if (error !== WINDOW_TOO_SMALL) throw error
    }
    budget.spendParsed(bytes.length)
    if (length >= maxObjectBytes) throw tooComplex('one of its objects is too large')
  }
}

export interface IndirectObject {
  readonly number: number
  readonly generation: number
  readonly start: number
  /** After `endobj`; for a stream, where its data begins. */
  readonly end: number
  readonly value: PdfValue
}

/** Reads `12 0 obj … endobj`. A stream is read up to its data. */
export function parseIndirectObject(parser: Parser): IndirectObject {
  parser.skipSpace()
  const start = parser.position
  const number = parser.requireInteger('an object number')
  const generation = parser.requireInteger('a generation number')
  parser.requireWord('obj')
  const value = parser.value()
  const word = parser.word()
  if (word === 'stream' && value.kind === 'dict') {
    const dataStart = afterStreamKeyword(parser)
    const stream = {
      kind: 'stream',
      dict: value,
      dataStart,
      origin: value.origin,
      start: value.start,
      end: dataStart,
    } as const
    return { number, generation, start, end: dataStart, value: stream }
  }
  if (word !== 'endobj') throw damaged(`the object at byte ${start} does not end where it should`)
  return { number, generation, start, end: parser.position, value }
}

/** CR LF or LF, not CR alone, follows the keyword (7.3.8.1), so that data may begin with LF. */
function afterStreamKeyword(parser: Parser): number {
  if (parser.peek() === 13) {
    parser.position++
    if (parser.peek() !== 10) throw damaged(`a stream begins wrongly at byte ${parser.position}`)
  } else if (parser.peek() !== 10) throw damaged(`a stream begins wrongly at byte ${parser.position}`)
  return parser.position + 1
}
