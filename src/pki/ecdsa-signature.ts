// ECDSA signatures in their two forms: DER, as certificates and CMS carry them (RFC 3279 2.2.3), and the two numbers
// side by side at full length, as PKCS #11, WebCrypto and some remote services give them.
import { integer, sequence } from './der.ts'
import { readDer } from './der-reader.ts'
import { PkiError } from './errors.ts'

/** From r and s side by side to DER; leading zeros go, and one returns where the top bit is set. */
export function ecdsaToDer(raw: Buffer): Buffer {
  if (raw.length === 0 || raw.length % 2 !== 0)
    throw new PkiError('bad-argument', 'Two numbers of equal length were expected.')
  const half = raw.length / 2
  return sequence(integer(raw.subarray(0, half)), integer(raw.subarray(half)))
}

/** From DER to r and s side by side, each padded to the length of the curve's order. */
export function ecdsaFromDer(der: Buffer, numberBytes: number): Buffer {
  const fields = readDer(der).fields()
  const r = padNumber(fields.next().integerBytes, numberBytes)
  const s = padNumber(fields.next().integerBytes, numberBytes)
  fields.end()
  return Buffer.concat([r, s])
}

function padNumber(content: Buffer, numberBytes: number): Buffer {
  const digits = content[0] === 0 ? content.subarray(1) : content
  const isNegative = ((content[0] ?? 0) & 0x80) !== 0
  if (isNegative || digits.length > numberBytes)
    throw new PkiError('malformed', 'The signature does not fit the curve.')
  return Buffer.concat([Buffer.alloc(numberBytes - digits.length), digits])
}
