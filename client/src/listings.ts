// Listings from their first to their last item, page after page, as they are needed.
import type { CallOptions } from './call.ts'
import { OPERATIONS } from './generated/operations.ts'
import type { Operations } from './generated/types.ts'

type Answer<N extends keyof Operations> = Awaited<ReturnType<Operations[N]>>

/** The operations that list. */
export type ListingName = {
  [N in keyof Operations]: Answer<N> extends { items: unknown[] } ? N : never
}[keyof Operations]

export type Item<N extends ListingName> = Answer<N> extends { items: (infer T)[] } ? T : never

/** Every item of a listing, from the first on; pages are fetched while you go through them. */
export type ListAll = <N extends ListingName>(
  name: N,
  input?: Parameters<Operations[N]>[0],
  options?: CallOptions,
) => AsyncGenerator<Item<N>, void, undefined>

/** Pages say in one of three ways what comes after them: a token, a cursor, or nothing but how long they are. */
type Page = { items: { id?: string }[]; continuationToken?: string | null; cursor?: string; hasMore?: boolean }
type Input = Record<string, unknown>
type List = (input: Input, options?: CallOptions) => Promise<Page>
type Paging = { next: string; size: string }

const PAGE_SIZE = 100

export function listAll(operations: Operations): ListAll {
  return async function* all(name, input = {}, options = {}) {
    const list = operations[name] as unknown as List
    const paging = pagingOf(OPERATIONS[name])
    let asked: Input | undefined = { ...(paging && { [paging.size]: PAGE_SIZE }), ...input }
    let previous: Page['items'] = []
    while (asked !== undefined) {
      const page: Page = await list(asked, options)
      // What was added meanwhile moves the rest on, so a page may begin with what the one before ended with.
      const seen = new Set(previous.map(({ id }) => id))
      yield* page.items.filter(({ id }) => id === undefined || !seen.has(id)) as Item<typeof name>[]
      asked = paging && nextPage(paging, asked, page)
      previous = page.items
    }
  }
}

function pagingOf(line: string): Paging | undefined {
  const [next, size] = line.split('@')[1]?.split(',') ?? []
  return next && size ? { next, size } : undefined
}

/** What asks for the page after this one; undefined where this was the last. */
function nextPage({ next, size }: Paging, asked: Input, { items, continuationToken, cursor, hasMore }: Page) {
  if (continuationToken !== undefined)
    return continuationToken === null ? undefined : { ...asked, [next]: continuationToken }
  if (hasMore !== undefined) return hasMore ? { ...asked, [next]: cursor } : undefined
  if (items.length < Number(asked[size])) return undefined
  if (/^skip$/i.test(next)) return { ...asked, [next]: Number(asked[next] ?? 0) + items.length }
  return { ...asked, [next]: items.at(-1)!.id }
}
