// When two objects mean the same: their decoded structure is equal, however it is written.
import type { PdfObject, PdfReader } from '../reader.ts'
import type { PdfArray, PdfDict, PdfValue } from '../value.ts'

/** True if the values are equal. References are compared, not followed; of a stream only the dictionary is looked at. */
export function isSameValue(one: PdfValue | undefined, other: PdfValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  switch (one.kind) {
    case 'null':
      return other.kind === 'null'
    case 'boolean':
      return other.kind === 'boolean' && one.value === other.value
    case 'number':
      return other.kind === 'number' && one.value === other.value
    case 'name':
      return other.kind === 'name' && one.value === other.value
    case 'string':
      return other.kind === 'string' && one.bytes.equals(other.bytes)
    case 'ref':
      return other.kind === 'ref' && one.number === other.number && one.generation === other.generation
    case 'array':
      return other.kind === 'array' && isSameArray(one, other)
    case 'dict':
      return other.kind === 'dict' && changedKeys(one, other).length === 0
    default:
      return other.kind === 'stream' && changedKeys(one.dict, other.dict).length === 0
  }
}

const isSameArray = (one: PdfArray, other: PdfArray) =>
  one.items.length === other.items.length && one.items.every((item, index) => isSameValue(item, other.items[index]))

/** The keys whose values differ, or that only one of the two has. */
export function changedKeys(before: PdfDict, after: PdfDict): string[] {
  const keys = new Set([...before.entries.keys(), ...after.entries.keys()])
  return [...keys].filter((key) => !isSameValue(before.entries.get(key)?.value, after.entries.get(key)?.value))
}

/** True if an object is the same in two views of the document, the data of streams included. */
export async function isSameObject(
  before: { reader: PdfReader; object: PdfObject | undefined },
  after: { reader: PdfReader; object: PdfObject | undefined },
): Promise<boolean> {
  if (before.object === undefined || after.object === undefined) return before.object === after.object
  const [one, other] = [before.object, after.object]
  if (one.generation !== other.generation || !isSameValue(one.value, other.value)) return false
  if (one.value.kind !== 'stream' || other.value.kind !== 'stream') return true
  const data = await before.reader.streamBytes(one.value)
  return data.equals(await after.reader.streamBytes(other.value))
}
