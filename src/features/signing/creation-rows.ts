// What new requests become in the tables. Pure but for new ids.
import { newId } from '#platform/ids.ts'
import type { RequestRow, SignatoryRow, SignatureDocumentRow } from './creation-statements.ts'
import { FIRST_GENERATION, linkHash } from './links.ts'
import type { CreateRequest, NewRequest, NewSignatureDocument } from './new-request.ts'
import { DEFAULT_LIFETIME_MS } from './opening-rules.ts'
import { wordsOfRequest } from './request-words.ts'

/** The rows of requests of one tenant and of their signatories. */
export function requestRows(creations: readonly CreateRequest[]) {
  const { caller, isIdChosen } = creations[0]!
  return {
    tenantId: caller.tenantId,
    mustBeNew: !isIdChosen,
    requests: creations.map(requestRow),
    signatories: creations.flatMap(signatoryRows),
  }
}

function requestRow({ request, now }: CreateRequest): RequestRow {
  const isOpen = request.status === 'Open'
  const { documents: _documents, signatories: _signatories, fingerprint, ...fields } = request
  return {
    ...fields,
    fingerprint: fingerprint.toString('hex'),
    expirationAt: request.expirationAt ?? (isOpen ? new Date(now.getTime() + DEFAULT_LIFETIME_MS) : null),
    openedAt: isOpen ? now : null,
    words: wordsOfRequest(request),
    now,
  }
}

function signatoryRows({ caller, request, platform }: CreateRequest): SignatoryRow[] {
  return request.signatories.map((signatory, position) => {
    const id = newId()
    const owner = { tenantId: caller.tenantId, signatoryId: id, generation: FIRST_GENERATION }
    const hash = request.status === 'Open' ? linkHash(platform.keyring, owner).toString('hex') : null
    return { ...signatory, id, requestId: request.id, position, linkHash: hash }
  })
}

export type WithDocuments = { request: Pick<NewRequest, 'id' | 'departmentId' | 'creatorId' | 'documents'>; now: Date }

/** The rows of the documents of requests: what is stored, and what is signed. */
export function documentRows(owners: readonly WithDocuments[]) {
  const rows = owners.flatMap((owner) =>
    owner.request.documents.map((document, position) => documentRow(owner, document, position)),
  )
  return { stored: rows.flatMap(({ stored }) => stored), documents: rows.map(({ row }) => row) }
}

function documentRow({ request, now }: WithDocuments, document: NewSignatureDocument, position: number) {
  const { id: requestId, departmentId, creatorId } = request
  const { title, fileName, documentTypeId, externalReference, contentType, content, repaired } = document
  const given = { id: newId(), departmentId, creatorId, contentType, fileName, content, now }
  const latest = repaired ? { ...given, id: newId(), content: repaired } : given
  const row: SignatureDocumentRow = {
    id: newId(),
    requestId,
    position,
    title,
    fileName,
    documentTypeId,
    externalReference,
    sourceDocumentId: given.id,
    documentId: latest.id,
    sha256: latest.content.sha256,
  }
  return { row, stored: latest === given ? [given] : [given, latest] }
}
