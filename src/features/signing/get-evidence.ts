import { Readable } from 'node:stream'
import { trustAnchors } from '#features/certificates/index.ts'
import { zipEvidence } from '#features/evidence/index.ts'
import { proveSoon } from '#features/history/index.ts'
import { loadDocument } from '#features/storage/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { Answer } from '#platform/http/route.ts'
import type { Platform } from '#platform/platform.ts'
import { parseCertificate } from '#pki/certificate.ts'
import { findCommonName } from '#pki/names.ts'
import { requestNotFound } from './errors.ts'
import { readBytes } from './flow/document-bytes.ts'
import { findFlow } from './flow/flow-statements.ts'
import { listCurrentDocuments } from './flow/document-statements.ts'
import { listProofs, listUsedCertificates } from './flow/intent-statements.ts'

export type GetEvidence = { caller: Caller; requestId: string; now: Date }

/** Everything that an outsider needs to verify the request offline, as a zip; undefined before it is closed. */
export async function getEvidence(
  platform: Platform,
  { caller, requestId, now }: GetEvidence,
): Promise<Answer | undefined> {
  const { tenantId } = caller
  const found = await platform.db.transaction(tenantId, (tx) => collect(tx, caller, requestId))
  if (found === undefined) return undefined
  const { documents, certificates, pdfId, jsonId } = found
  const history = await proveSoon(platform, { tenantId, requestId, requestKind: 'signaturerequest' })
  const anchors = await trustAnchors(platform, { tenantId })
  const [pdf, json] = await Promise.all([
    loadDocument(platform, { tenantId, documentId: pdfId }),
    loadDocument(platform, { tenantId, documentId: jsonId }),
  ])
  const zip = zipEvidence({
    documents: documents.map(({ fileName, sha256 }) => ({
      fileName,
      read: () => readBytes(platform, { tenantId, sha256 }),
    })),
    evidencePdf: pdf.bytes,
    evidenceJson: json.bytes,
    history,
    certificates: nameAll([...certificates, ...anchors]),
    at: now,
  })
  return new Answer(200, Readable.from(zip, { objectMode: false }), {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="evidence-${requestId}.zip"`,
  })
}

async function collect(tx: Tx, caller: Caller, requestId: string) {
  const { tenantId } = caller
  const key = { tenantId, requestId }
  const flow = await findFlow.maybeOne(tx, key)
  if (flow === undefined) throw requestNotFound(requestId)
  await requireReach(tx, caller, flow.departmentId)
  const { evidenceDocumentId: pdfId, evidenceJsonDocumentId: jsonId } = flow
  if (pdfId === null || jsonId === null) return undefined
  const used = await listUsedCertificates.many(tx, key)
  const proofs = await listProofs.many(tx, key)
  return {
    pdfId,
    jsonId,
    documents: await listCurrentDocuments.many(tx, key),
    certificates: [
      ...used.map(({ certificate }) => certificate),
      ...proofs.flatMap(({ certificates }) => certificates),
    ],
  }
}

/** Each certificate once, called by the name that it was issued to. */
function nameAll(certificates: readonly Buffer[]): { name: string; der: Buffer }[] {
  const unique = new Map(certificates.map((der) => [der.toString('base64'), der]))
  return [...unique.values()].map((der) => {
    const name = findCommonName(parseCertificate(der).subject) ?? 'certificate'
    return { name: name.replaceAll(/[^\p{L}\p{N} .-]/gu, '_'), der }
  })
}
