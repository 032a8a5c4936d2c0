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
    const refusal = REFUSALS[violatedConstraint(error) ?? '']
    throw refusal ? refusal(field) : error
  }
}

/**
 * A spread database names the part of the index that lies on the tenant's machine, in the message alone, and calls it an
 * inner error where rows were collected first.
 */
function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  const named = 'constraint' in error && error.code === UNIQUE_VIOLATION ? error.constraint : undefined
  if (typeof named === 'string') return named
  return /violates unique constraint "(\w+)_\d+"/.exec(error.message)?.[1]
}
