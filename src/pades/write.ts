// How single values are written (ISO 32000-2, 7.3).

/** What an object is built from: text of Latin-1 characters, or bytes. */
export type Piece = string | Buffer

/** An object by its number, as the writer needs it. */
export interface ObjectId {
  readonly number: number
  readonly generation: number
}

export const toBytes = (piece: Piece): Buffer => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)

export const reference = ({ number, generation }: ObjectId): string => `${number} ${generation} R`

/** A name with its slash; whatever is not a plain character is written as #xx. */
export function name(value: string): string {
  return `/${value.replace(/[^!-~]|[#()<>[\]{}/%]/g, (char) => `#${char.charCodeAt(0).toString(16).padStart(2, '0')}`)}`
}

/** A text string. Plain ASCII stays readable, everything else becomes UTF-16BE in hexadecimal. */
export function textString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, (char) => `\\${char}`)})`
  return hexString(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())
}

export const hexString = (bytes: Buffer): string => `<${bytes.toString('hex')}>`

/** A date in UTC with whole seconds (7.9.4). */
export function dateString(at: Date): string {
  return `(D:${at.toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '')})`
}

/** A coordinate with at most three decimals and never in exponential form. */
export function decimal(value: number): string {
  const text = value.toFixed(3).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}
