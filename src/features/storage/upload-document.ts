import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { keepDocument } from './keep-document.ts'
import type { Upload } from './take-upload.ts'

const UNUSED_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1000

/** Records an upload in the caller's department. It goes after a week if nothing has used it by then. */
export async function uploadDocument(tx: Tx, { caller, upload, now }: { caller: Caller; upload: Upload; now: Date }) {
  const { content, fileName } = upload
  const uri = await keepDocument(tx, {
    tenantId: caller.tenantId,
    departmentId: caller.departmentId,
    content,
    contentType: content.contentType,
    fileName,
    creatorId: caller.userId,
    now,
    purgeAt: new Date(now.getTime() + UNUSED_DAYS * DAY_MS),
  })
  return { uri, size: content.sizeBytes, sha256: content.sha256 }
}
