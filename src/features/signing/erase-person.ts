// A person who wants to be forgotten: whatever of a finished request is about them and is not part of a signed file. What
// was signed stays what it is until the request itself goes; a signature without its signatory would prove nothing.
import { appendEvents, erasePeople, type Actor } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { rewriteAnswers } from '#platform/http/idempotency.ts'
import { deleteConfirmations, eraseSignatories, findSearchable, listPeopleByEmail } from './erase-statements.ts'
import { deleteWords } from './forget-statements.ts'
import { getLockedFlow, subjectOf } from './flow/flow.ts'
import { listPeople } from './flow/flow-statements.ts'
import { wordsOfRequest } from './request-words.ts'

/** Whoever still has to be written to, or is being sealed, can't be forgotten yet. */
const FINISHED: readonly string[] = ['Closed', 'Archived', 'ArchivingFailed', 'Canceled']

export type Erasure = {
  tenantId: string
  email: string
  /** Within reach; undefined stands for all. */
  departmentIds: string[] | undefined
  actor: Actor
  now: Date
}

export type Erased = {
  /** Requests in which the person was erased. */
  requestIds: string[]
  signatoryIds: string[]
  /** Requests that are still on their way and need to know whom they are for. */
  runningRequestIds: string[]
}

/** Erases everybody with this address from the finished requests within reach. */
export async function erasePerson(tx: Tx, { tenantId, email, departmentIds, actor, now }: Erasure): Promise<Erased> {
  const found = await listPeopleByEmail.many(tx, {
    tenantId,
    emailKey: email.toLowerCase(),
    departmentIds: departmentIds ?? null,
  })
  const isFinished = ({ status }: (typeof found)[number]) => FINISHED.includes(status)
  const byRequest = Map.groupBy(found.filter(isFinished), ({ requestId }) => requestId)
  for (const [requestId, people] of byRequest) {
    await eraseFrom(tx, { tenantId, requestId, signatoryIds: people.map(({ id }) => id), actor, now })
  }
  return {
    requestIds: [...byRequest.keys()],
    signatoryIds: found.filter(isFinished).map(({ id }) => id),
    runningRequestIds: [...new Set(found.filter((one) => !isFinished(one)).map(({ requestId }) => requestId))],
  }
}

type OneRequest = { tenantId: string; requestId: string; signatoryIds: string[]; actor: Actor; now: Date }

async function eraseFrom(tx: Tx, { tenantId, requestId, signatoryIds, actor, now }: OneRequest): Promise<void> {
  const key = { tenantId, requestId }
  const flow = await getLockedFlow(tx, key)
  const everybody = await listPeople.many(tx, key)
  const people = everybody.filter(({ id }) => signatoryIds.includes(id))
  const others = everybody.filter(({ id }) => !signatoryIds.includes(id))
  await dropWords(tx, key, { everybody, others })
  await eraseSignatories.run(tx, { tenantId, signatoryIds })
  await deleteConfirmations.run(tx, { tenantId, signatoryIds })
  await rewriteAnswers(tx, { tenantId, id: requestId, rewrite: (value) => withoutPerson(value, signatoryIds) })
  const texts = people.flatMap((person) => [
    person.email,
    person.mobilePhone,
    person.personalIdentifier,
    fullName(person),
  ])
  await erasePeople(tx, {
    ...key,
    requestKind: 'signaturerequest',
    signatoryIds,
    texts: texts.filter((text): text is string => text !== null && text !== ''),
  })
  const events = people.map(({ id }) => ({
    type: 'signatoryerased',
    actor,
    signatoryId: id,
    data: { creatorId: flow.creatorId },
  }))
  await appendEvents(tx, subjectOf(tenantId, flow), events, now)
}

/** What `eraseSignatories` takes from the row, as answers call it. */
const PERSONAL = 'firstName lastName email mobilePhone personalIdentifier externalReference declineReason'.split(' ')

/** A signatory in an answer, as whoever reads the request now is shown it; anything else as it is. */
function withoutPerson(value: unknown, signatoryIds: readonly string[]): unknown {
  if (value === null || typeof value !== 'object' || !('id' in value)) return value
  if (!signatoryIds.includes(String(value.id))) return value
  return Object.fromEntries(Object.entries(value).map(([name, told]) => [name, PERSONAL.includes(name) ? null : told]))
}

type Named = { firstName: string | null; lastName: string | null; email: string | null }

const fullName = ({ firstName, lastName }: Named) =>
  firstName === null || lastName === null ? null : `${firstName} ${lastName}`

/** The words that found the request by this person only. */
async function dropWords(
  tx: Tx,
  key: { tenantId: string; requestId: string },
  { everybody, others }: { everybody: Named[]; others: Named[] },
): Promise<void> {
  const request = await findSearchable.one(tx, key)
  const left = new Set(wordsOfRequest({ ...request, signatories: others }))
  const words = wordsOfRequest({ ...request, signatories: everybody }).filter((word) => !left.has(word))
  if (words.length > 0) await deleteWords.run(tx, { ...key, createdAt: request.createdAt, words })
}
