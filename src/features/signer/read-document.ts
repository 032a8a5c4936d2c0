import { sendDocument } from '#features/storage/index.ts'
import { Answer, type Guest } from '#platform/http/route.ts'
import type { Platform } from '#platform/platform.ts'
import { documentNotShown } from './errors.ts'
import { showRequest } from './show-request.ts'
import { getSitting, requireMet } from './sitting.ts'

export type ReadShownDocument = {
  guest: Guest
  documentId: string
  /** Which revision; the latest where it is absent. */
  sha256: string | undefined
  isDownload: boolean
  headers: Record<string, string | undefined>
  now: Date
}

/** The bytes of a document as it was shown. Nothing is sent before the reading strength is met, or after an end. */
export async function readShownDocument(platform: Platform, question: ReadShownDocument): Promise<Answer> {
  const { guest, documentId, isDownload, headers, now } = question
  const { tenantId } = guest
  const sitting = await platform.db.transaction(tenantId, (tx) => getSitting(tx, guest, now))
  requireMet(sitting, 'reading')
  const document = sitting.documents.find(({ id }) => id === documentId)
  if (document === undefined || !showRequest(sitting, now).canDownload) throw documentNotShown()
  const sha256 = question.sha256 ?? document.sha256.toString('hex')
  const shown = sitting.revisions.find((r) => r.documentId === documentId && r.sha256.toString('hex') === sha256)
  if (shown === undefined) throw documentNotShown()
  const { fileName } = document
  const answer = await sendDocument(platform, {
    tenantId,
    document: { sha256, sizeBytes: shown.sizeBytes, contentType: 'application/pdf', fileName },
    headers,
  })
  // Even a reader that opens it by itself runs nothing of ours or with our cookies.
  const guarded = { ...answer.headers, 'content-security-policy': "sandbox; default-src 'none'" }
  if (!isDownload && 'content-disposition' in guarded) {
    guarded['content-disposition'] = String(guarded['content-disposition']).replace(/^attachment/, 'inline')
  }
  return new Answer(answer.status, answer.body, guarded)
}
