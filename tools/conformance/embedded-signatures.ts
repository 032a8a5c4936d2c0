// Finds the signatures of a file with nothing of the engine: a regular expression on the bytes and a DER walker of a few
// lines. It only understands files like ours, and shares no mistake with the code that signs them.

export interface EmbeddedSignature {
  readonly subFilter: string
  /** The bytes that the signature is about: everything but the gap. */
  readonly signedBytes: Buffer
  /** The CMS alone, without the zeros after it. */
  readonly cms: Buffer
  /** Where the signed bytes end in the file. */
  readonly end: number
}

/** Every signature and document timestamp from an offset on, in the order in which they stand. */
export function findSignatures(pdf: Buffer, offset = 0): EmbeddedSignature[] {
  const text = pdf.toString('latin1')
  const pattern = /\/ByteRange *\[ *0 +(\d+) +(\d+) +(\d+) *\]/g
  pattern.lastIndex = offset
  return Array.from(text.matchAll(pattern), (match) => {
    const [gap, afterGap, rest] = match.slice(1).map(Number) as [number, number, number]
    const contents = text.slice(gap, afterGap)
    if (!/^<[0-9a-fA-F]+>$/.test(contents)) throw new Error('The gap of a byte range is not one hexadecimal string.')
    const bytes = Buffer.from(contents.slice(1, -1), 'hex')
    const dictionary = text.slice(text.lastIndexOf(' obj', gap), text.indexOf('endobj', afterGap))
    return {
      subFilter: /\/SubFilter *\/([\w.]+)/.exec(dictionary)?.[1] ?? '',
      signedBytes: Buffer.concat([pdf.subarray(0, gap), pdf.subarray(afterGap, afterGap + rest)]),
      cms: readDerElement(bytes).whole,
      end: afterGap + rest,
    }
  })
}

export interface DerElement {
  readonly tag: number
  readonly content: Buffer
  readonly whole: Buffer
}

/** The element that begins at the offset. */
export function readDerElement(bytes: Buffer, offset = 0): DerElement {
  const first = bytes.readUInt8(offset + 1)
  const lengthBytes = first < 0x80 ? 0 : first - 0x80
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(offset + 2, lengthBytes)
  const begin = offset + 2 + lengthBytes
  if (begin + length > bytes.length) throw new Error('A DER element is longer than what holds it.')
  const tag = bytes.readUInt8(offset)
  return { tag, content: bytes.subarray(begin, begin + length), whole: bytes.subarray(offset, begin + length) }
}

export function derChildren({ content }: DerElement): DerElement[] {
  const children: DerElement[] = []
  for (let at = 0; at < content.length;) {
    const child = readDerElement(content, at)
    children.push(child)
    at += child.whole.length
  }
  return children
}

export interface SignerParts {
  readonly certificates: DerElement[]
  /** What the CMS carries itself: a timestamp's TSTInfo; undefined for a signature over something else. */
  readonly carried: Buffer | undefined
  readonly digestAlgorithm: DerElement
  readonly signedAttributes: DerElement
  readonly signatureAlgorithm: DerElement
  readonly signature: Buffer
  /** The token of the unsigned attributes. */
  readonly timestamp: Buffer | undefined
}

const SIGNATURE_TIMESTAMP = Buffer.from('060b2a864886f70d010910020e', 'hex')

/** Takes a CMS with one signer apart (RFC 5652 5.1 and 5.3). */
export function readSigner(cms: Buffer): SignerParts {
  const signedData = derChildren(present(derChildren(readDerElement(cms))[1]))[0]
  const parts = derChildren(present(signedData))
  const [signer, ...others] = derChildren(present(parts.at(-1)))
  if (others.length > 0) throw new Error('There is more than one signer.')
  const [, , digestAlgorithm, signedAttributes, signatureAlgorithm, signature, unsigned] = derChildren(present(signer))
  const carried = derChildren(present(parts[2]))[1]
  return {
    certificates: derChildren(present(parts.find(({ tag }) => tag === 0xa0))),
    carried: carried && readDerElement(carried.content).content,
    digestAlgorithm: present(digestAlgorithm),
    signedAttributes: present(signedAttributes),
    signatureAlgorithm: present(signatureAlgorithm),
    signature: present(signature).content,
    timestamp: unsigned && findTimestamp(unsigned),
  }
}

function findTimestamp(unsigned: DerElement): Buffer | undefined {
  const attributes = derChildren(unsigned).map(derChildren)
  const found = attributes.find(([id]) => id?.whole.equals(SIGNATURE_TIMESTAMP))
  return found && derChildren(present(found[1]))[0]?.whole
}

function present(element: DerElement | undefined): DerElement {
  if (element === undefined) throw new Error('The CMS lacks a part.')
  return element
}
