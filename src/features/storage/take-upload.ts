// An upload: the document as the body itself, or as the one file of a form.
import type { IncomingMessage } from 'node:http'
import type { StagedBlob } from '#platform/blobs/blob-store.ts'
import { invalidArgument } from '#platform/errors.ts'
import { documentTooLarge } from '#platform/http/body/errors.ts'
import { stageMultipartFile } from '#platform/http/body/multipart.ts'
import { stageStream } from '#platform/http/body/stage-stream.ts'
import { unsupportedMediaType } from '#platform/http/edge-errors.ts'
import { hasBody, patient } from '#platform/http/incoming-body.ts'
import { readValues } from '#platform/http/read-input.ts'
import { FileName, Optional, Type } from '#platform/http/schema.ts'
import type { Platform } from '#platform/platform.ts'
import { commitContent, UNKNOWN_TYPE, type Content } from './commit-content.ts'

export type Upload = {
  content: Content
  fileName: string
  /** Tells one upload from another where the call is repeated. */
  fingerprint: string
}

type Arrived = { staged: StagedBlob; claimedType: string | undefined; fileName: string | undefined }

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(\s*;[\x20-\x7e]{0,200})?$/
// The boundary and the headers of the part, around the one file of a form.
const FORM_OVERHEAD_BYTES = 16 * 1024
const Named = Type.Object({ fileName: Optional(FileName()) })

/** Takes the body in and makes it lasting. Nothing stays behind where it is refused or breaks off. */
export async function takeUpload(
  platform: Pick<Platform, 'db' | 'blobs' | 'config'>,
  { tenantId, request, fileName }: { tenantId: string; request: IncomingMessage; fileName: string | undefined },
): Promise<Upload> {
  const arrived = await stage(platform, request)
  try {
    const name = fileName ?? checkName(arrived.fileName)
    if (arrived.staged.sizeBytes === 0) throw invalidArgument('body', 'must not be empty')
    const content = await commitContent(platform, { tenantId, ...arrived })
    return { content, fileName: name ?? usualName(content), fingerprint: content.sha256 }
  } catch (error) {
    await arrived.staged.discard()
    throw error
  }
}

async function stage(
  { blobs, config }: Pick<Platform, 'blobs' | 'config'>,
  request: IncomingMessage,
): Promise<Arrived> {
  const maxBytes = config.limits.documentBytes
  const contentType = request.headers['content-type'] || undefined
  const isForm = /^multipart\//i.test(contentType ?? '')
  if (request.headers['content-encoding'] !== undefined || !isMediaType(contentType)) {
    throw unsupportedMediaType('the type of the document, or multipart/form-data with one file')
  }
  if (!hasBody(request)) throw invalidArgument('body', 'is required')
  requireSize(request, isForm ? maxBytes + FORM_OVERHEAD_BYTES : maxBytes, maxBytes)
  const writer = await blobs.begin()
  if (!isForm) {
    return {
      staged: await stageStream(patient(request), writer, { maxBytes }),
      claimedType: contentType,
      fileName: undefined,
    }
  }
  const file = await stageMultipartFile(patient(request), writer, { contentType: contentType!, maxBytes })
  const claimedType = isMediaType(file.contentType) ? file.contentType : UNKNOWN_TYPE
  return { staged: file.staged, claimedType, fileName: file.fileName }
}

/** What says itself that it is too large need not be read to be refused. */
function requireSize(request: IncomingMessage, most: number, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > most) throw documentTooLarge('The body', maxBytes)
}

function isMediaType(contentType: string | undefined): boolean {
  return contentType === undefined || MEDIA_TYPE.test(contentType)
}

function checkName(fileName: string | undefined): string | undefined {
  return readValues(Named, { fileName })['fileName'] as string | undefined
}

function usualName({ contentType }: Content): string {
  return contentType === 'application/pdf' ? 'document.pdf' : 'document'
}
