// Base64 inside a JSON string, decoded as it arrives. Node's own decoder skips what it does not know; the length of what
// comes out tells whether it skipped anything, so the strictness costs nothing.

const LAST_QUANTUM = /^[A-Za-z0-9+/_-]{2}(?:[A-Za-z0-9+/_-]{2}|[A-Za-z0-9+/_-]=|==)$/
const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/
const ESCAPE = /\\(u[0-9a-fA-F]{4}|.?)/gs
const NOTHING = Buffer.alloc(0)

/** Takes pieces of the text between the quotation marks, cut anywhere. Line breaks, written as escapes, are skipped. */
export class Base64Decoder {
  readonly #refuse: (why: string) => Error
  #cutEscape = ''
  #held = ''

  /** `refuse` makes the error for a text that is not Base64. */
  constructor(refuse: (why: string) => Error) {
    this.#refuse = refuse
  }

  /** The bytes that are certain so far. The last quantum waits for finish(), because only there padding may stand. */
  decode(piece: Buffer): Buffer {
    const text = this.#held + this.#unescape(piece.toString('latin1'))
    const certain = text.length === 0 ? 0 : (text.length - 1) & ~3
    this.#held = text.slice(certain)
    return certain === 0 ? NOTHING : this.#decodeWhole(text.slice(0, certain))
  }

  finish(): Buffer {
    if (this.#cutEscape !== '') throw this.#refuse('a quotation mark or a cut escape stands in it')
    if (this.#held === '') return NOTHING
    if (!LAST_QUANTUM.test(this.#held))
      throw this.#refuse('it ends with wrong padding, a strange character or too early')
    return Buffer.from(this.#held, 'base64')
  }

  #decodeWhole(text: string): Buffer {
    const bytes = Buffer.from(text, 'base64')
    if (bytes.length !== (text.length / 4) * 3) throw this.#refuse('a character that does not belong stands in it')
    return bytes
  }

  #unescape(piece: string): string {
    const text = this.#cutEscape + piece
    this.#cutEscape = ''
    if (!text.includes('\\')) return text
    this.#cutEscape = CUT_ESCAPE.exec(text.slice(-5))?.[0] ?? ''
    const whole = text.slice(0, text.length - this.#cutEscape.length).replaceAll('\\/', '/')
    return whole.includes('\\') ? whole.replace(ESCAPE, (_, escape: string) => this.#character(escape)) : whole
  }

  #character(escape: string): string {
    if (escape === 'n' || escape === 'r') return ''
    if (escape === '/') return escape
    const character = escape.startsWith('u') ? Number.parseInt(escape.slice(1), 16) : Number.NaN
    // Node's decoder looks at the low byte alone: U+0141 would pass for an A.
    if (!(character < 0x80)) throw this.#refuse('an escape that means no Base64 character stands in it')
    return character === 0x0a || character === 0x0d ? '' : String.fromCharCode(character)
  }
}
