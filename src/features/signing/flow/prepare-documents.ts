// The first step after opening: every document gets the fields of everybody who will sign it, and of the seal. After
// this, signing adds nothing but signatures.
import { appendEvents, SYSTEM } from '#features/event/index.ts'
import { explainFailure } from '#features/sealing/index.ts'
import { keepContent, keepDocument } from '#features/storage/index.ts'
import { makeIntake } from '#pades/apart/intake.ts'
import { BOUNDS, makeReaders } from '#pades/apart/readers.ts'
import { createSignatureFields } from '#pades/fields.ts'
import { createNormaliser } from '#pades/normalise.ts'
import { bufferSource } from '#pades/source.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueueAll } from '#platform/jobs/enqueue.ts'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import type { JobRun } from '#platform/jobs/job-handler.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import { readBytes, type KeptBytes } from './document-bytes.ts'
import { getLockedFlow, subjectOf, type Flow, type FlowDocument, type FlowKey, type FlowPerson } from './flow.ts'
import { explainDelay, findFlow, listPeople, markPrepared } from './flow-statements.ts'
import { insertField, insertRevision, listCurrentDocuments, setRevision, setSealField } from './document-statements.ts'
import { inviteNext } from './invite-next.ts'
import { planFields, type FieldPlan } from './plan-fields.ts'

export const PREPARE_QUEUE = 'signing.prepare'

type Opened = { tenantId: string; requestId: string; now: Date }

/** Has the documents of opened requests prepared and their first groups invited. */
export async function askToPrepare(tx: Tx, opened: readonly Opened[]): Promise<void> {
  const jobs = opened.map(({ tenantId, requestId, now }) => ({
    tenantId,
    queue: PREPARE_QUEUE,
    payload: { requestId },
    key: requestId,
    now,
  }))
  await enqueueAll(tx, jobs)
}

type Prepared = { document: FlowDocument; plan: FieldPlan; content: KeptBytes }

/** Others wait for the same worker: as many as it works on at once may wait for a process. */
const WAITING = 64

// Accepted once already, but still a stranger's file: what takes more than a moment is read apart from the worker.
const look = makeIntake(makeReaders({ ...BOUNDS, waiting: WAITING }))
const normalise = createNormaliser({ check: look })

/** Prepares every document once and invites the first group. What keeps failing is told in the request itself. */
export async function prepareDocuments(platform: Platform, job: JobRun): Promise<void> {
  try {
    await prepare(platform, job)
  } catch (error) {
    if (job.attempt < TOLD_AFTER) throw error
    const isLast = job.attempt >= RETRY_AFTER_S.length
    await tellDelay(platform, job, { error, isLast })
    if (!isLast) throw error
  }
}

/** Preparing it ends the process that tries: a person has to ask for another try, as after the last one that failed. */
export function giveUpPreparing(platform: Platform, job: JobRun, reason: string): Promise<void> {
  return tellDelay(platform, job, { error: new Error(reason), isLast: true })
}

async function prepare(platform: Platform, job: JobRun): Promise<void> {
  const { tenantId } = job
  const key = keyOf(job)
  const now = platform.clock.now()
  const { flow, documents, people } = await platform.db.transaction(tenantId, async (tx) => ({
    flow: await findFlow.one(tx, key),
    documents: await listCurrentDocuments.many(tx, key),
    people: await listPeople.many(tx, key),
  }))
  if (!isUnprepared(flow)) return
  const prepared: Prepared[] = []
  for (const document of documents) prepared.push(await prepareDocument(platform, { tenantId, flow, document, people }))
  await platform.db.transaction(tenantId, async (tx) => {
    const current = await getLockedFlow(tx, key)
    if (isUnprepared(current)) await publish(tx, { tenantId, flow: current, prepared, now })
    await job.finish(tx)
  })
}

const keyOf = ({ tenantId, payload }: JobRun): FlowKey => ({ tenantId, requestId: String(payload['requestId']) })

/** Failures that pass by themselves within minutes need nobody's attention. */
const TOLD_AFTER = 3
const LONGEST_REASON = 500

/** Once as an event, and in the request for as long as it lasts. The last try ends the job: then a person has to ask. */
async function tellDelay(
  platform: Platform,
  job: JobRun,
  { error, isLast }: { error: unknown; isLast: boolean },
): Promise<void> {
  const { tenantId, attempt } = job
  const now = platform.clock.now()
  const reason = explainFailure(error, 'prepared').slice(0, LONGEST_REASON)
  platform.log.error({ job: job.id, attempt, error: describeError(error) }, 'a signature request can not be prepared')
  await platform.db.transaction(tenantId, async (tx) => {
    const flow = await getLockedFlow(tx, keyOf(job))
    if (isUnprepared(flow)) {
      await explainDelay.run(tx, { ...keyOf(job), reason, now })
      const data = { creatorId: flow.creatorId, reason, isLastTry: isLast }
      const event = { type: 'signaturerequestpreparationfailed', actor: SYSTEM, data }
      if (isLast || attempt === TOLD_AFTER) await appendEvents(tx, subjectOf(tenantId, flow), [event], now)
    }
    if (isLast) await job.finish(tx)
  })
}

const isUnprepared = (flow: Flow) => flow.status === 'Open' && flow.preparedAt === null

type Preparing = { tenantId: string; flow: Flow; document: FlowDocument; people: FlowPerson[] }

async function prepareDocument(platform: Platform, { tenantId, flow, document, people }: Preparing): Promise<Prepared> {
  const { activeContent } = platform.config
  const given = await readBytes(platform, { tenantId, sha256: document.sha256 })
  const signatories = people.length
  const checked = await look(bufferSource(given), { activeContent, signatories })
  const { bytes, facts } = checked.needsNormalising
    ? await normalise(bufferSource(given), { activeContent, signatories, reason: checked.reason })
    : { bytes: given, facts: checked }
  const plan = planFields({
    signatories: people,
    emptyFields: facts.emptySignatureFields,
    placements: flow.placements ?? [],
    documentIndex: document.position,
    pageCount: facts.pageCount,
    requestId: flow.requestId,
  })
  const fields = await createSignatureFields(bufferSource(bytes), plan.newFields)
  const content = await keepContent(platform, { tenantId, bytes: Buffer.concat([bytes, fields]) })
  return { document, plan, content }
}

async function publish(
  tx: Tx,
  { tenantId, flow, prepared, now }: { tenantId: string; flow: Flow; prepared: Prepared[]; now: Date },
): Promise<void> {
  const { requestId } = flow
  for (const { document, plan, content } of prepared) {
    await publishRevision(tx, { tenantId, flow, document, content, kind: 'prepared', now })
    await setSealField.run(tx, { tenantId, documentId: document.id, name: plan.sealField })
    for (const [signatoryId, name] of plan.bySignatory)
      await insertField.run(tx, { tenantId, documentId: document.id, signatoryId, name })
  }
  await markPrepared.run(tx, { tenantId, requestId, now })
  const documents = prepared.map(({ document, content }) => ({ id: document.id, sha256: content.sha256 }))
  const event = { type: 'signaturerequestprepared', actor: SYSTEM, data: { creatorId: flow.creatorId, documents } }
  await appendEvents(tx, subjectOf(tenantId, flow), [event], now)
  await inviteNext(tx, { tenantId, flow, now })
}

export type NewRevision = {
  tenantId: string
  flow: Flow
  document: FlowDocument
  content: KeptBytes
  kind: 'prepared' | 'signature' | 'seal' | 'renewal'
  levelReached?: string
  now: Date
}

/** Makes these bytes the document's latest revision and answers with its uri. The caller holds the request. */
export async function publishRevision(tx: Tx, revision: NewRevision): Promise<string> {
  const { tenantId, flow, document, content, kind, levelReached, now } = revision
  const { departmentId, creatorId } = flow
  const storedDocumentId = await keepDocument(tx, {
    tenantId,
    departmentId,
    creatorId,
    content,
    contentType: 'application/pdf',
    fileName: document.fileName,
    now,
  })
  const sha256 = Buffer.from(content.sha256, 'hex')
  const { sizeBytes } = content
  const own = { tenantId, documentId: document.id, storedDocumentId, sha256 }
  await Promise.all([
    insertRevision.run(tx, { ...own, number: document.number + 1, kind, sizeBytes, now }),
    setRevision.run(tx, { ...own, levelReached: levelReached ?? null }),
  ])
  return storedDocumentId
}
