import { findSeal, readTrustAnchors } from '#features/certificates/index.ts'
import { findContents, type StoredContent } from '#features/storage/index.ts'
import { parseCertificate } from '#pki/certificate.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { moveAll, type Move } from './move-requests.ts'
import { listDocumentsToSeal } from './seal-statements.ts'
import { lockRequests, type RequestRow } from './sealing-statements.ts'

export type ToSeal = Awaited<ReturnType<typeof listDocumentsToSeal.many>>[number]

export type Begun = {
  request: RequestRow
  documents: ToSeal[]
  /** What was given, by the source document's id. */
  contents: ReadonlyMap<string, StoredContent>
  signer: RawSigner | undefined
  anchors: Buffer[]
}

type Requests = { tenantId: string; requestIds: string[] }

/**
 * Moves requests to Processing and answers with what there is to seal. Undefined where there is nothing to do any more:
 * canceled meanwhile, or sealed by an earlier run.
 */
export async function beginSealing(
  tx: Tx,
  platform: Platform,
  { tenantId, requestIds }: Requests,
): Promise<(Begun | undefined)[]> {
  const now = platform.clock.now()
  const [rows, documents, anchors] = await Promise.all([
    lockRequests.many(tx, { tenantId, requestIds }),
    listDocumentsToSeal.many(tx, { tenantId, requestIds }),
    readTrustAnchors(tx, platform, tenantId),
  ])
  const requests = rows.filter(({ status }) => status === 'Open' || status === 'Processing')
  const documentIds = documents.map(({ sourceDocumentId }) => sourceDocumentId)
  const [contents, ...seals] = await Promise.all([
    findContents(tx, { tenantId, documentIds }),
    ...[...new Set(requests.map(({ departmentId }) => departmentId))].map(async (departmentId) => ({
      departmentId,
      signer: await findSeal(tx, platform, { tenantId, departmentId, now }),
    })),
  ])
  const shared = { contents, anchors: anchors.map(({ certificate }) => certificate) }
  const found = requests.map((request) => ({
    ...shared,
    request,
    documents: documents.filter(({ requestId }) => requestId === request.id),
    signer: seals.find(({ departmentId }) => departmentId === request.departmentId)?.signer,
  }))
  const opened = found.filter(({ request }) => request.status === 'Open')
  await moveAll(tx, opened.map(intentOf), { to: 'Processing', now })
  const byId = new Map(found.map((one) => [one.request.id, one]))
  return requestIds.map((id) => asProcessing(byId.get(id)))
}

const asProcessing = (begun: Begun | undefined): Begun | undefined =>
  begun && { ...begun, request: { ...begun.request, status: 'Processing' } }

/** What is going to be sealed, and with what, is on record before the key is used. */
function intentOf({ request, documents, contents, signer }: Begun): Move {
  const intended = documents.map(({ id, sourceDocumentId }) => ({
    id,
    sourceDocumentURI: sourceDocumentId,
    sourceSha256: contents.get(sourceDocumentId)!.sha256.toString('hex'),
  }))
  return { request, data: { documents: intended, ...certificateOf(signer) } }
}

const names = new WeakMap<RawSigner, string>()

/** As events name it. */
export function certificateOf(signer: RawSigner | undefined): { certificate: string } | undefined {
  if (signer === undefined) return undefined
  const certificate = names.get(signer) ?? parseCertificate(signer.certificate).serial.toString('hex')
  names.set(signer, certificate)
  return { certificate }
}
