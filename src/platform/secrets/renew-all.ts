// When the secret key changes, what was made under the previous one is made again, a page of rows at a time.
import { NIL_UUID } from '#platform/ids.ts'

export const PAGE_SIZE = 200

/** One page: how many of its rows needed it, and the last id where there may be more behind it. */
export type RenewedPage = { renewed: number; next: string | undefined }

/** Walks all pages, each in a transaction of its own; answers how many rows were renewed. */
export async function renewAll(renewPage: (after: string) => Promise<RenewedPage>): Promise<number> {
  let renewed = 0
  for (let after: string | undefined = NIL_UUID; after !== undefined;) {
    const page: RenewedPage = await renewPage(after)
    renewed += page.renewed
    after = page.next
  }
  return renewed
}

/** Where the next page starts; nowhere after one that was not full. */
export function nextPage(ids: readonly string[]): string | undefined {
  return ids.length === PAGE_SIZE ? ids.at(-1) : undefined
}
