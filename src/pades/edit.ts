// Changes to a dictionary or an array: untouched parts are copied as they stand, so that no number, string or name
// is ever written differently from how its author wrote it.
import { rawBytes, type PdfArray, type PdfDict, type PdfValue } from './value.ts'
import { name, toBytes, type Piece } from './write.ts'

const OPEN = Buffer.from('<<\n')
const CLOSE = Buffer.from('>>')
const NEWLINE = Buffer.from('\n')

export type Edit = DictEdit | ArrayEdit

export class DictEdit {
  private readonly base: PdfDict | undefined
  private readonly changes = new Map<string, Piece | Edit>()

  constructor(base?: PdfDict) {
    this.base = base
  }

  /** The value as the document has it; changes made here do not show. */
  original(key: string): PdfValue | undefined {
    return this.base?.entries.get(key)?.value
  }

  /** The edit that stands at a key, if one was set. */
  nested(key: string): Edit | undefined {
    const change = this.changes.get(key)
    return change instanceof DictEdit || change instanceof ArrayEdit ? change : undefined
  }

  has(key: string): boolean {
    return this.changes.has(key) || this.base?.entries.has(key) === true
  }

  set(key: string, value: Piece | Edit): void {
    this.changes.set(key, value)
  }

  /** False as long as writing it would only repeat what stands in the document. */
  get isChanged(): boolean {
    if (this.base === undefined) return true
    return [...this.changes.values()].some(
      (change) => typeof change === 'string' || Buffer.isBuffer(change) || change.isChanged,
    )
  }

  toBytes(): Buffer {
    const parts: Buffer[] = [OPEN]
    for (const [key, { keyStart, value }] of this.base?.entries ?? []) {
      if (this.changes.has(key)) continue
      const { bytes, base } = value.origin
      parts.push(bytes.subarray(keyStart - base, value.end - base), NEWLINE)
    }
    for (const [key, value] of this.changes) parts.push(toBytes(`${name(key)} `), serialise(value), NEWLINE)
    parts.push(CLOSE)
    return Buffer.concat(parts)
  }
}

export class ArrayEdit {
  private readonly base: PdfArray | undefined
  private readonly added: Piece[] = []

  constructor(base?: PdfArray) {
    this.base = base
  }

  add(item: Piece): void {
    this.added.push(item)
  }

  get isChanged(): boolean {
    return this.base === undefined || this.added.length > 0
  }

  toBytes(): Buffer {
    const inner = this.base === undefined ? [] : [rawBytes(this.base).subarray(1, -1)]
    const items = this.added.flatMap((item) => [NEWLINE, toBytes(item)])
    return Buffer.concat([Buffer.from('['), ...inner, ...items, Buffer.from(']')])
  }
}

const serialise = (value: Piece | Edit) =>
  value instanceof DictEdit || value instanceof ArrayEdit ? value.toBytes() : toBytes(value)
