// The link of an evidence page. It names the request by its ids alone, so whoever has the page learns nothing from it;
// only who brings a file hears whether it is one that was sealed for that request.
import { holdsContent } from '#features/storage/index.ts'
import { publicAddress } from '#platform/config/public-address.ts'
import type { Config } from '#platform/config/config.ts'
import type { Tx } from '#platform/db/database.ts'
import { listCurrentDocuments } from './flow/document-statements.ts'
import type { FlowKey } from './flow/flow.ts'
import { findFlow } from './flow/flow-statements.ts'

const UUID_BYTES = 16
const CODE = /^[A-Za-z0-9_-]{43}$/

/** The address that the evidence of a request names, and that its QR code holds. */
export function verifyAddress(config: Config, { tenantId, requestId }: FlowKey): string {
  const ids = Buffer.from((tenantId + requestId).replaceAll('-', ''), 'hex')
  return `${publicAddress(config)}/verify/${ids.toString('base64url')}`
}

/** The request that a link names; undefined where it is no such link. Nothing says that the request exists. */
export function readVerifyCode(code: string): FlowKey | undefined {
  const ids = CODE.test(code) ? Buffer.from(code, 'base64url') : Buffer.alloc(0)
  if (ids.length !== 2 * UUID_BYTES) return undefined
  return { tenantId: uuidOf(ids.subarray(0, UUID_BYTES)), requestId: uuidOf(ids.subarray(UUID_BYTES)) }
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Whether a file with this SHA-256 is a sealed document of the request, or its evidence. */
export async function isSealedFile(tx: Tx, { sha256, ...key }: FlowKey & { sha256: string }): Promise<boolean> {
  const flow = await findFlow.maybeOne(tx, key)
  if (flow === undefined || flow.evidenceDocumentId === null) return false
  const documents = await listCurrentDocuments.many(tx, key)
  if (documents.some((document) => document.sha256.toString('hex') === sha256)) return true
  return holdsContent(tx, { tenantId: key.tenantId, documentId: flow.evidenceDocumentId, sha256 })
}
