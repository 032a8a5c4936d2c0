// Checks signatures with nothing of the engine: regular expressions on the bytes, a DER walker of a few lines and
// node:crypto. It knows less than a validator, but it shares no mistake with the code that signs.
import assert from 'node:assert/strict'
import { constants, createHash, verify, X509Certificate } from 'node:crypto'

interface Element {
  tag: number
  content: Buffer
  whole: Buffer
}

function readElement(bytes: Buffer, at = 0): Element {
  let header = 2
  let length = bytes[at + 1] as number
  if (length & 0x80) {
    header += length & 0x7f
    length = bytes.readUIntBE(at + 2, length & 0x7f)
  }
  const end = at + header + length
  return { tag: bytes[at] as number, content: bytes.subarray(at + header, end), whole: bytes.subarray(at, end) }
}

function children({ content }: Element): Element[] {
  const list: Element[] = []
  for (let at = 0; at < content.length; at += (list.at(-1) as Element).whole.length) list.push(readElement(content, at))
  return list
}

const MESSAGE_DIGEST = '06092a864886f70d010904'
const SIGNING_CERTIFICATE_V2 = '060b2a864886f70d010910022f'
const CONTENT_TYPE = '06092a864886f70d010903'
const TIMESTAMP_TOKEN = '060b2a864886f70d010910020e'
const HASHES: Record<string, string> = { '608648016503040201': 'sha256', '608648016503040202': 'sha384' }

export interface CheckedSignature {
  subFilter: string
  /** The bytes that it covers, and the CMS without padding. */
  content: Buffer
  contents: Buffer
  coversWholeFile: boolean
  /** The revision that it covers. */
  coveredBytes: number
  hasTimestamp: boolean
  paddingBytes: number
}

/** Every signature and timestamp of the file, each one verified; throws where one does not hold. */
export function checkSignatures(pdf: Buffer): CheckedSignature[] {
  const text = pdf.toString('latin1')
  return Array.from(text.matchAll(/\/ByteRange \[0 (\d+) (\d+) (\d+)\] *\/Contents /g), (match) => {
    const [before, after, rest] = match.slice(1).map(Number) as [number, number, number]
    assert.equal(before, match.index + match[0].length, 'the gap begins right at the contents')
    assert.match(text.slice(before, after), /^<[0-9a-f]+>$/, 'the gap is one hexadecimal string')
    const signed = Buffer.concat([pdf.subarray(0, before), pdf.subarray(after, after + rest)])
    const contents = Buffer.from(text.slice(before + 1, after - 1), 'hex')
    const dictionary = text.slice(text.lastIndexOf(' obj', before), before)
    const subFilter = /\/SubFilter \/([\w.]+)/.exec(dictionary)?.[1] ?? ''
    const cms = readElement(contents)
    assert(
      contents.subarray(cms.whole.length).every((byte) => byte === 0),
      'only zeros follow the CMS',
    )
    const hasTimestamp =
      subFilter === 'ETSI.RFC3161'
        ? checkToken(cms, signed)
        : checkCms(cms, signed, [CONTENT_TYPE, MESSAGE_DIGEST, SIGNING_CERTIFICATE_V2])
    const coveredBytes = after + rest
    return {
      subFilter,
      content: signed,
      contents: cms.whole,
      coversWholeFile: coveredBytes === pdf.length,
      coveredBytes,
      hasTimestamp,
      paddingBytes: contents.length - cms.whole.length,
    }
  })
}

function partsOf(cms: Element) {
  const [, explicit] = children(cms) as [Element, Element]
  const signedData = children(children(explicit)[0] as Element)
  const certificates = children(signedData.find(({ tag }) => tag === 0xa0) as Element).map(
    ({ whole }) => new X509Certificate(whole),
  )
  const signers = children(signedData.at(-1) as Element)
  assert.equal(signers.length, 1, 'there is one signer')
  return { contentInfo: signedData[2] as Element, certificates, signer: children(signers[0] as Element) }
}

/** Verifies a CMS over the content; answers whether it carries a signature timestamp, which is verified too. */
function checkCms(cms: Element, content: Buffer, onlyAttributes?: string[]): boolean {
  const { certificates, signer } = partsOf(cms)
  const [, identifier, digestAlgorithm, attributes, signatureAlgorithm, signature] = signer as [
    Element,
    Element,
    Element,
    Element,
    Element,
    Element,
  ]
  const hash = HASHES[(children(digestAlgorithm)[0] as Element).content.toString('hex')] as string
  const values = new Map(
    children(attributes).map((attribute) => {
      const [id, set] = children(attribute) as [Element, Element]
      return [id.whole.toString('hex'), children(set)[0] as Element]
    }),
  )
  if (onlyAttributes !== undefined) assert.deepEqual([...values.keys()].sort(), [...onlyAttributes].sort())
  assert(values.get(MESSAGE_DIGEST)?.content.equals(createHash(hash).update(content).digest()), 'the digest fits')
  const serial = (children(identifier)[1] as Element).content.toString('hex').replace(/^0+/, '')
  const certificate = certificates.find((one) => one.serialNumber.toLowerCase().replace(/^0+/, '') === serial)
  assert(certificate, 'the signer’s certificate is there')
  const isPss = (children(signatureAlgorithm)[0] as Element).content.toString('hex') === '2a864886f70d01010a'
  const padding = isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}
  const asSet = Buffer.concat([Buffer.from([0x31]), attributes.whole.subarray(1)])
  assert(verify(hash, asSet, { key: certificate.publicKey, ...padding }, signature.content), 'the signature fits')
  return checkUnsigned(signer[6], signature.content)
}

function checkUnsigned(unsigned: Element | undefined, signature: Buffer): boolean {
  if (unsigned === undefined) return false
  const [id, set] = children(children(unsigned)[0] as Element) as [Element, Element]
  assert.equal(id.whole.toString('hex'), TIMESTAMP_TOKEN)
  checkToken(children(set)[0] as Element, signature)
  return true
}

function checkToken(token: Element, stamped: Buffer): boolean {
  const { contentInfo } = partsOf(token)
  const info = children(children(contentInfo)[1] as Element)[0] as Element
  const [, , imprint] = children(readElement(info.content)) as [Element, Element, Element]
  const [algorithm, digest] = children(imprint) as [Element, Element]
  const hash = HASHES[(children(algorithm)[0] as Element).content.toString('hex')] as string
  assert(digest.content.equals(createHash(hash).update(stamped).digest()), 'the timestamp is over these bytes')
  checkCms(token, info.content)
  return true
}
