// The evidence of a request: who signed what, when, and how each was known. A PDF for people with the same facts inside
// for programs, sealed like the documents themselves.
import { requireSoundFile } from '#features/certificates/index.ts'
import { readWholeHistory } from '#features/event/index.ts'
import { evidenceJson, writeEvidencePdf, type EvidenceFacts } from '#features/evidence/index.ts'
import { lastsUntil, planRenewals } from '#features/renewal/index.ts'
import { keepContent, keepDocument } from '#features/storage/index.ts'
import { createSignatureFields } from '#pades/fields.ts'
import { bufferSource } from '#pades/source.ts'
import type { ValidationData } from '#pades/validation-data.ts'
import { parseCertificate } from '#pki/certificate.ts'
import { formatName } from '#pki/names.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import { findSender } from '#platform/auth/sender-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { failpoint } from '#platform/failpoint.ts'
import type { Platform } from '#platform/platform.ts'
import { verifyAddress } from '../verify-link.ts'
import { describeAuthentication } from './describe-authentication.ts'
import type { KeptBytes } from './document-bytes.ts'
import type { Flow, FlowDocument, FlowKey } from './flow.ts'
import { listConfirmations } from './confirmation-statements.ts'
import { listPeople, setEvidence } from './flow-statements.ts'
import { endIntent } from './intent-statements.ts'
import { makeSignatures } from './make-signatures.ts'
import { nameOf } from './people.ts'
import { archive } from './seal.ts'

export type SealedDocument = {
  document: FlowDocument
  intentId: string
  content: KeptBytes
  lastsUntil: Date
  /** Whether somebody's timestamp in it is by the authority that is part of this service. */
  hasOwnTimestamp: boolean
}

export type KeptEvidence = { content: KeptBytes; json: KeptBytes; intentId: string; lastsUntil: Date }

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
    stage: 'evidence',
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
  const time = platform.clock.now()
  const report = await requireSoundFile(platform, { tenantId, bytes: lasting, fields: [FIELD], level: 'B-LTA', time })
  await failpoint('evidence:before-file')
  const content = await keepContent(platform, { tenantId, bytes: lasting })
  const json = await keepContent(platform, { tenantId, bytes: evidenceJson(facts) })
  return { content, json, intentId, lastsUntil: lastsUntil(report) }
}

/** Makes the evidence part of the request. */
export async function publishEvidence(
  tx: Tx,
  { tenantId, flow, evidence, now }: { tenantId: string; flow: Flow; evidence: KeptEvidence; now: Date },
): Promise<void> {
  const { requestId, departmentId, creatorId } = flow
  await endIntent.run(tx, { tenantId, id: evidence.intentId, state: 'used', now })
  const own = { tenantId, departmentId, creatorId, now }
  const pdf = { content: evidence.content, contentType: 'application/pdf', fileName: 'evidence.pdf' }
  const json = { content: evidence.json, contentType: 'application/json', fileName: 'evidence.json' }
  const documentId = await keepDocument(tx, { ...own, ...pdf })
  const jsonDocumentId = await keepDocument(tx, { ...own, ...json })
  await setEvidence.run(tx, { tenantId, requestId, documentId, jsonDocumentId })
  const { lastsUntil: end } = evidence
  const file = { id: requestId, requestId, departmentId, storedDocumentId: documentId, lastsUntil: end }
  await planRenewals(tx, { tenantId, kind: 'evidence' }, [file], now)
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
  const { items: events } = await readWholeHistory(tx, { tenantId, requestId, keyring: platform.keyring })
  return {
    tenantId,
    requestId,
    subject: flow.subject,
    language: flow.languageCode ?? 'en',
    timeZone: platform.config.timezone,
    sender: await findSender.one(tx, { tenantId, departmentId, userId }),
    openedAt: flow.openedAt,
    completedAt: now,
    sealedBy: formatName(parseCertificate(signer.certificate).subject),
    timestampAuthority: whoStamped(platform, sealed),
    verifyUrl: verifyAddress(platform.config, key),
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
        wasCodeShown: wasCodeShown(events, person.id),
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
    events,
  }
}

/** As the files say: another authority may have been chosen since the first signature. */
function whoStamped({ config }: Platform, sealed: readonly SealedDocument[]): EvidenceFacts['timestampAuthority'] {
  if (config.timestamps === undefined) return 'own'
  return sealed.some(({ hasOwnTimestamp }) => hasOwnTimestamp) ? 'both' : 'outside'
}

type TellingEvent = { eventType: string; signatoryId: string | null; data: unknown }

/** Whether an administrator looked at a code in the outbox that this person then used. */
function wasCodeShown(events: readonly TellingEvent[], personId: string): boolean {
  const codesOf = (type: string) =>
    events
      .filter(({ eventType, signatoryId }) => eventType === type && signatoryId === personId)
      .map(({ data }) => (data as { codeId?: string } | null)?.codeId)
      .filter((codeId) => codeId !== undefined)
  const shown = new Set(codesOf('signatorymessageshown'))
  return codesOf('signatoryauthenticated').some((codeId) => shown.has(codeId))
}
