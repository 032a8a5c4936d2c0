// Finding requests by words. Every word must be there; the last may be the beginning of one.
import type { Tx } from '#platform/db/database.ts'
import { countWords, findIdsByWords, listWordsByPrefix } from './listing-statements.ts'
import { wordsOf } from './request-words.ts'
import type { RequestStatus } from './signature-request.ts'

/** So many words that begin alike are looked for, in the order of the alphabet. */
const MOST_BEGINNING_ALIKE = 100
/** So many of the newest requests that carry the rarest word are looked at. */
const MOST_LOOKED_AT = 10_000
const AFTER_EVERY_WORD = '\u{10FFFF}'

export type Search = {
  tenantId: string
  search: string
  externalReference: string | undefined
  departmentIds: string[] | undefined
  status: RequestStatus | undefined
  most: number
}

/** The ids of the newest requests that the search finds, at most so many. */
export async function findIdsBySearch(tx: Tx, search: Search): Promise<string[]> {
  const { tenantId, externalReference, departmentIds, status, most } = search
  const words = wordsOf(search.search)
  const prefix = words.at(-1)
  if (prefix === undefined) return []
  const every = words.slice(0, -1)
  const last = await expand(tx, tenantId, prefix)
  const first = await chooseRarest(tx, { tenantId, every, last })
  const isWordAlone =
    every.length === 0 && [externalReference, departmentIds, status].every((filter) => filter === undefined)
  const found = await findIdsByWords.many(tx, {
    tenantId,
    first,
    every,
    last,
    externalReference: externalReference ?? null,
    departmentIds: departmentIds ?? null,
    status: status ?? null,
    // Where nothing else decides, the newest that carry the word are the answer.
    looked: isWordAlone ? most : MOST_LOOKED_AT,
    most,
  })
  return found.map((row) => row.id)
}

async function expand(tx: Tx, tenantId: string, prefix: string): Promise<string[]> {
  const end = prefix + AFTER_EVERY_WORD
  const found = await listWordsByPrefix.many(tx, { tenantId, prefix, end, most: MOST_BEGINNING_ALIKE })
  return found.map((row) => row.word)
}

type Terms = { tenantId: string; every: string[]; last: string[] }

/** The term to begin with: the fewer requests carry it, the fewer have to be looked at. */
async function chooseRarest(tx: Tx, { tenantId, every, last }: Terms): Promise<string[]> {
  if (every.length === 0 || last.length === 0) return last
  const counted = await countWords.many(tx, { tenantId, words: [...every, ...last], most: MOST_LOOKED_AT })
  const amounts = new Map(counted.map(({ word, amount }) => [word, amount]))
  const terms = [last, ...every.map((word) => [word])]
  const amountOf = (term: string[]) => term.reduce((sum, word) => sum + amounts.get(word)!, 0)
  return terms.reduce((rarest, term) => (amountOf(term) < amountOf(rarest) ? term : rarest))
}
