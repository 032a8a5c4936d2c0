// A key at a remote signing service that speaks the API of the Cloud Signature Consortium, version 2. The service signs a
// digest only after an authorisation that names that very digest. How requests travel is handed in.
import { hashOf, type SignatureAlgorithm } from './algorithms.ts'
import { parseCertificate, publicKeyOf } from './certificate.ts'
import { ecdsaToDer } from './ecdsa-signature.ts'
import { PkiError } from './errors.ts'
import { OID } from './oids.ts'
import type { DigestKey, RawSigner } from './raw-signer.ts'

/** Posts a JSON body to a method of the service, such as `credentials/info`, and answers with the JSON that comes back. */
export type CscTransport = (method: string, body: Record<string, unknown>) => Promise<unknown>

export interface CscOptions {
  post: CscTransport
  credentialId: string
  algorithm: SignatureAlgorithm
  /** What the service asks for besides the access token, such as a PIN: by the ids of its `authObjects`. */
  secrets?: Record<string, string>
}

const HASH_OIDS = { sha256: OID.sha256, sha384: OID.sha384 } as const
const SIGNATURE_OIDS: Record<SignatureAlgorithm, string> = {
  ES256: OID.ecdsaWithSha256,
  ES384: OID.ecdsaWithSha384,
  PS256: OID.rsaPss,
  RS256: OID.sha256WithRsa,
}
/** RFC 4055 3.1: SHA-256, MGF1 with SHA-256, 32 bytes of salt. */
const PSS_PARAMETERS = 'MDSgDzANBglghkgBZQMEAgEFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgEFAKIDAgEg'
const MOST_CERTIFICATES = 10

/** Asks the service for the credential's certificates and answers with a signer that uses its key. */
export async function cscSigner({ post, credentialId, algorithm, secrets = {} }: CscOptions): Promise<RawSigner> {
  const info = await call(post, 'credentials/info', {
    credentialID: credentialId,
    certificates: 'chain',
    certInfo: true,
    authInfo: true,
  })
  const [certificate, ...chain] = readCertificates(info)
  const key = cscKey({ post, credentialId, algorithm, secrets }, certificate!)
  return { certificate: certificate!, chain, ...key }
}

/** The key of a credential whose certificate is known already. */
export function cscKey({ post, credentialId, algorithm, secrets = {} }: CscOptions, certificate: Buffer): DigestKey {
  const publicKey = publicKeyOf(parseCertificate(certificate))
  const hashOid = HASH_OIDS[hashOf(algorithm) as keyof typeof HASH_OIDS]
  return {
    algorithm,
    async signDigest(digest) {
      const hashes = [digest.toString('base64')]
      const authorisation = await call(post, 'credentials/authorize', {
        credentialID: credentialId,
        numSignatures: 1,
        hashes,
        hashAlgorithmOID: hashOid,
        authData: Object.entries(secrets).map(([id, value]) => ({ id, value })),
      })
      const answer = await call(post, 'signatures/signHash', {
        credentialID: credentialId,
        SAD: readText(authorisation, 'SAD'),
        hashes,
        hashAlgorithmOID: hashOid,
        signAlgo: SIGNATURE_OIDS[algorithm],
        ...(algorithm === 'PS256' && { signAlgoParams: PSS_PARAMETERS }),
        operationMode: 'S',
      })
      return toDer(readSignature(answer), algorithm, publicKey.asymmetricKeyDetails?.namedCurve)
    },
  }
}

type Answer = Record<string, unknown>

async function call(post: CscTransport, method: string, body: Answer): Promise<Answer> {
  const answer = await post(method, body)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw refused(method, 'the answer is no object')
  const { error, error_description: description } = answer as Answer
  if (error !== undefined)
    throw refused(method, `${plain(error)}${description === undefined ? '' : `, ${plain(description)}`}`)
  return answer as Answer
}

function refused(method: string, why: string): PkiError {
  return new PkiError('remote-signer-refused', `The remote signing service refused ${method}: ${why.slice(0, 200)}.`)
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function readCertificates(info: Answer): Buffer[] {
  const { cert, key } = info as { cert?: { certificates?: unknown; status?: unknown }; key?: { status?: unknown } }
  if (cert?.status !== undefined && cert.status !== 'valid')
    throw refused('credentials/info', `the certificate is ${plain(cert.status)}`)
  if (key?.status !== undefined && key.status !== 'enabled')
    throw refused('credentials/info', `the key is ${plain(key.status)}`)
  const texts = cert?.certificates
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > MOST_CERTIFICATES) {
    throw refused('credentials/info', 'it names no certificate')
  }
  return texts.map((text) => Buffer.from(String(text), 'base64'))
}

function readSignature(answer: Answer): Buffer {
  const { signatures } = answer
  if (!Array.isArray(signatures) || signatures.length !== 1)
    throw refused('signatures/signHash', 'one signature was expected')
  return Buffer.from(String(signatures[0]), 'base64')
}

function readText(answer: Answer, name: string): string {
  const value = answer[name]
  if (typeof value !== 'string' || value === '') throw refused('credentials/authorize', `${name} is missing`)
  return value
}

const NUMBER_BYTES: Record<string, number> = { prime256v1: 32, secp384r1: 48 }

/** Services answer in either form. Two bare numbers have exactly the length of two numbers; DER is longer or begins a sequence that fits. */
function toDer(signature: Buffer, algorithm: SignatureAlgorithm, curve: string | undefined): Buffer {
  if (algorithm !== 'ES256' && algorithm !== 'ES384') return signature
  const bareBytes = 2 * (NUMBER_BYTES[curve ?? ''] ?? 0)
  const looksLikeDer = signature[0] === 0x30 && signature[1] === signature.length - 2
  return signature.length === bareBytes && !looksLikeDer ? ecdsaToDer(signature) : signature
}
