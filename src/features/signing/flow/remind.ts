import { takeInvitations, type InvitationLimit } from '#features/abuse/index.ts'
import { actorOf, appendEvents, SYSTEM, type Actor } from '#features/event/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { wrongStatus } from '../errors.ts'
import { countAsked } from '../opening-rules.ts'
import { getLockedFlow, isRunning, subjectOf, type Flow, type FlowPerson } from './flow.ts'
import { listDueReminders, listPeople, noteExpiryReminder, noteReminder } from './flow-statements.ts'
import { isAsked, isLeftAlone } from './people.ts'
import { tellPeople } from './tell-people.ts'

const HOUR_MS = 60 * 60 * 1000
/** Whoever has not answered hears of it again this long before the request expires. */
const BEFORE_EXPIRY_MS = 3 * 24 * HOUR_MS
const BATCH = 100

/** Reminds those who have been invited and have not answered; each at most once an hour. Answers with their ids. */
export async function remind(
  tx: Tx,
  { caller, requestId, platform, now }: { caller: Caller; requestId: string; platform: InvitationLimit; now: Date },
): Promise<{ reminded: string[] }> {
  const { tenantId } = caller
  const flow = await getLockedFlow(tx, { tenantId, requestId })
  await requireReach(tx, caller, flow.departmentId)
  if (!isRunning(flow, now)) throw wrongStatus(flow.status === 'Open' ? 'expired' : flow.status, 'reminded of')
  const people = await listWaiting(tx, { tenantId, flow })
  const since = new Date(now.getTime() - HOUR_MS)
  const due = people.filter(({ remindedAt }) => remindedAt === null || remindedAt <= since)
  await remindPeople(tx, { tenantId, flow, people: due, actor: actorOf(caller), now })
  takeInvitations(tx, platform, { tenantId, amount: countAsked({ ...flow, signatories: due }), now })
  return { reminded: due.map((person) => person.id) }
}

/** Reminds everybody whose request will soon expire, once for each request. */
export async function remindBeforeExpiry(platform: Platform, tenantId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() + BEFORE_EXPIRY_MS)
  const due = await platform.db.transaction(tenantId, (tx) =>
    listDueReminders.many(tx, { tenantId, before, limit: BATCH }),
  )
  for (const { id: requestId } of due) {
    await platform.db.transaction(tenantId, async (tx) => {
      const flow = await getLockedFlow(tx, { tenantId, requestId })
      if ((await noteExpiryReminder.run(tx, { tenantId, requestId, now })) === 0) return
      // One that was opened with less time than this has just been announced.
      const wasShort = flow.openedAt !== null && flow.expirationAt !== null && isShort(flow.openedAt, flow.expirationAt)
      if (wasShort || !isRunning(flow, now)) return
      const people = await listWaiting(tx, { tenantId, flow })
      await remindPeople(tx, { tenantId, flow, people, actor: SYSTEM, now })
    })
  }
}

const isShort = (openedAt: Date, expirationAt: Date) => expirationAt.getTime() - openedAt.getTime() <= BEFORE_EXPIRY_MS

async function listWaiting(tx: Tx, { tenantId, flow }: { tenantId: string; flow: Flow }): Promise<FlowPerson[]> {
  const people = await listPeople.many(tx, { tenantId, requestId: flow.requestId })
  return people.filter((person) => isAsked(person) && !person.hasConfirmed && !isLeftAlone(person))
}

type Reminder = { tenantId: string; flow: Flow; people: FlowPerson[]; actor: Actor; now: Date }

async function remindPeople(tx: Tx, { tenantId, flow, people, actor, now }: Reminder): Promise<void> {
  if (people.length === 0) return
  await noteReminder.run(tx, { tenantId, signatoryIds: people.map((person) => person.id), now })
  const { creatorId } = flow
  const events = people.map(({ id }) => ({ type: 'signatoryreminded', actor, signatoryId: id, data: { creatorId } }))
  await appendEvents(tx, subjectOf(tenantId, flow), events, now)
  await tellPeople(tx, { tenantId, flow, people, kind: 'reminder', now })
}
