// Everybody who has to has signed: the department seals every document, all of it is made to last, checked, recorded in
// the evidence, and only then is the request Closed. Nothing is visible before the last transaction.
import { appendEvents, SYSTEM, type NewEvent } from '#features/event/index.ts'
import { findSealSigner, hasOwnTimestamp, requireSoundFile } from '#features/certificates/index.ts'
import { lastsUntil, planRenewals } from '#features/renewal/index.ts'
import { explainFailure, isLasting } from '#features/sealing/index.ts'
import { keepContent } from '#features/storage/index.ts'
import type { ValidationData } from '#pades/validation-data.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import type { Tx } from '#platform/db/database.ts'
import { failpoint } from '#platform/failpoint.ts'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import type { JobRun } from '#platform/jobs/job-handler.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { endLinksOfRequests } from '../end-links.ts'
import { readBytes } from './document-bytes.ts'
import { getLockedFlow, subjectOf, type Flow, type FlowDocument, type FlowKey } from './flow.ts'
import { findFlow, listPeople, skipUnsigned } from './flow-statements.ts'
import { listAllFields, listCurrentDocuments } from './document-statements.ts'
import { abandonIntents, endIntent, listProofs } from './intent-statements.ts'
import { makeEvidence, publishEvidence, type KeptEvidence, type SealedDocument } from './make-evidence.ts'
import { makeSignatures } from './make-signatures.ts'
import { moveRequest } from './move-request.ts'
import { publishRevision } from './prepare-documents.ts'
import { openCopyLinks } from './copy-links.ts'
import { archive } from './seal.ts'
import { tellPeople } from './tell-people.ts'

const LONGEST_REASON = 500
const LEVEL = 'B-LTA'
const SEAL_POLICY = 'Seal of the department'

/** Seals a request whose signatures are complete, and closes it. */
export async function closeRequest(platform: Platform, job: JobRun): Promise<void> {
  try {
    await close(platform, job)
  } catch (error) {
    if (isWorthAnotherTry(job, error)) throw error
    await fail(platform, job, error)
  }
}

/** Sealing it ends the process that tries: the request is in Error, as after any other failure that lasts. */
export function giveUpClosing(platform: Platform, job: JobRun, reason: string): Promise<void> {
  return fail(platform, job, new Error(reason))
}

/** Otherwise the request is in Error, where a person sees it and can have it tried again. */
function isWorthAnotherTry({ attempt }: JobRun, error: unknown): boolean {
  return attempt < RETRY_AFTER_S.length && !isLasting(error)
}

type Work = {
  flow: Flow
  documents: FlowDocument[]
  proofs: ValidationData[]
  /** The fields of those who have signed, by document. */
  signedFields: Map<string, string[]>
}

async function close(platform: Platform, job: JobRun): Promise<void> {
  const key = keyOf(job)
  const now = platform.clock.now()
  const work = await platform.db.transaction(key.tenantId, (tx) => takeUp(tx, key, now))
  if (work === undefined) return
  const { departmentId } = work.flow
  const signer = await findSealSigner(platform, { tenantId: key.tenantId, departmentId, now })
  const sealed = await sealAll(platform, { key, work, signer, now })
  await failpoint('closing:after-file')
  const evidence = await makeEvidence(platform, { key, flow: work.flow, sealed, signer, proofs: work.proofs, now })
  await platform.db.transaction(key.tenantId, async (tx) => {
    await publish(tx, { key, sealed, evidence, keyring: platform.keyring, now })
    await failpoint('closing:before-event')
    await job.finish(tx)
  })
}

const keyOf = ({ tenantId, payload }: JobRun): FlowKey => ({ tenantId, requestId: String(payload['requestId']) })

async function takeUp(tx: Tx, key: FlowKey, now: Date): Promise<Work | undefined> {
  const flow = await findFlow.one(tx, key)
  if (flow.status !== 'Processing') return undefined
  await abandonIntents.run(tx, { ...key, signatoryId: null, now })
  const people = await listPeople.many(tx, key)
  const signed = new Set(people.filter(({ state }) => state === 'Signed').map(({ id }) => id))
  const fields = (await listAllFields.many(tx, key)).filter(({ signatoryId }) => signed.has(signatoryId))
  const byDocument = Map.groupBy(fields, ({ documentId }) => documentId)
  return {
    flow,
    documents: await listCurrentDocuments.many(tx, key),
    proofs: await listProofs.many(tx, key),
    signedFields: new Map([...byDocument].map(([id, list]) => [id, list.map(({ name }) => name)])),
  }
}

type Sealing = { key: FlowKey; work: Work; signer: RawSigner; now: Date }

async function sealAll(platform: Platform, { key, work, signer, now }: Sealing): Promise<SealedDocument[]> {
  const { tenantId, requestId } = key
  const documents = await Promise.all(
    work.documents.map(async ({ id, sha256, sealField }) => ({
      documentId: id,
      bytes: await readBytes(platform, { tenantId, sha256 }),
      field: sealField!,
    })),
  )
  const stage = 'closing' as const
  const seal = {
    stage,
    tenantId,
    requestId,
    signatoryId: null,
    signer,
    policy: SEAL_POLICY,
    name: 'Seal',
    documents,
    now,
  }
  const made = await makeSignatures(platform, seal)
  const sealed: SealedDocument[] = []
  for (const { documentId, intentId, field, bytes, timestampToken, stampedAt } of made) {
    const document = work.documents.find(({ id }) => id === documentId)!
    const { certificate: sealCertificate } = signer
    const lasting = await archive(platform, {
      tenantId,
      bytes,
      sealCertificate,
      timestampToken,
      stampedAt,
      proofs: work.proofs,
    })
    const fields = [...(work.signedFields.get(document.id) ?? []), field]
    // Nothing but the file itself and the roots: what nobody else could validate is not published.
    const time = platform.clock.now()
    const report = await requireSoundFile(platform, { tenantId, bytes: lasting, fields, level: LEVEL, time })
    await failpoint('closing:before-file')
    const content = await keepContent(platform, { tenantId, bytes: lasting })
    const isStampedHere = await hasOwnTimestamp(platform, report)
    sealed.push({ document, intentId, content, lastsUntil: lastsUntil(report), hasOwnTimestamp: isStampedHere })
  }
  return sealed
}

type Publication = { key: FlowKey; sealed: SealedDocument[]; evidence: KeptEvidence; keyring: Keyring; now: Date }

/** Files, states, evidence and events become visible in one moment. */
async function publish(tx: Tx, { key, sealed, evidence, keyring, now }: Publication): Promise<void> {
  const { tenantId, requestId } = key
  const flow = await getLockedFlow(tx, key)
  if (flow.status !== 'Processing') return
  const { departmentId } = flow
  for (const { document, intentId, content, lastsUntil: end } of sealed) {
    const seal = { tenantId, flow, document, content, kind: 'seal', levelReached: LEVEL, now } as const
    const storedDocumentId = await publishRevision(tx, seal)
    const file = { id: document.id, requestId, departmentId, storedDocumentId, lastsUntil: end }
    await planRenewals(tx, { tenantId, kind: 'signaturedocument' }, [file], now)
    await endIntent.run(tx, { tenantId, id: intentId, state: 'used', now })
  }
  await publishEvidence(tx, { tenantId, flow, evidence, now })
  const skipped = await skipUnsigned.many(tx, key)
  const events: NewEvent[] = skipped.map(({ id }) => ({
    type: 'signatoryskipped',
    actor: SYSTEM,
    signatoryId: id,
    data: { creatorId: flow.creatorId },
  }))
  if (events.length > 0) await appendEvents(tx, subjectOf(tenantId, flow), events, now)
  await endLinksOfRequests(tx, { tenantId, requestIds: [requestId], now })
  const people = await listPeople.many(tx, key)
  const signed = people.filter(({ state }) => state === 'Signed')
  await openCopyLinks(tx, { tenantId, signatoryIds: signed.map(({ id }) => id), keyring, now })
  await tellPeople(tx, { tenantId, flow, people: signed, kind: 'completed', now })
  const documents = sealed.map(({ document, content }) => ({ id: document.id, sha256: content.sha256, level: LEVEL }))
  const data = { documents, evidenceSha256: evidence.content.sha256 }
  await moveRequest(tx, {
    tenantId,
    flow,
    move: 'close',
    actor: SYSTEM,
    cause: { type: 'signaturerequestcompleted', data },
    now,
  })
}

async function fail(platform: Platform, job: JobRun, error: unknown): Promise<void> {
  const key = keyOf(job)
  const now = platform.clock.now()
  platform.log.error({ job: job.id, error: describeError(error) }, 'a signature request could not be sealed')
  const reason = explainFailure(error).slice(0, LONGEST_REASON)
  await platform.db.transaction(key.tenantId, async (tx) => {
    const flow = await getLockedFlow(tx, key)
    await abandonIntents.run(tx, { ...key, signatoryId: null, now })
    if (flow.status === 'Processing')
      await moveRequest(tx, { tenantId: key.tenantId, flow, move: 'fail', actor: SYSTEM, reason, now })
    await job.finish(tx)
  })
}
