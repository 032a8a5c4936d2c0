import { AppError, errorKind } from '#platform/errors.ts'

export const notPdf = errorKind(
  { code: 1610, classification: 'InvalidArgument', meaning: 'Only PDF files can be validated, and this is none.' },
  () => 'body: must be a PDF.',
)

export const notVerifyLink = errorKind(
  { code: 1611, classification: 'InvalidArgument', meaning: 'The link is not one of an evidence page.' },
  () => 'evidence: must be the last part of the link on an evidence page.',
)

const tooManyFiles = errorKind(
  { code: 9110, classification: 'InternalError', meaning: 'Too many files are being judged at the moment.' },
  () => 'Too many files are being judged at the moment. Try again in a few seconds.',
)

const RETRY_AFTER_S = 5

export function busy(): AppError {
  const { classification, code, message } = tooManyFiles()
  return new AppError(classification, code, message, { retryAfterS: RETRY_AFTER_S })
}
