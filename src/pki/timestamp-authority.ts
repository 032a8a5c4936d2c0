// A small timestamp authority (RFC 3161), for installations that have no other. It keeps no state: clock, serial
// number and key come in with each call.
import { createHash } from 'node:crypto'
import { hashIdentifier, type HashName } from './algorithms.ts'
import { assembleTimestampToken, buildSignedAttributes, cmsTemplate, type CmsTemplate } from './cms.ts'
import { element, generalizedTime, integer, namedBits, octetString, oid, sequence, TAG, utf8String } from './der.ts'
import { PkiError } from './errors.ts'
import { newSerial } from './issue-certificate.ts'
import { PRODUCT_POLICY } from './oids.ts'
import { signWith, type RawSigner } from './raw-signer.ts'
import { parseTimestampRequest, type TimestampRequest } from './timestamp.ts'

export interface TimestampAuthority {
  signer: RawSigner
  /** The policy that it works under; the product's own unless given. */
  policy?: string
  /** Made once with cmsTemplate(signer) to save work; made on the spot if absent. */
  template?: CmsTemplate
}

/** PKIFailureInfo by the numbers of its bits (RFC 3161 2.4.2). */
const FAILURE = {
  badAlg: 0,
  badDataFormat: 5,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
} as const

const ACCEPTED_HASHES = new Map<HashName, number>([
  ['sha256', 32],
  ['sha384', 48],
  ['sha512', 64],
])
const GRANTED = sequence(integer(0))
const VERSION_1 = integer(1)
const OWN_POLICY = oid(PRODUCT_POLICY.timestamp)
const REJECTION = 2
// Whole seconds are written, so the true time lies up to a second after them.
const ACCURACY = sequence(integer(1))

/** Answers a TimeStampReq with a TimeStampResp; a bad request gets a rejection, never an exception. */
export async function issueTimestamp(
  request: Buffer,
  authority: TimestampAuthority,
  { now, serial }: { now: Date; serial?: Buffer },
): Promise<Buffer> {
  const policy = authority.policy ?? PRODUCT_POLICY.timestamp
  const read = readRequest(request)
  if ('rejection' in read) return read.rejection
  const problem = findProblem(read, policy)
  if (problem) return problem
  const template = authority.template ?? cmsTemplate(authority.signer)
  const info = timestampInfo(read, { policy, now, serial: serial ?? newSerial() })
  const withCertificate = read.wantsCertificate ? template : { ...template, certificates: Buffer.alloc(0) }
  return sequence(GRANTED, await signInfo(info, authority.signer, withCertificate))
}

type Imprint = { hash: HashName; digest: Buffer }

/** The token alone, for whoever shares the authority's process: no request and no answer need be written and read. */
export async function issueTimestampToken(
  imprint: Imprint,
  { signer, policy = PRODUCT_POLICY.timestamp, template = cmsTemplate(signer) }: TimestampAuthority,
  { now }: { now: Date },
): Promise<Buffer> {
  const info = timestampInfo({ ...imprint, nonce: undefined }, { policy, now, serial: newSerial() })
  return signInfo(info, signer, template)
}

async function signInfo(info: Buffer, signer: RawSigner, template: CmsTemplate): Promise<Buffer> {
  const digest = createHash(template.hash).update(info).digest()
  const signedAttributes = buildSignedAttributes(template, digest, 'timestamp')
  const signature = await signWith(signer, signedAttributes)
  return assembleTimestampToken(template, info, { signedAttributes, signature })
}

function timestampInfo(
  { hash, digest, nonce }: Imprint & Pick<TimestampRequest, 'nonce'>,
  { policy, now, serial }: { policy: string; now: Date; serial: Buffer },
): Buffer {
  return sequence(
    VERSION_1,
    policy === PRODUCT_POLICY.timestamp ? OWN_POLICY : oid(policy),
    sequence(hashIdentifier(hash), octetString(digest)),
    integer(serial),
    generalizedTime(now),
    ACCURACY,
    ...(nonce === undefined ? [] : [element(TAG.integer, nonce)]),
  )
}

function readRequest(der: Buffer): TimestampRequest | { rejection: Buffer } {
  try {
    return parseTimestampRequest(der)
  } catch (error) {
    if (!(error instanceof PkiError)) throw error
    return { rejection: reject(error.code === 'unsupported' ? 'badAlg' : 'badDataFormat', error.message) }
  }
}

function findProblem(request: TimestampRequest, ours: string): Buffer | undefined {
  const { hash, digest, policy, hasExtensions } = request
  const length = ACCEPTED_HASHES.get(hash)
  if (length === undefined) return reject('badAlg', `The hash ${hash} is not accepted.`)
  if (digest.length !== length) return reject('badDataFormat', 'The digest has the wrong length.')
  if (policy !== undefined && policy !== ours) return reject('unacceptedPolicy', 'Only our own policy is offered.')
  if (hasExtensions) return reject('unacceptedExtension', 'Request extensions are not offered.')
  return undefined
}

const reject = (failure: keyof typeof FAILURE, words: string) =>
  sequence(sequence(integer(REJECTION), sequence(utf8String(words)), namedBits([FAILURE[failure]])))
