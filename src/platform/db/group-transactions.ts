// Many small transactions of one tenant that are ready at the same moment become one: their statements travel together
// and there is one commit, one write to the disk. Those that come while it is under way make up the next.
import { isOutOfReach, type Database, type TransactionOptions, type Tx } from './database.ts'

const MOST_IN_A_GROUP = 32

/** What is done for some items at once, in one transaction: an answer for each, in their order. */
export type GroupWork<Item, Result> = (tx: Tx, tenantId: string, items: Item[]) => Promise<Result[]>

type Waiting<Item, Result> = { item: Item } & Pick<PromiseWithResolvers<Result>, 'resolve' | 'reject'>

/**
 * Runs `work` for whoever waits at the moment, and resolves once that has committed. What one item can't have harms
 * none of the others: a group that is refused is done again, each item by itself. Where the database went away nobody
 * knows whether the group was committed, so nothing is done twice and all hear of it.
 */
export function groupTransactions<Item, Result>(
  db: Database,
  work: GroupWork<Item, Result>,
  choices: TransactionOptions = {},
): (tenantId: string, item: Item) => Promise<Result> {
  const lines = new Map<string, Waiting<Item, Result>[]>()

  async function moveOn(tenantId: string, line: Waiting<Item, Result>[]): Promise<void> {
    while (line.length > 0) await runGroup(tenantId, line.splice(0, MOST_IN_A_GROUP))
    lines.delete(tenantId)
  }

  async function runGroup(tenantId: string, group: Waiting<Item, Result>[]): Promise<void> {
    const items = group.map(({ item }) => item)
    try {
      const results = await db.transaction(tenantId, (tx) => work(tx, tenantId, items), choices)
      for (const [index, { resolve }] of group.entries()) resolve(results[index]!)
    } catch (error) {
      if (group.length === 1 || isOutOfReach(error)) for (const { reject } of group) reject(error)
      else for (const one of group) await runGroup(tenantId, [one])
    }
  }

  return (tenantId, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const line = lines.get(tenantId)
    if (line !== undefined) line.push({ item, resolve, reject })
    else {
      const first = [{ item, resolve, reject }]
      lines.set(tenantId, first)
      // Whoever comes within the same turn still gets a place.
      setImmediate(() => void moveOn(tenantId, first))
    }
    return promise
  }
}
