import { errorKind, quote } from '#platform/errors.ts'

export const notAPdf = errorKind(
  { code: 1200, classification: 'InvalidArgument', meaning: 'Only PDF documents can be sealed.' },
  (contentType: string) => `documentURI: must name a PDF document; this one is ${quote(contentType)}.`,
)

export const tooManyDocuments = errorKind(
  {
    code: 7204,
    classification: 'InvalidOperation',
    meaning: 'A sealing request has as many documents as it may have.',
  },
  (limit: number) => `A sealing request can have at most ${limit} documents.`,
)

export const sealingRequestNotFound = errorKind(
  { code: 2200, classification: 'EntityNotFound', meaning: 'There is no such sealing request.' },
  (id: string) => `There is no sealing request with the id ${quote(id)}.`,
)

export const sealingDocumentNotFound = errorKind(
  { code: 2201, classification: 'EntityNotFound', meaning: 'The sealing request has no such document.' },
  (id: string) => `The sealing request has no document with the id ${quote(id)}.`,
)

export const notADraft = errorKind(
  {
    code: 7200,
    classification: 'InvalidOperation',
    meaning: 'The fields and documents of a sealing request can change only while it is a Draft.',
  },
  (status: string, what: string) => `This sealing request is ${status}; ${what} can change only while it is a Draft.`,
)

export const statusNotAllowed = errorKind(
  {
    code: 7201,
    classification: 'InvalidOperation',
    meaning: 'A sealing request can not be taken from its present status to the one asked for.',
  },
  (status: string, wanted: string, allowed: readonly string[]) =>
    `status: this sealing request is ${status} and can not become ${wanted}; ` +
    (allowed.length > 0 ? `it can become ${allowed.join(', ')}.` : 'no caller can change that.'),
)

export const nothingToSeal = errorKind(
  {
    code: 7202,
    classification: 'InvalidOperation',
    meaning: 'A sealing request without a document can not be opened.',
  },
  () => 'status: a sealing request needs at least one document before it can become Open.',
)

export const versionChanged = errorKind(
  {
    code: 7203,
    classification: 'InvalidOperation',
    meaning: 'The sealing request has changed since the version that If-Match names.',
  },
  (present: string | undefined) =>
    present === undefined
      ? 'If-Match: there is no such sealing request yet; leave the header out to create it.'
      : `If-Match: this sealing request has changed meanwhile; its ETag is now ${present}.`,
)
