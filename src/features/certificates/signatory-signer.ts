import { makeSignatoryCertificate } from '#pki/authority.ts'
import { generateKey, memorySigner, type RawSigner } from '#pki/raw-signer.ts'
import type { Platform } from '#platform/platform.ts'
import { keepIssued } from './issue.ts'
import { ensureTenantAuthority, published } from './tenant-authority.ts'

export type NewSignatory = {
  tenantId: string
  requestId: string
  /** As it will stand in the certificate. */
  name: string
  /** Only where the tenant has opted in: everybody can read it there. */
  personalIdentifier?: string
  /** What was really done to authenticate the person, in words. */
  authentication: string
  now: Date
}

const ALGORITHM = 'ES256'

/** A certificate for one person and one signing. Its key exists in this process alone and is gone with the signer. */
export async function issueSignatorySigner(platform: Platform, signatory: NewSignatory): Promise<RawSigner> {
  const { tenantId, requestId, name, personalIdentifier, authentication, now } = signatory
  const { issuing, responder } = await ensureTenantAuthority(platform, { tenantId, now })
  const { publicKey, privateKey } = await generateKey(ALGORITHM)
  const certificate = await makeSignatoryCertificate(issuing, {
    publicKey,
    name,
    requestId,
    ...(personalIdentifier !== undefined && { personalIdentifier }),
    authentication,
    now,
    ...published(platform),
  })
  // The chain of every signatory is the same, so it is not kept with each.
  const issued = { platform, tenantId, kind: 'signatory', requestId, certificate, chain: [], issuer: issuing } as const
  await platform.db.transaction(tenantId, (tx) => keepIssued(tx, { ...issued, responder, now }))
  return memorySigner({ certificate, chain: [issuing.certificate], algorithm: ALGORITHM, privateKey })
}
