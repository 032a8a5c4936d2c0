import { confirmSigning, type Mark } from '#features/signing/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidArgument } from '#platform/errors.ts'
import type { Guest } from '#platform/http/route.ts'
import { getSitting, requireMet } from './sitting.ts'

const MOST_NUMBERS = 20_000

export type GivenMark = { kind: 'typed' | 'drawn'; text?: string; strokes?: number[][] }

export type Confirm = {
  guest: Guest
  documents: readonly { id: string; sha256: string }[]
  mark: GivenMark | undefined
  now: Date
}

/** Records that the person signs what was shown. The signature follows at once, by the worker. */
export async function confirm(tx: Tx, { guest, documents, mark, now }: Confirm): Promise<void> {
  const sitting = await getSitting(tx, guest, now)
  const { tenantId, signatoryId, sessionId } = guest
  if (!sitting.person.hasConfirmed) {
    requireMet(sitting, 'reading')
    requireMet(sitting, 'signing')
  }
  await confirmSigning(tx, {
    tenantId,
    signatoryId,
    sessionId,
    documents,
    mark: mark && readMark(mark),
    authentication: sitting.authentication,
    now,
  })
}

function readMark({ kind, text, strokes }: GivenMark): Mark {
  if (kind === 'typed') {
    if (text === undefined || text.trim() === '') throw invalidArgument('mark.text', 'is required for a typed mark')
    return { kind, text: text.trim() }
  }
  if (strokes === undefined || strokes.length === 0) {
    throw invalidArgument('mark.strokes', 'is required for a drawn mark')
  }
  const numbers = strokes.reduce((sum, stroke) => sum + stroke.length, 0)
  if (numbers > MOST_NUMBERS) throw invalidArgument('mark.strokes', `must have at most ${MOST_NUMBERS} numbers in all`)
  if (strokes.some((stroke) => stroke.length < 2 || stroke.length % 2 !== 0)) {
    throw invalidArgument('mark.strokes', 'must be lists of x, y, x, y and so on')
  }
  return { kind, strokes }
}
