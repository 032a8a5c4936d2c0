// Whoever comes by the link of an evidence page and brings a file hears whether that file was sealed for that request.
// The same is answered for a request that does not exist: a link tells nothing to who has no file.
import { isSealedFile, readVerifyCode } from '#features/signing/index.ts'
import type { Platform } from '#platform/platform.ts'
import { notVerifyLink } from './errors.ts'

export type NamedRequest = { tenantId: string; requestId: string }

/** The request that the link names; undefined where nobody came by one. */
export function readEvidence(code: string | undefined): NamedRequest | undefined {
  if (code === undefined) return undefined
  const request = readVerifyCode(code)
  if (request === undefined) throw notVerifyLink()
  return request
}

export async function checkEvidence(
  { db }: Pick<Platform, 'db'>,
  request: NamedRequest | undefined,
  sha256: string,
): Promise<{ signatureRequestId: string; isSealedHere: boolean } | null> {
  if (request === undefined) return null
  const isSealedHere = await db.transaction(request.tenantId, (tx) => isSealedFile(tx, { ...request, sha256 }))
  return { signatureRequestId: request.requestId, isSealedHere }
}
