// The document behind a document template: new bytes that came with the call, or one that is stored already.
import type { Caller } from '#platform/auth/caller.ts'
import {
  commitContent,
  findReachableDocument,
  keepDocument,
  useDocument,
  type Content,
} from '#features/storage/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidArgument, referenceNotFound } from '#platform/errors.ts'
import type { DocumentContent } from '#platform/http/document-content.ts'
import type { Platform } from '#platform/platform.ts'
import { contentGivenTwice } from './errors.ts'

export type GivenDocument = {
  templateUri?: string | undefined
  contentBase64?: DocumentContent | undefined
  fileName?: string | undefined
}

/** Makes the bytes that came with a call lasting, before its transaction begins; undefined where none came. */
export async function takeContent(
  platform: Platform,
  caller: Caller,
  { templateUri, contentBase64 }: GivenDocument,
): Promise<Content | undefined> {
  if (contentBase64 === undefined) return undefined
  if (templateUri !== undefined) throw contentGivenTwice()
  if (contentBase64.staged.sizeBytes === 0) throw invalidArgument('contentBase64', 'must not be empty')
  return commitContent(platform, { tenantId: caller.tenantId, staged: contentBase64.staged })
}

export type UseContent = {
  caller: Caller
  departmentId: string
  given: GivenDocument
  content: Content | undefined
  now: Date
}

/** The id of the stored document that the template shall name from now on; undefined where the call gives none. */
export async function useContent(tx: Tx, use: UseContent): Promise<string | undefined> {
  const { caller, departmentId, given, content, now } = use
  if (content !== undefined) {
    const fileName = given.fileName ?? (content.contentType === 'application/pdf' ? 'template.pdf' : 'template')
    const { tenantId, userId: creatorId } = caller
    return keepDocument(tx, {
      tenantId,
      departmentId,
      content,
      contentType: content.contentType,
      fileName,
      creatorId,
      now,
    })
  }
  if (given.templateUri === undefined) return undefined
  const document = await findReachableDocument(tx, { caller, uri: given.templateUri })
  if (document === undefined) throw referenceNotFound('templateUri', 'stored document')
  await useDocument(tx, { tenantId: caller.tenantId, documentId: document.id })
  return document.id
}
