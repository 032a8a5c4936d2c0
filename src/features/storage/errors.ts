import { errorKind } from '#platform/errors.ts'

export const rangeNotSatisfiable = errorKind(
  { code: 1600, classification: 'InvalidArgument', meaning: 'The header Range asks for bytes beyond the document.' },
  (sizeBytes: number) => `Range: the document has ${sizeBytes} bytes; the range must begin within them.`,
)
