// Paging of plain listings. Skipped rows are walked over by the database, so skipping has an end of its own.
import { invalidArgument } from '#platform/errors.ts'
import { Optional, Type } from './schema.ts'

const MOST_SKIPPED = 10_000
const MOST_TAKEN = 500
const USUALLY_TAKEN = 50

export type Page = { skip: number; take: number }

export const Skip = () =>
  Optional(
    Type.Integer({ format: 'int32', minimum: 0, default: 0, description: `At most ${MOST_SKIPPED}; see GET /event.` }),
  )
export const Take = () =>
  Optional(Type.Integer({ format: 'int32', minimum: 1, maximum: MOST_TAKEN, default: USUALLY_TAKEN }))

/** The page that a query asks for. Whoever wants more than skipping gives is pointed at the cursor feed. */
export function readPage({ skip = 0, take = USUALLY_TAKEN }: { skip?: number; take?: number }): Page {
  if (skip > MOST_SKIPPED) {
    throw invalidArgument('skip', `must be at most ${MOST_SKIPPED}; to walk through everything, follow GET /event`)
  }
  return { skip, take }
}
