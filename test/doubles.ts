// Whether anything that several processes shared was done twice, or not at all.
import type { TestDatabase } from './database.ts'
import type { Fleet } from './fleet.ts'
import { until } from './until.ts'

const QUIET_WITHIN_MS = 180_000

/** Waits until all work is done, and names everything that happened twice, or did not happen. */
export async function findDoubles({ database, fleet }: { database: TestDatabase; fleet: Fleet }): Promise<string[]> {
  await untilQuiet(database)
  const [facts] = (await database.asOwner(
    `select (select count(*) from message where state = 'sent')::int as sent,
            (select count(*) from job where state = 'dead')::int as dead,
            (select count(*) from signature_request where status = 'Closed')::int as closed,
            (select count(*) from signature_intent where state = 'used' and document_id is not null)::int as used,
            (select count(*) from event where type = 'signaturerequestcompleted')::int as completed,
            (select count(distinct id) from hook_delivery where state = 'delivered')::int as delivered`,
  )) as [Record<'sent' | 'dead' | 'closed' | 'used' | 'completed' | 'delivered', number>]
  const mails = new Set(fleet.mail.received.map(({ headers }) => headers['message-id']![0]))
  const deliveries = new Set(fleet.receiver.received.map(({ headers }) => headers['webhook-id']))
  const held: [what: string, is: number, expected: number][] = [
    ['messages, by Message-ID', mails.size, facts.sent],
    ['jobs that were given up', facts.dead, 0],
    ['signatures and seals', facts.used, 2 * facts.closed],
    ['completions', facts.completed, facts.closed],
    ['events delivered, by webhook-id', deliveries.size, facts.delivered],
  ]
  return held.flatMap(([what, is, expected]) => (is === expected ? [] : [`${what}: ${is} instead of ${expected}`]))
}

async function untilQuiet(database: TestDatabase): Promise<void> {
  await until(
    'all work to be done',
    async () => {
      const [row] = await database.asOwner(
        `select (select count(*) from job where state = 'waiting' and run_at < now() + interval '5 minutes')
              + (select count(*) from outbox) + (select count(*) from hook_delivery where state = 'waiting') as left`,
      )
      return Number(row!['left']) === 0
    },
    { withinMs: QUIET_WITHIN_MS, everyMs: 100 },
  )
}
