// The rules of a payload: what it may contain, what it must, and what stands for what it leaves out. Pure.
import {
  findGap,
  readDeliveryMethods,
  readStrength,
  requireGateway,
  requireProviders,
  type Gateways,
  type NewRequest,
} from '#features/signing/index.ts'
import type { SignatureTemplateFields } from '#features/documenttemplating/index.ts'
import type { StagedBlob } from '#platform/blobs/blob-store.ts'
import { invalidArgument } from '#platform/errors.ts'
import type { Payload } from './schemas.ts'

/** A document whose bytes are staged and have not been looked at. */
export type UncheckedDocument = Omit<
  NewRequest['documents'][number],
  'content' | 'contentType' | 'repaired' | 'activeContent'
> & {
  staged: StagedBlob
  /** Where its content stands in the payload. */
  field: string
}

/** All of a new request but what only the database knows. */
export type CheckedPayload = Omit<
  NewRequest,
  'id' | 'departmentId' | 'creatorId' | 'documents' | 'fingerprint' | 'templateId'
> & { departmentId: string | undefined; documents: UncheckedDocument[] }

export type PayloadRules = { limits: { documents: number; signatories: number }; gateways: Gateways; now: Date }

/** What the caller asks for, completed by the template; throws naming the first field that is wrong. */
export function readPayload(
  payload: Payload,
  template: SignatureTemplateFields | undefined,
  { limits, gateways, now }: PayloadRules,
): CheckedPayload {
  const given = { ...template, ...payload }
  if (given.subject === undefined) throw invalidArgument('subject', 'is required')
  requireAtMost(given.signatories, limits.signatories, 'signatories')
  requireAtMost(given.documents, limits.documents, 'documents')
  const request: CheckedPayload = {
    departmentId: given.departmentId,
    subject: given.subject,
    status: given.status ?? 'Draft',
    languageCode: given.languageCode ?? null,
    readingStrength: readStrength(given.readingAuthenticationStrength ?? 'None', 'readingAuthenticationStrength'),
    signingStrength: readStrength(given.signingAuthenticationStrength ?? 'Email', 'signingAuthenticationStrength'),
    externalReference: given.externalReference ?? null,
    expirationAt: readExpiration(given.expirationDate, now),
    deliveryMethods: readDeliveryMethods(given.deliveryMethods),
    placements: template?.placements ?? null,
    signatories: (given.signatories ?? []).map(readSignatory),
    documents: (given.documents ?? []).map(readDocument),
  }
  requireProviders(request, gateways)
  requireGateway(request, gateways)
  if (request.status === 'Open') requireOpenable(request, now)
  return request
}

function requireAtMost(list: unknown[] | undefined, most: number, field: string): void {
  if (list !== undefined && list.length > most) throw invalidArgument(field, `must have at most ${most}`)
}

function readExpiration(date: string | undefined, now: Date): Date | null {
  if (date === undefined) return null
  const expirationAt = new Date(date)
  if (expirationAt <= now) throw invalidArgument('expirationDate', 'must lie ahead')
  return expirationAt
}

function readSignatory(given: NonNullable<Payload['signatories']>[number]) {
  return {
    firstName: given.firstName ?? null,
    lastName: given.lastName ?? null,
    email: given.email ?? null,
    mobilePhone: given.mobilePhone ?? null,
    isMandatory: given.isMandatory ?? true,
    authenticationAreaCode: given.authenticationAreaCode ?? null,
    personalIdentifier: given.personalIdentifier ?? null,
    signingOrder: given.signatoryGroupSigningOrder ?? 1,
    externalReference: given.externalReference ?? null,
  }
}

function readDocument(given: NonNullable<Payload['documents']>[number], index: number): UncheckedDocument {
  return {
    title: given.title ?? null,
    fileName: given.fileName ?? `document-${index + 1}.pdf`,
    documentTypeId: given.documentTypeId ?? null,
    externalReference: given.externalReference ?? null,
    staged: given.contentBase64.staged,
    field: `documents[${index}].contentBase64`,
  }
}

function requireOpenable(request: CheckedPayload, now: Date): void {
  const gap = findGap({ ...request, documentCount: request.documents.length }, now)
  if (gap) throw invalidArgument(gap.field, gap.expected)
}
