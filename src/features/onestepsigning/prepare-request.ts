// What happens before the transaction: the rules, the bytes of the documents, and making those bytes lasting. A row must
// never point at bytes that a power cut could still take.
import { findRequestTemplate, type SignatureTemplateFields } from '#features/documenttemplating/index.ts'
import { checkDocument, type CheckedDocument, type NewSignatureDocument } from '#features/signing/index.ts'
import { commitContent, keepContent } from '#features/storage/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { AppError, referenceNotFound } from '#platform/errors.ts'
import { fingerprint } from '#platform/http/canonical-json.ts'
import type { Outside } from '#platform/http/route.ts'
import type { Platform } from '#platform/platform.ts'
import { readPayload, type CheckedPayload, type UncheckedDocument } from './read-payload.ts'
import type { Payload } from './schemas.ts'

export type PreparedRequest = Omit<CheckedPayload, 'documents'> & { documents: NewSignatureDocument[] }

export type Preparation = {
  /** Of the call's body, with each document replaced by its hash. */
  callFingerprint: Buffer
  request: PreparedRequest | undefined
  /** Why it can't be made, unless it turns out that it was made long ago. */
  refusal: AppError | undefined
}

type Call = { caller: Caller; body: Payload }

/** Checks a payload and makes its documents lasting. */
export async function prepareRequest(outside: Outside, { caller, body }: Call): Promise<Preparation> {
  const callFingerprint = fingerprint(body)
  try {
    return { callFingerprint, request: await prepare(outside, { caller, body }), refusal: undefined }
  } catch (error) {
    // A call that has succeeded once is answered in the same way for ever, even after its dates and templates have gone.
    if (body.id === undefined || !(error instanceof AppError)) throw error
    return { callFingerprint, request: undefined, refusal: error }
  }
}

async function prepare({ platform, now }: Outside, { caller, body }: Call): Promise<PreparedRequest> {
  const template = await readTemplate(platform, { caller, body })
  const request = readPayload(body, template, { limits: platform.config.limits, gateways: platform.config, now })
  const rules = { activeContent: platform.config.activeContent, signatories: request.signatories.length, now }
  const checked: CheckedDocument[] = []
  for (const { staged, field } of request.documents) checked.push(await checkDocument(staged, field, rules))
  const keeping = request.documents.map((document, index) =>
    keepDocument(platform, caller.tenantId, document, checked[index]!),
  )
  // A call that fails throws the files of its documents away, so nobody may still be storing one.
  await Promise.allSettled(keeping)
  return { ...request, documents: await Promise.all(keeping) }
}

async function readTemplate({ db }: Platform, { caller, body }: Call): Promise<SignatureTemplateFields | undefined> {
  const templateId = body.signatureRequestTemplateId
  if (templateId === undefined) return undefined
  const found = await db.transaction(caller.tenantId, (tx) =>
    findRequestTemplate(tx, { caller, templateId, kind: 'signature' }),
  )
  if (found === undefined) throw referenceNotFound('signatureRequestTemplateId', 'template')
  return found.fields
}

async function keepDocument(
  platform: Platform,
  tenantId: string,
  { staged, field: _field, ...document }: UncheckedDocument,
  { contentType, activeContent, repaired }: CheckedDocument,
): Promise<NewSignatureDocument> {
  const { sha256, sizeBytes } = await commitContent(platform, { tenantId, staged, knownType: contentType })
  return {
    ...document,
    contentType,
    activeContent,
    content: { sha256, sizeBytes },
    repaired: repaired && {
      ...(await keepContent(platform, { tenantId, bytes: repaired.bytes })),
      writtenBy: repaired.writtenBy,
    },
  }
}
