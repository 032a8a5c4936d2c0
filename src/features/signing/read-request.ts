// Requests as callers see them.
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { requestNotFound } from './errors.ts'
import { listDocuments, listRequestRows, listSignatories } from './reading-statements.ts'

export type RequestRepresentation = Awaited<ReturnType<typeof readRequests>>[number]

/** One request within the caller's reach. */
export async function readRequest(
  tx: Tx,
  { caller, requestId }: { caller: Caller; requestId: string },
): Promise<RequestRepresentation> {
  const [request] = await readRequests(tx, { tenantId: caller.tenantId, requestIds: [requestId] })
  if (request === undefined) throw requestNotFound(requestId)
  await requireReach(tx, caller, request.departmentId)
  return request
}

/** The requests with these ids, newest first, each with its signatories and documents. */
export async function readRequests(tx: Tx, page: { tenantId: string; requestIds: string[] }) {
  if (page.requestIds.length === 0) return []
  const [requests, people, files] = await Promise.all([
    listRequestRows.many(tx, page),
    listSignatories.many(tx, page),
    listDocuments.many(tx, page),
  ])
  const signatories = Map.groupBy(people, (signatory) => signatory.requestId)
  const documents = Map.groupBy(files, (document) => document.requestId)
  return requests.map((request) => ({
    ...request,
    signatories: (signatories.get(request.id) ?? []).map(
      ({ requestId: _requestId, linkGeneration: _linkGeneration, ...signatory }) => signatory,
    ),
    documents: (documents.get(request.id) ?? []).map(({ requestId: _requestId, sha256, ...document }) => ({
      ...document,
      sha256: sha256.toString('hex'),
    })),
  }))
}
