// Every way in which a request body is refused before any schema sees it.
import { AppError, errorKind, quote } from '#platform/errors.ts'

export const notUtf8 = errorKind(
  { code: 1010, classification: 'InvalidArgument', meaning: 'The body is not UTF-8.' },
  () => 'The body must be UTF-8.',
)

export const notJson = errorKind(
  { code: 1011, classification: 'InvalidArgument', meaning: 'The body is not well-formed JSON.' },
  (why: string) => `The body is not well-formed JSON: ${why}.`,
)

export const nulCharacter = errorKind(
  { code: 1012, classification: 'InvalidArgument', meaning: 'A text holds the character U+0000.' },
  (path: string) => `${path}: the character U+0000 is not allowed.`,
)

export const loneSurrogate = errorKind(
  { code: 1013, classification: 'InvalidArgument', meaning: 'A text holds half of a surrogate pair.' },
  (path: string) => `${path}: half of a surrogate pair is no character.`,
)

export const tooDeep = errorKind(
  { code: 1014, classification: 'InvalidArgument', meaning: 'The body is nested too deeply.' },
  (limit: number) => `The body is nested more than ${limit} levels deep.`,
)

export const duplicateKey = errorKind(
  { code: 1015, classification: 'InvalidArgument', meaning: 'An object names the same key twice.' },
  (path: string) => `${path}: the key is given twice.`,
)

export const forbiddenKey = errorKind(
  {
    code: 1016,
    classification: 'InvalidArgument',
    meaning: 'A key has a name that JavaScript objects give a meaning.',
  },
  (path: string) => `${path}: a key of this name is not allowed.`,
)

export const numberOutOfRange = errorKind(
  { code: 1017, classification: 'InvalidArgument', meaning: 'A number is beyond the range of a double.' },
  (path: string) => `${path}: the number is out of range.`,
)

export const bodyTooLarge = errorKind(
  { code: 1018, classification: 'InvalidArgument', meaning: 'The body is larger than allowed.' },
  (what: string, limitBytes: number) => `${what} is larger than the ${limitBytes} bytes allowed.`,
)

export const documentTooLarge = errorKind(
  { code: 1019, classification: 'InvalidArgument', meaning: 'A document is larger than allowed.' },
  (path: string, limitBytes: number) => `${path}: the document is larger than the ${limitBytes} bytes allowed.`,
)

export const tooManyDocuments = errorKind(
  { code: 1020, classification: 'InvalidArgument', meaning: 'The body holds more documents than allowed.' },
  (limit: number) => `The body holds more than ${limit} documents.`,
)

export const badBase64 = errorKind(
  { code: 1021, classification: 'InvalidArgument', meaning: 'A document is not well-formed Base64.' },
  (path: string, why: string) => `${path}: this is not Base64: ${why}.`,
)

const cut = errorKind(
  { code: 1022, classification: 'InvalidArgument', meaning: 'The connection ended before the body did.' },
  () => 'The body ended before it was complete.',
)

export const badMultipart = errorKind(
  { code: 1023, classification: 'InvalidArgument', meaning: 'The multipart body is not one well-formed file part.' },
  (why: string) => `The body must be multipart/form-data with one file: ${why}.`,
)

/** The error for a body whose connection broke. Nobody is left to read it, but it is no fault of ours in the log. */
export function bodyCut(cause: unknown): AppError {
  const { classification, code, message } = cut()
  return new AppError(classification, code, message, { cause })
}

/** Codes answered with 413. */
export const TOO_LARGE_CODES: readonly number[] = [1018, 1019]

/** `documents[1].contentBase64`, from keys and indexes; an odd key stands in quotation marks. */
export function formatPath(steps: readonly (string | number)[]): string {
  const text = steps.map((step) => {
    if (typeof step === 'number') return `[${step}]`
    return /^[\w$-]{1,80}$/.test(step) ? `.${step}` : `[${quote(step)}]`
  })
  const path = text.join('').replace(/^\./, '')
  return path === '' ? 'The body' : path
}
