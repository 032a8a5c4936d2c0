import { errorKind } from '#platform/errors.ts'

export const contentGivenTwice = errorKind(
  { code: 1400, classification: 'InvalidArgument', meaning: 'A template’s document is given both ways.' },
  () => 'contentBase64: must not be given together with templateUri.',
)

export const contentMissing = errorKind(
  { code: 1401, classification: 'InvalidArgument', meaning: 'A new template comes without a document.' },
  () => 'contentBase64: is required, unless templateUri names a stored document.',
)

export const kindIsFixed = errorKind(
  { code: 7400, classification: 'InvalidOperation', meaning: 'The kind of a request template never changes.' },
  (kind: string) => `kind: this is a template for a ${kind} request, and stays one.`,
)

export const tooManyTemplates = errorKind(
  { code: 7401, classification: 'InvalidOperation', meaning: 'The tenant has as many templates as it may have.' },
  (most: number) => `There are ${most} templates already. Delete some that are no longer used.`,
)
