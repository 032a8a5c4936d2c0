// The strict DER reader. One pass over the bytes checks the whole framing (definite and minimal lengths, nesting,
// counts, nothing left over) before anything is read, so that what follows can trust it; nodes are then made lazily.
import { TAG } from './der.ts'
import { badValue, checkInteger, decodeOid, decodeText, expandYear, parseTime } from './der-values.ts'
import { DerError } from './errors.ts'

export interface DerLimits {
  maxBytes?: number
  maxDepth?: number
  maxElements?: number
}

const DEFAULT_LIMITS = { maxBytes: 8 * 1024 * 1024, maxDepth: 32, maxElements: 300_000 }
const CONSTRUCTED = 0x20

/** Reads bytes that are exactly one DER element; anything else is a DerError. */
export function readDer(bytes: Buffer, limits: DerLimits = {}): DerNode {
  const { maxBytes, maxDepth, maxElements } = { ...DEFAULT_LIMITS, ...limits }
  if (bytes.length > maxBytes) throw new DerError('too-large', `The structure is larger than ${maxBytes} bytes.`)
  const head = readHead(bytes, 0, bytes.length)
  if (head.end < bytes.length) throw new DerError('trailing-bytes', 'There are bytes after the structure.')
  checkFraming(bytes, { maxDepth, maxElements })
  return new DerNode(bytes, 0, head.contentStart, head.end)
}

/** Cuts the first element out of a padded field, such as /Contents of a PDF signature: only zeros may follow it. */
export function cutDer(padded: Buffer): Buffer {
  const { end } = readHead(padded, 0, padded.length)
  for (let at = end; at < padded.length; at++) {
    if (padded[at] !== 0) throw new DerError('trailing-bytes', 'There is more than zero padding after the structure.')
  }
  return padded.subarray(0, end)
}

interface Head {
  contentStart: number
  end: number
}

function readHead(bytes: Buffer, start: number, limit: number): Head {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined || start + 2 > limit) throw truncated()
  if ((tag & 0x1f) === 0x1f) throw new DerError('high-tag-number', 'Tag numbers above 30 are not used here.')
  if (first < 0x80) return within({ contentStart: start + 2, end: start + 2 + first }, limit)
  if (first === 0x80) throw new DerError('indefinite-length', 'Indefinite lengths are BER, not DER.')
  const size = first & 0x7f
  if (size > 4) throw new DerError('too-large', 'A length needs more than four bytes.')
  const contentStart = start + 2 + size
  if (contentStart > limit) throw truncated()
  const length = bytes.readUIntBE(start + 2, size)
  if (length < 0x80 || length < 2 ** (8 * (size - 1))) {
    throw new DerError('length-not-minimal', 'A length is written in more bytes than it needs.')
  }
  return within({ contentStart, end: contentStart + length }, limit)
}

function within(head: Head, limit: number): Head {
  if (head.end > limit) throw truncated()
  return head
}

const truncated = () => new DerError('truncated', 'The structure ends before its length says.')

/** Walks all elements without recursion or allocation for each; `ends` holds where the open ones end. */
function checkFraming(bytes: Buffer, { maxDepth, maxElements }: { maxDepth: number; maxElements: number }): void {
  const ends = [bytes.length]
  let at = 0
  for (let elements = 0; at < bytes.length; elements++) {
    if (elements >= maxElements) throw new DerError('too-many-elements', `There are more than ${maxElements} elements.`)
    while (ends.at(-1) === at) ends.pop()
    const { contentStart, end } = readHead(bytes, at, ends.at(-1) ?? bytes.length)
    if ((bytes[at] ?? 0) & CONSTRUCTED) {
      if (ends.length > maxDepth) throw new DerError('too-deep', `The nesting is deeper than ${maxDepth}.`)
      if (end > contentStart) ends.push(end)
      at = contentStart
    } else {
      at = end
    }
  }
}

/** One element. The framing below it has been checked; what its content means has not. */
export class DerNode {
  readonly #bytes: Buffer
  readonly #start: number
  readonly #contentStart: number
  readonly #end: number

  constructor(bytes: Buffer, start: number, contentStart: number, end: number) {
    this.#bytes = bytes
    this.#start = start
    this.#contentStart = contentStart
    this.#end = end
  }

  get tag(): number {
    return this.#bytes[this.#start] ?? 0
  }

  /** The element with tag and length. */
  get raw(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end)
  }

  get content(): Buffer {
    return this.#bytes.subarray(this.#contentStart, this.#end)
  }

  /** The elements inside; only constructed elements have any. */
  get children(): DerNode[] {
    if (!(this.tag & CONSTRUCTED)) throw wrongTag('a constructed element', this.tag)
    const found: DerNode[] = []
    for (let at = this.#contentStart; at < this.#end;) {
      const { contentStart, end } = readHead(this.#bytes, at, this.#end)
      found.push(new DerNode(this.#bytes, at, contentStart, end))
      at = end
    }
    return found
  }

  /** The first element inside, without looking at the others. */
  get first(): DerNode {
    if (!(this.tag & CONSTRUCTED) || this.#contentStart === this.#end) throw badValue('An element is missing.')
    const { contentStart, end } = readHead(this.#bytes, this.#contentStart, this.#end)
    return new DerNode(this.#bytes, this.#contentStart, contentStart, end)
  }

  /** Passes if the element has this tag. */
  expect(tag: number): DerNode {
    if (this.tag !== tag) throw wrongTag(`tag 0x${tag.toString(16)}`, this.tag)
    return this
  }

  /** The single element inside an explicit tag. */
  get only(): DerNode {
    const [first, ...others] = this.children
    if (first === undefined || others.length > 0) throw badValue('Exactly one element was expected.')
    return first
  }

  /** The fields of a SEQUENCE (or of the tag given), to be taken in order. */
  fields(tag: number = TAG.sequence): DerFields {
    return new DerFields(this.expect(tag).children)
  }

  /** The elements of a SET or SEQUENCE OF. */
  items(tag: number = TAG.sequence): DerNode[] {
    return this.expect(tag).children
  }

  get boolean(): boolean {
    const { content } = this.expect(TAG.boolean)
    if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw badValue('A BOOLEAN is 00 or FF.')
    return content[0] === 0xff
  }

  /** The minimal two's complement bytes of an INTEGER. */
  get integerBytes(): Buffer {
    return checkInteger(this.expect(TAG.integer).content)
  }

  /** An INTEGER (or, with the tag given, an ENUMERATED) that fits into six bytes. */
  smallInteger(tag: number = TAG.integer): number {
    const content = checkInteger(this.expect(tag).content)
    if (content.length > 6) throw badValue('An INTEGER is out of range.')
    return content.readIntBE(0, content.length)
  }

  get oid(): string {
    return decodeOid(this.expect(TAG.oid).content)
  }

  get octets(): Buffer {
    return this.expect(TAG.octetString).content
  }

  /** The bytes of a BIT STRING that holds whole bytes (keys, signatures). */
  get bitStringBytes(): Buffer {
    const { content } = this.expect(TAG.bitString)
    if (content[0] !== 0) throw badValue('A BIT STRING of whole bytes was expected.')
    return content.subarray(1)
  }

  /** The numbers of the bits that are set, for named bit lists such as key usage. */
  get bits(): number[] {
    const { content } = this.expect(TAG.bitString)
    const unused = content[0] ?? 8
    if (unused > 7 || (content.length === 1 && unused > 0)) throw badValue('A BIT STRING is malformed.')
    const count = (content.length - 1) * 8 - unused
    return Array.from({ length: Math.min(count, 64) }, (_, bit) => bit).filter(
      (bit) => (content[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7)),
    )
  }

  /** UTCTime or GeneralizedTime as DER writes them: UTC, seconds, and only where allowed a fraction (RFC 3161). */
  time({ withFraction = false } = {}): Date {
    const text = this.content.toString('latin1')
    if (this.tag === TAG.utcTime) return parseTime(expandYear(text))
    if (this.tag !== TAG.generalizedTime) throw wrongTag('a time', this.tag)
    if (!withFraction && text.includes('.')) throw badValue('A fraction of a second is not allowed here.')
    return parseTime(text)
  }

  /** The text of any ASN.1 string type. */
  get text(): string {
    const text = decodeText(this.tag, this.content)
    if (text === undefined) throw wrongTag('a string', this.tag)
    return text
  }
}

/** Takes the fields of a SEQUENCE in order and notices what is missing or left over. */
export class DerFields {
  readonly #nodes: DerNode[]
  #at = 0

  constructor(nodes: DerNode[]) {
    this.#nodes = nodes
  }

  /** The next field; with a tag, it must have that tag. */
  next(tag?: number): DerNode {
    const node = this.#nodes[this.#at++]
    if (node === undefined) throw badValue('A field is missing.')
    return tag === undefined ? node : node.expect(tag)
  }

  /** The next field if it has one of these tags. */
  optional(...tags: number[]): DerNode | undefined {
    const node = this.#nodes[this.#at]
    if (node === undefined || !tags.includes(node.tag)) return undefined
    this.#at++
    return node
  }

  /** Passes if every field has been taken. */
  end(): void {
    if (this.#at < this.#nodes.length) throw badValue('There is a field too many.')
  }
}

const wrongTag = (wanted: string, tag: number) =>
  new DerError('unexpected-tag', `Expected ${wanted}, found 0x${tag.toString(16)}.`)
