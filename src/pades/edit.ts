// Changes to a dictionary or an array: untouched parts are copied as they stand, so that no number, string or name
// is ever written differently from how its author wrote it.
import { rawBytes, type PdfArray, type PdfDict, type PdfValue } from './value.ts'
import { name, toBytes, type Piece } from './write.ts'

const NEWLINE = Buffer.from('\n')
const DICT_BEGIN = Buffer.from('<<\n')
const ARRAY_BEGIN = Buffer.from('[')
const ARRAY_END = Buffer.from(']')

export type Edit = DictEdit | ArrayEdit

export class DictEdit {
  private readonly base: PdfDict | undefined
  private readonly changes = new Map<string, Piece | Edit>()
  private readonly removed = new Set<string>()

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

  set(key: string, value: Piece | Edit): void {
    this.changes.set(key, value)
  }

  /** Leaves out what the document has at a key. */
  remove(key: string): void {
    if (this.base?.entries.has(key)) this.removed.add(key)
  }

  /** False as long as writing it would only repeat what stands in the document. */
  get isChanged(): boolean {
    if (this.base === undefined || this.removed.size > 0) return true
    return [...this.changes.values()].some(
      (change) => typeof change === 'string' || Buffer.isBuffer(change) || change.isChanged,
    )
  }

  toBytes(): Buffer {
    const parts = [DICT_BEGIN, ...this.untouched()]
    let text = ''
    for (const [key, value] of this.changes) {
      text += `${name(key)} `
      if (typeof value === 'string') text += value
      else {
        parts.push(toBytes(text), Buffer.isBuffer(value) ? value : value.toBytes())
        text = ''
      }
      text += '\n'
    }
    parts.push(toBytes(`${text}>>`))
    return Buffer.concat(parts)
  }

  /** The entries that stay, as they stand; neighbours are copied in one go. */
  private untouched(): Buffer[] {
    const parts: Buffer[] = []
    let from = -1
    let to = -1
    const copy = () => {
      if (this.base === undefined || from === -1) return
      const { bytes, base } = this.base.origin
      parts.push(bytes.subarray(from - base, to - base), NEWLINE)
      from = -1
    }
    for (const [key, { keyStart, value }] of this.base?.entries ?? []) {
      if (this.changes.has(key) || this.removed.has(key)) copy()
      else {
        if (from === -1) from = keyStart
        to = value.end
      }
    }
    copy()
    return parts
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
    return Buffer.concat([ARRAY_BEGIN, ...inner, ...items, ARRAY_END])
  }
}
