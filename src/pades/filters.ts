// Decodes the streams that carry structure: cross-reference streams and object streams.
import { inflateSync } from 'node:zlib'
import type { Budget } from './limits.ts'
import { damaged, PdfRefused, tooComplex } from './refused.ts'
import { asInteger, dictOf, entry, type PdfDict, type PdfValue } from './value.ts'

/** The decoded data of a structure stream. Only Flate, the sole filter in use there, and no filter are understood. */
export function decodeStructureStream(dict: PdfDict, data: Buffer, budget: Budget): Buffer {
  const filter = onlyOne(entry(dict, 'Filter'))
  if (filter === undefined) return data
  if (filter.kind !== 'name' || (filter.value !== 'FlateDecode' && filter.value !== 'Fl')) {
    throw new PdfRefused(
      'damaged',
      'This PDF packs its structure in a way that we do not read.',
      'filter of a structure stream',
    )
  }
  const inflated = inflate(data, budget)
  const parameters = dictOf(onlyOne(entry(dict, 'DecodeParms')))
  return parameters === undefined ? inflated : undoPredictor(inflated, parameters)
}

function onlyOne(value: PdfValue | undefined): PdfValue | undefined {
  if (value === undefined || value.kind === 'null') return undefined
  if (value.kind !== 'array') return value
  if (value.items.length > 1) throw damaged('a structure stream has several filters')
  return onlyOne(value.items[0])
}

/** Inflates within the limits; a small file that swells without measure stops at `inflateAllowanceBytes`. */
export function inflate(data: Buffer, budget: Budget): Buffer {
  const { maxInflatedBytes, maxInflateRatio, inflateAllowanceBytes } = budget.limits
  const maxOutputLength = Math.min(maxInflatedBytes, Math.max(inflateAllowanceBytes, data.length * maxInflateRatio))
  try {
    const inflated = inflateSync(data, { maxOutputLength })
    budget.spendInflated(inflated.length)
    return inflated
  } catch (error) {
    if (error instanceof PdfRefused) throw error
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooComplex('a compressed part swells beyond all measure')
    }
    throw damaged('a compressed part cannot be unpacked')
  }
}

/** PNG and TIFF prediction (7.4.4.4) for one byte a column, which is what structure streams use. */
function undoPredictor(data: Buffer, parameters: PdfDict): Buffer {
  const predictor = asInteger(entry(parameters, 'Predictor')) ?? 1
  if (predictor === 1) return data
  const columns = asInteger(entry(parameters, 'Columns')) ?? 1
  const colors = asInteger(entry(parameters, 'Colors')) ?? 1
  const bits = asInteger(entry(parameters, 'BitsPerComponent')) ?? 8
  if (predictor < 10 || predictor > 15 || colors !== 1 || bits !== 8 || columns < 1 || columns > 65_536) {
    throw damaged('a compressed part uses a prediction that we do not read')
  }
  return undoPng(data, columns)
}

function undoPng(data: Buffer, columns: number): Buffer {
  const rows = data.length / (columns + 1)
  if (!Number.isInteger(rows)) throw damaged('a compressed part has an incomplete row')
  const out = Buffer.alloc(rows * columns)
  for (let row = 0; row < rows; row++) {
    const from = row * (columns + 1)
    undoPngRow(data[from] as number, data.subarray(from + 1, from + 1 + columns), out, row * columns)
  }
  return out
}

function undoPngRow(type: number, input: Buffer, out: Buffer, at: number): void {
  const columns = input.length
  for (let column = 0; column < columns; column++) {
    const left = column > 0 ? (out[at + column - 1] as number) : 0
    const up = at >= columns ? (out[at + column - columns] as number) : 0
    const upLeft = column > 0 && at >= columns ? (out[at + column - columns - 1] as number) : 0
    out[at + column] = (input[column] as number) + predicted(type, left, up, upLeft)
  }
}

function predicted(type: number, left: number, up: number, upLeft: number): number {
  if (type === 0) return 0
  if (type === 1) return left
  if (type === 2) return up
  if (type === 3) return (left + up) >> 1
  if (type === 4) return paeth(left, up, upLeft)
  throw damaged('a compressed part names an unknown prediction')
}

/** The one of the three neighbours that is nearest to left + up - upLeft (PNG specification, 9.4). */
export function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft
  const fromLeft = Math.abs(estimate - left)
  const fromUp = Math.abs(estimate - up)
  const fromUpLeft = Math.abs(estimate - upLeft)
  if (fromLeft <= fromUp && fromLeft <= fromUpLeft) return left
  return fromUp <= fromUpLeft ? up : upLeft
}
