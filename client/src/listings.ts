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

type Page = { items: { id?: string }[]; continuationToken?: string | null }
type Input = Record<string, unknown>
type List = (input: Input, options?: CallOptions) => Promise<Page>

const PAGE_SIZE = 100

export function listAll(operations: Operations): ListAll {
  return async function* all(name, input = {}, options = {}) {
    const list = operations[name] as unknown as List
    const parameter = OPERATIONS[name].split('@')[1]
    let next: Input | undefined = firstPage(parameter, { ...input })
    let previous: Page['items'] = []
    while (next !== undefined) {
      const page: Page = await list(next, options)
      // What was added meanwhile moves the rest on, so a page may begin with what the one before ended with.
      const seen = new Set(previous.map(({ id }) => id))
      yield* page.items.filter(({ id }) => id === undefined || !seen.has(id)) as Item<typeof name>[]
      next = nextPage(parameter, next, page)
      previous = page.items
    }
  }
}

function firstPage(parameter: string | undefined, input: Input): Input {
  if (parameter === undefined || parameter === 'continuationToken') return input
  return { [sizeName(parameter)]: PAGE_SIZE, ...input }
}

/** What asks for the page after this one; undefined where this was the last. */
function nextPage(parameter: string | undefined, input: Input, page: Page): Input | undefined {
  const { items, continuationToken } = page
  if (parameter === undefined) return undefined
  if (parameter === 'continuationToken') return continuationToken ? { ...input, continuationToken } : undefined
  if (items.length < Number(input[sizeName(parameter)])) return undefined
  if (/skip/i.test(parameter)) return { ...input, [parameter]: Number(input[parameter] ?? 0) + items.length }
  return { ...input, [parameter]: items.at(-1)!.id }
}

/** Document templates have both names with an initial capital. */
function sizeName(parameter: string): string {
  return parameter === 'Skip' ? 'Take' : 'take'
}
