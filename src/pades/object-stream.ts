// Objects that stand inside a compressed stream (ISO 32000-2, 7.5.7).
import { decodeStructureStream } from './filters.ts'
import type { Budget } from './limits.ts'
import { Parser } from './parser.ts'
import { damaged } from './refused.ts'
import { entry, isName, requireCount, type Origin, type PdfStream, type PdfValue } from './value.ts'

export interface ObjectStream {
  /** Numbers of the objects inside, in their order. */
  readonly numbers: readonly number[]
  /** Decoded. */
  readonly sizeBytes: number
  /** The object at an index; refused if its number is not the one expected. */
  value(index: number, number: number): PdfValue
}

/** Unpacks the stream and its list of objects. */
export function openObjectStream(stream: PdfStream, data: Buffer, budget: Budget): ObjectStream {
  if (!isName(entry(stream.dict, 'Type'), 'ObjStm')) throw damaged('an object stream is missing')
  const count = requireCount(entry(stream.dict, 'N'), 'the number of objects in a stream')
  const first = requireCount(entry(stream.dict, 'First'), 'the start of the objects in a stream')
  const bytes = decodeStructureStream(stream.dict, data, budget)
  if (first > bytes.length || count > first) throw damaged('an object stream is shorter than it says')
  const origin: Origin = { bytes, base: 0, inFile: false }
  const header = new Parser({ ...origin, bytes: bytes.subarray(0, first) }, budget.limits, { isWhole: true })
  const numbers: number[] = []
  const offsets: number[] = []
  for (let index = 0; index < count; index++) {
    numbers.push(header.requireInteger('an object number'))
    offsets.push(first + header.requireInteger('the place of an object'))
  }

  function value(index: number, number: number): PdfValue {
    const position = offsets[index]
    if (position === undefined || numbers[index] !== number) throw damaged(`object ${number} is not where it should be`)
    if (position >= bytes.length) throw damaged(`object ${number} lies outside of its stream`)
    return new Parser(origin, budget.limits, { isWhole: true, position }).value()
  }

  return { numbers, sizeBytes: bytes.length, value }
}

const MAX_KEPT_BYTES = 16 * 1024 * 1024

/** Object streams that were unpacked, by their place in the file and so the same for every revision. */
export class UnpackedStreams {
  private readonly byPlace = new Map<string, ObjectStream>()
  private keptBytes = 0

  find(place: string | undefined): ObjectStream | undefined {
    return place === undefined ? undefined : this.byPlace.get(place)
  }

  keep(place: string, opened: ObjectStream): ObjectStream {
    this.keptBytes += opened.sizeBytes
    if (this.keptBytes > MAX_KEPT_BYTES) {
      this.byPlace.clear()
      this.keptBytes = opened.sizeBytes
    }
    this.byPlace.set(place, opened)
    return opened
  }
}
