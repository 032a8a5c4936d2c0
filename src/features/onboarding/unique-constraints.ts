// The database alone decides what is unique, so that of two calls at once exactly one is refused. Here its refusal becomes
// ours: the index that was hit, and the field that the caller would know it by.
import type { AppError } from '#platform/errors.ts'
import { emailTaken, referenceTaken } from './errors.ts'

const UNIQUE_VIOLATION = '23505'

const REFUSALS: Record<string, (field: string) => AppError> = {
  department_reference: referenceTaken,
  app_user_email: emailTaken,
}

/** Runs a write; a value that is in use already is refused in the name of `field`. */
export async function refuseDuplicate<T>(field: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const refusal = isUniqueViolation(error) ? REFUSALS[error.constraint] : undefined
    throw refusal ? refusal(field) : error
  }
}

function isUniqueViolation(error: unknown): error is Error & { constraint: string } {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION && 'constraint' in error
}
