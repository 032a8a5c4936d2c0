import { changeCounts } from '#features/counts/index.ts'
import { actorOf, appendEvents } from '#features/event/index.ts'
import { releaseDocuments } from '#features/storage/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import { requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { tellContent, writeDocuments } from './create-request.ts'
import { emptyDraft, findDraft, insertPeopleOfDraft, insertWordsOfDraft, updateDraft } from './draft-statements.ts'
import { requestNotFound, wrongStatus } from './errors.ts'
import { deleteWords, listFiles } from './forget-statements.ts'
import type { NewRequest, Opening } from './new-request.ts'
import { openRequest } from './open-request.ts'
import { readRequest, type RequestRepresentation } from './read-request.ts'
import { listSignatories } from './reading-statements.ts'
import { lockRequest } from './request-statements.ts'
import { wordsOfRequest } from './request-words.ts'

/** What stands in it from now on. Without a department it stays where it is. */
export type DraftContent = Omit<NewRequest, 'id' | 'creatorId' | 'departmentId' | 'fingerprint'> & {
  departmentId: string | undefined
}

export type ChangeDraft = {
  caller: Caller
  requestId: string
  content: DraftContent
  platform: Opening
  now: Date
}

/**
 * Puts other content into a Draft, which keeps its id, its place in the lists and its history, and opens it where that
 * is asked for. Of a change and an opening at once, the later one sees what the earlier one has done.
 */
export async function changeDraft(tx: Tx, change: ChangeDraft): Promise<RequestRepresentation> {
  const { caller, requestId, content, platform, now } = change
  const { tenantId } = caller
  const found = await lockRequest.maybeOne(tx, { tenantId, requestId })
  if (found === undefined) throw requestNotFound(requestId)
  await requireReach(tx, caller, found.departmentId)
  if (found.status !== 'Draft') throw wrongStatus(found.status, 'changed')
  const departmentId = content.departmentId ?? found.departmentId
  const hasMoved = departmentId !== found.departmentId
  if (hasMoved) await requireDepartment(tx, { caller, departmentId })

  const draft = { ...content, id: requestId, departmentId, creatorId: found.creatorId }
  await replaceContent(tx, { tenantId, draft, now })
  const subject = { tenantId, requestId, requestKind: 'signaturerequest' as const, departmentId }
  const changed = { type: 'signaturerequestchanged', actor: actorOf(caller), data: tellContent(draft) }
  await appendEvents(tx, subject, [changed], now)
  if (hasMoved) {
    await changeCounts(tx, tenantId, 'signaturerequest', [
      { departmentId: found.departmentId, status: 'Draft', by: -1 },
      { departmentId, status: 'Draft', by: 1 },
    ])
  }
  if (content.status === 'Open') return openRequest(tx, { caller, requestId, platform, now })
  return readRequest(tx, { caller, requestId })
}

type Replacement = { tenantId: string; draft: Omit<NewRequest, 'fingerprint'>; now: Date }

async function replaceContent(tx: Tx, { tenantId, draft, now }: Replacement): Promise<void> {
  const key = { tenantId, requestId: draft.id }
  const createdAt = await takeOut(tx, key, now)
  const { signatories, documents: _documents, status: _status, id: _id, creatorId: _creatorId, ...fields } = draft
  await updateDraft.run(tx, { ...key, ...fields, now })
  const people = signatories.map((signatory, position) => ({ ...signatory, id: newId(), position }))
  await insertPeopleOfDraft.run(tx, { ...key, signatories: people })
  await insertWordsOfDraft.run(tx, { ...key, createdAt, words: wordsOfRequest(draft) })
  writeDocuments(tx, tenantId, [{ request: draft, now }])
}

/** Takes out what stood in it; answers with when it was made. */
async function takeOut(tx: Tx, key: { tenantId: string; requestId: string }, now: Date): Promise<Date> {
  const { createdAt, ...old } = await findDraft.one(tx, key)
  const signatories = await listSignatories.many(tx, { tenantId: key.tenantId, requestIds: [key.requestId] })
  const documentIds = (await listFiles.many(tx, key)).map(({ id }) => id)
  await deleteWords.run(tx, { ...key, createdAt, words: wordsOfRequest({ ...old, signatories }) })
  await emptyDraft.run(tx, key)
  await releaseDocuments(tx, { tenantId: key.tenantId, documentIds, now })
  return createdAt
}
