// The evidence of a request: who signed what, when, and how each was known. A PDF for people with the same facts inside
// for programs, sealed like the documents themselves.
import { readWholeHistory } from '#features/event/index.ts'
import { writeEvidencePdf, type EvidenceFacts } from '#features/evidence/index.ts'
import { keepDocument } from '#features/storage/index.ts'
import { createSignatureFields } from '#pades/fields.ts'
import { bufferSource } from '#pades/source.ts'
import type { ValidationData } from '#pades/validation-data.ts'
import { parseCertificate } from '#pki/certificate.ts'
import { formatName } from '#pki/names.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import { findSender } from '#platform/auth/sender-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { baseUrl } from '../get-link.ts'
import { requireSoundFile } from './check-file.ts'
import type { SealedDocument } from './close-request.ts'
import { describeAuthentication } from './describe-authentication.ts'
import { keepBytes, type KeptBytes } from './document-bytes.ts'
import type { Flow, FlowKey } from './flow.ts'
import { listConfirmations, listPeople } from './flow-statements.ts'
import { endIntent } from './intent-statements.ts'
import { makeSignatures } from './make-signatures.ts'
import { nameOf } from './people.ts'
import { archive } from './seal.ts'

export type KeptEvidence = { content: KeptBytes; intentId: string }

export type MakeEvidence = {
  key: FlowKey
  flow: Flow
  sealed: readonly SealedDocument[]
  signer: RawSigner
  proofs: readonly ValidationData[]
  now: Date
}

const FIELD = 'Seal'
const POLICY = 'Seal of the department over the evidence'

/** Writes, seals and stores the evidence; no row points at it yet. */
export async function makeEvidence(platform: Platform, making: MakeEvidence): Promise<KeptEvidence> {
  const { key, signer, now } = making
  const { tenantId, requestId } = key
  const facts = await platform.db.transaction(tenantId, (tx) => collectFacts(tx, platform, making))
  const pdf = await writeEvidencePdf(facts)
  const bytes = Buffer.concat([pdf, await createSignatureFields(bufferSource(pdf), [{ name: FIELD }])])
  const [made] = await makeSignatures(platform, {
    tenantId,
    requestId,
    signatoryId: null,
    signer,
    policy: POLICY,
    name: 'Seal',
    documents: [{ documentId: null, bytes, field: FIELD }],
    now,
  })
  const { intentId, timestampToken, stampedAt } = made!
  const sealing = { tenantId, bytes: made!.bytes, sealCertificate: signer.certificate, timestampToken, stampedAt }
  const lasting = await archive(platform, { ...sealing, proofs: [] })
  const { ocsps, crls } = lasting.validationData
  const time = platform.clock.now()
  const file = { tenantId, bytes: lasting.bytes, fields: [FIELD], level: 'B-LTA' as const, ocsps, crls, time }
  await requireSoundFile(platform, file)
  return { content: await keepBytes(platform, { tenantId, bytes: lasting.bytes }), intentId }
}

/** Makes the evidence part of the request; answers with its uri. */
export async function publishEvidence(
  tx: Tx,
  { tenantId, flow, evidence, now }: { tenantId: string; flow: Flow; evidence: KeptEvidence; now: Date },
): Promise<string> {
  const { departmentId, creatorId } = flow
  await endIntent.run(tx, { tenantId, id: evidence.intentId, state: 'used', now })
  const fileName = 'evidence.pdf'
  const contentType = 'application/pdf'
  return keepDocument(tx, { tenantId, departmentId, creatorId, content: evidence.content, contentType, fileName, now })
}

async function collectFacts(
  tx: Tx,
  platform: Platform,
  { key, flow, sealed, signer, now }: MakeEvidence,
): Promise<EvidenceFacts> {
  const { tenantId, requestId } = key
  const { departmentId, creatorId: userId } = flow
  const confirmations = await listConfirmations.many(tx, key)
  const people = await listPeople.many(tx, key)
  return {
    tenantId,
    requestId,
    subject: flow.subject,
    language: flow.languageCode ?? 'en',
    timeZone: 'UTC',
    sender: await findSender.one(tx, { tenantId, departmentId, userId }),
    openedAt: flow.openedAt,
    completedAt: now,
    sealedBy: formatName(parseCertificate(signer.certificate).subject),
    timestampAuthority: 'embedded',
    verifyUrl: `${baseUrl(platform.config)}/verify`,
    participants: people.map((person) => {
      const confirmation = confirmations.find(({ signatoryId }) => signatoryId === person.id)
      return {
        id: person.id,
        name: nameOf(person),
        email: person.email,
        state: person.state === 'Signed' || person.state === 'Declined' ? person.state : 'Skipped',
        isMandatory: person.isMandatory,
        signedAt: person.signedAt,
        confirmedAt: confirmation?.confirmedAt ?? null,
        authentication: confirmation?.authentication ?? null,
        policy: confirmation ? describeAuthentication(confirmation.authentication) : null,
        mark: confirmation?.mark ?? null,
      }
    }),
    documents: sealed.map(({ document, content }) => ({
      id: document.id,
      title: document.title,
      fileName: document.fileName,
      sha256: content.sha256,
      sizeBytes: content.sizeBytes,
      levelAsked: document.levelAsked,
      levelReached: 'B-LTA',
    })),
    events: (await readWholeHistory(tx, { tenantId, requestId, keyring: platform.keyring })).items,
  }
}
