// What is the same for every signature of one signer. Made once: encoding certificates takes longer than signing.
import type { KeyObject } from 'node:crypto'
import { parseCertificate, publicKeyOf } from '#pki/certificate.ts'
import { assembleCms, buildSignedAttributes, cmsTemplate, type CmsTemplate } from '#pki/cms.ts'
import type { SignerIdentity } from '#pki/raw-signer.ts'

export interface SignerParts {
  readonly template: CmsTemplate
  readonly publicKey: KeyObject
  /** The most that a CMS without timestamp takes. */
  readonly cmsBytes: number
}

/** The longest signature values: RSA 4096, and DER of P-256 and P-384. */
const SIGNATURE_BYTES = { ES256: 72, ES384: 104, PS256: 512, RS256: 512 } as const

const known = new WeakMap<Buffer, { chain: Buffer[]; parts: SignerParts }>()

/** Remembered for as long as somebody holds the very same certificate and chain. */
export function signerParts(identity: SignerIdentity): SignerParts {
  const found = known.get(identity.certificate)
  if (found?.chain === identity.chain) return found.parts
  const parts = makeParts(identity)
  known.set(identity.certificate, { chain: identity.chain, parts })
  return parts
}

function makeParts(identity: SignerIdentity): SignerParts {
  const template = cmsTemplate(identity)
  const digest = Buffer.alloc(template.hash === 'sha384' ? 48 : 32)
  const signedAttributes = buildSignedAttributes(template, digest)
  const signature = Buffer.alloc(SIGNATURE_BYTES[identity.algorithm])
  return {
    template,
    publicKey: publicKeyOf(parseCertificate(identity.certificate)),
    cmsBytes: assembleCms(template, { signedAttributes, signature }).length,
  }
}
