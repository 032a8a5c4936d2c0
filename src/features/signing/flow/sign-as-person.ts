// The worker makes a person's signature in every document of the request. Jobs of one request run one after the other,
// so that documents grow by one signature at a time. Nothing is visible before the last transaction; a crash before it
// is made good by doing all of it again with a new key.
import { createHash } from 'node:crypto'
import { appendEvents } from '#features/event/index.ts'
import {
  collectValidationData,
  issueSignatorySigner,
  requireSoundFile,
  timestamper,
  UnsoundFile,
} from '#features/certificates/index.ts'
import { isLasting } from '#features/sealing/index.ts'
import { keepContent } from '#features/storage/index.ts'
import { addArchiveTimestamp } from '#pades/sign.ts'
import { bufferSource } from '#pades/source.ts'
import type { ValidationData } from '#pades/validation-data.ts'
import { findTenantChoices } from '#platform/auth/sender-statements.ts'
import { timeAfter } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { invariantBroken } from '#platform/errors.ts'
import { failpoint } from '#platform/failpoint.ts'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import type { JobRun } from '#platform/jobs/job-handler.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import { describeAuthentication } from './describe-authentication.ts'
import { readBytes, type KeptBytes } from './document-bytes.ts'
import { getLockedFlow, subjectOf, type Flow, type FlowDocument, type FlowPerson } from './flow.ts'
import { deleteConfirmation, findConfirmation } from './confirmation-statements.ts'
import { findFlow, listPeople, signSignatory } from './flow-statements.ts'
import { listCurrentDocuments, listFields } from './document-statements.ts'
import { goOn } from './go-on.ts'
import { abandonIntents, endIntent, insertProof, listProofs } from './intent-statements.ts'
import { makeSignatures, type DocumentToSign, type MadeSignature } from './make-signatures.ts'
import { markAppearance } from './mark-appearance.ts'
import { isAsked, nameOf } from './people.ts'
import { publishRevision } from './prepare-documents.ts'

/** A failure that would last is tried again once or twice all the same: a signature made meanwhile looks like one. */
const TRIES_WHERE_LASTING = 2

/** Makes the signature that a person has confirmed, exactly once. */
export async function signAsPerson(platform: Platform, job: JobRun): Promise<void> {
  try {
    await sign(platform, job)
  } catch (error) {
    // The others who sign this request wait behind it.
    if (job.attempt < (isLasting(error) ? TRIES_WHERE_LASTING : RETRY_AFTER_S.length)) throw error
    await giveUpSigning(platform, job, error)
  }
}

type Names = { tenantId: string; requestId: string; signatoryId: string }

function namesOf({ tenantId, payload }: JobRun): Names {
  return { tenantId, requestId: String(payload['requestId']), signatoryId: String(payload['signatoryId']) }
}

async function sign(platform: Platform, job: JobRun): Promise<void> {
  const names = namesOf(job)
  const { tenantId, requestId, signatoryId } = names
  const work = await platform.db.transaction(tenantId, (tx) => takeUp(tx, names, platform.clock.now()))
  if (work === undefined) return
  const { person, confirmation } = work
  const now = await timeAfter(platform.clock, confirmation.confirmedAt)
  const policy = describeAuthentication(confirmation.authentication)
  const signer = await issueSignatorySigner(platform, {
    tenantId,
    requestId,
    name: nameOf(person),
    ...(work.personalIdentifier !== null && { personalIdentifier: work.personalIdentifier }),
    authentication: policy,
    now,
  })
  const signed = await makeSignatures(platform, {
    stage: 'signing',
    tenantId,
    requestId,
    signatoryId,
    signer,
    policy,
    name: nameOf(person),
    appearance: markAppearance({ name: nameOf(person), mark: confirmation.mark, time: now }),
    documents: await readDocuments(platform, work, tenantId),
    now,
  })
  const proof = await prove(platform, { tenantId, certificate: signer.certificate, made: signed })
  const made = await Promise.all(signed.map((signature) => archiveAtOnce(platform, signature, proof)))
  await checkAll(platform, { tenantId, work, made, proof })
  await failpoint('signing:before-file')
  const contents = new Map<string, KeptBytes>()
  for (const { documentId, bytes } of made) contents.set(documentId!, await keepContent(platform, { tenantId, bytes }))
  await failpoint('signing:after-file')
  const result = { names, work, made, proof, contents, policy, now }
  await platform.db.transaction(tenantId, async (tx) => {
    await publish(tx, result)
    await failpoint('signing:before-event')
    await job.finish(tx)
  })
}

type Work = NonNullable<Awaited<ReturnType<typeof takeUp>>>

/** What there is to do; undefined where it is done already or nobody wants it any more. */
async function takeUp(tx: Tx, { tenantId, requestId, signatoryId }: Names, now: Date) {
  // All at once: in a worker that is busy, each answer waits for its turn.
  const [flow, people, confirmation, { settings }, documents, fields, proofs] = await Promise.all([
    findFlow.one(tx, { tenantId, requestId }),
    listPeople.many(tx, { tenantId, requestId }),
    findConfirmation.maybeOne(tx, { tenantId, signatoryId }),
    findTenantChoices.one(tx, { tenantId }),
    listCurrentDocuments.many(tx, { tenantId, requestId }),
    listFields.many(tx, { tenantId, signatoryId }),
    listProofs.many(tx, { tenantId, requestId }),
  ])
  const person = people.find(({ id }) => id === signatoryId)!
  if (flow.status !== 'Open' || !isAsked(person) || confirmation === undefined) return undefined
  await abandonIntents.run(tx, { tenantId, requestId, signatoryId, now })
  // Everybody who reads the document can read the certificate, so the identifier is there only where the tenant says so.
  const personalIdentifier = settings.personalIdentifierInCertificates ? person.personalIdentifier : null
  return { flow, person, personalIdentifier, confirmation, documents, fields, proofs }
}

async function readDocuments(platform: Platform, work: Work, tenantId: string): Promise<DocumentToSign[]> {
  return Promise.all(
    work.documents.map(async (document) => {
      const bytes = await readBytes(platform, { tenantId, sha256: document.sha256 })
      requireShownPrefix(work, document, bytes)
      const field = work.fields.find(({ documentId }) => documentId === document.id)!.name
      return { documentId: document.id, bytes, field }
    }),
  )
}

/** What is signed begins with exactly the bytes that the person saw. */
function requireShownPrefix({ confirmation }: Work, { id }: FlowDocument, bytes: Buffer): void {
  const shown = confirmation.documents.find((document) => document.id === id)!
  const hash = createHash('sha256').update(bytes.subarray(0, shown.sizeBytes)).digest('hex')
  if (hash !== shown.sha256) throw new UnsoundFile('it does not begin with what was shown')
}

type Proving = { tenantId: string; certificate: Buffer; made: MadeSignature[] }

/** Asked right after the timestamps: an answer from before them would prove nothing. */
async function prove(platform: Platform, { tenantId, certificate, made }: Proving): Promise<ValidationData> {
  const since = new Date(Math.max(...made.map(({ stampedAt }) => stampedAt.getTime())))
  const timestampTokens = made.map(({ timestampToken }) => timestampToken)
  const question = { tenantId, certificates: [certificate], timestampTokens, since, now: platform.clock.now() }
  return collectValidationData(platform, question)
}

/**
 * Proves at once that signature and answers existed while the certificate was valid. The next person may sign in a week,
 * and validators want that proof from a timestamp over the document, from before the certificate ended.
 */
async function archiveAtOnce(
  platform: Platform,
  signature: MadeSignature,
  proof: ValidationData,
): Promise<MadeSignature> {
  const { bytes } = signature
  const appended = await addArchiveTimestamp(bufferSource(bytes), { tsa: timestamper(platform), validationData: proof })
  return { ...signature, bytes: Buffer.concat([bytes, appended]) }
}

type Checking = { tenantId: string; work: Work; made: MadeSignature[]; proof: ValidationData }

async function checkAll(platform: Platform, { tenantId, work, made, proof }: Checking): Promise<void> {
  const ocsps = [...proof.ocsps, ...work.proofs.flatMap((earlier) => earlier.ocsps)]
  const crls = [...proof.crls, ...work.proofs.flatMap((earlier) => earlier.crls)]
  for (const { bytes, field } of made) {
    const time = platform.clock.now()
    await requireSoundFile(platform, { tenantId, bytes, fields: [field], level: 'B-LTA', ocsps, crls, time })
  }
}

type Result = {
  names: Names
  work: Work
  made: MadeSignature[]
  proof: ValidationData
  contents: Map<string, KeptBytes>
  policy: string
  now: Date
}

/** Everything becomes visible at once: files, state, event, and whoever is next. */
async function publish(tx: Tx, result: Result): Promise<void> {
  const { names, work, made, proof, contents, now } = result
  const { tenantId, requestId, signatoryId } = names
  // Statements go in the order in which they are asked for: the documents are those of the flow that is held.
  const [flow, documents] = await Promise.all([
    getLockedFlow(tx, { tenantId, requestId }),
    listCurrentDocuments.many(tx, { tenantId, requestId }),
  ])
  if (flow.status !== 'Open') {
    await abandonIntents.run(tx, { tenantId, requestId, signatoryId, now })
    return
  }
  if (hasChanged(work.documents, documents)) throw new UnsoundFile('somebody else has signed meanwhile')
  const publishOne = async ({ documentId, intentId }: MadeSignature) => {
    const document = documents.find(({ id }) => id === documentId)!
    const content = contents.get(document.id)!
    await publishRevision(tx, { tenantId, flow, document, content, kind: 'signature', levelReached: 'B-LTA', now })
    await endIntent.run(tx, { tenantId, id: intentId, state: 'used', now })
  }
  const { certificates, ocsps, crls } = proof
  const kept = { certificates: [...certificates], ocsps: [...ocsps], crls: [...crls] }
  const [signed] = await Promise.all([
    signSignatory.run(tx, { tenantId, signatoryId, now }),
    insertProof.run(tx, { tenantId, requestId, signatoryId, ...kept, now }),
    ...made.map(publishOne),
  ])
  if (signed !== 1) throw invariantBroken('a person signs once')
  await appendEvents(tx, subjectOf(tenantId, flow), [signedEvent(flow, work.person, result)], now)
  await goOn(tx, { tenantId, flow, now })
}

function hasChanged(before: readonly FlowDocument[], after: readonly FlowDocument[]): boolean {
  return after.some(({ id, sha256 }) => !before.find((document) => document.id === id)?.sha256.equals(sha256))
}

function signedEvent(flow: Flow, person: FlowPerson, { work, made, contents, policy }: Result) {
  const { authentication, confirmedAt, documents: shown, mark } = work.confirmation
  return {
    type: 'signatorysigned',
    actor: { kind: 'signatory' as const, id: person.id },
    signatoryId: person.id,
    data: {
      creatorId: flow.creatorId,
      confirmedAt: confirmedAt.toISOString(),
      authentication,
      policy,
      mark: mark?.kind ?? null,
      documents: made.map(({ documentId, digest, prefixBytes, field, stampedAt }) => ({
        id: documentId,
        field,
        shownSha256: shown.find(({ id }) => id === documentId)!.sha256,
        shownBytes: shown.find(({ id }) => id === documentId)!.sizeBytes,
        signedPrefixBytes: prefixBytes,
        signedDigest: digest.toString('hex'),
        timestamp: stampedAt.toISOString(),
        sha256: contents.get(documentId!)!.sha256,
      })),
    },
  }
}

/** The person may try again; what was planned is recorded as never done. */
export async function giveUpSigning(platform: Platform, job: JobRun, error: unknown): Promise<void> {
  platform.log.error({ job: job.id, error: describeError(error) }, 'a confirmed signature could not be made')
  const { tenantId, requestId, signatoryId } = namesOf(job)
  const now = platform.clock.now()
  await platform.db.transaction(tenantId, async (tx) => {
    const flow = await getLockedFlow(tx, { tenantId, requestId })
    await abandonIntents.run(tx, { tenantId, requestId, signatoryId, now })
    await deleteConfirmation.run(tx, { tenantId, signatoryId })
    if (flow.status === 'Open') {
      const actor = { kind: 'signatory' as const, id: signatoryId }
      const event = { type: 'signatorysigningfailed', actor, signatoryId, data: { creatorId: flow.creatorId } }
      await appendEvents(tx, subjectOf(tenantId, flow), [event], now)
      await goOn(tx, { tenantId, flow, now })
    }
    await job.finish(tx)
  })
}
