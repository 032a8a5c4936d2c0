// States, and the histories that tell how they came about.
import { hashBody, hashLink, FIRST_PREVIOUS_HASH } from '../../../src/features/event/event-chain.ts'
import type { EventRow, Rows } from '../rows.ts'
import type { World } from '../world.ts'
import { each, keyOf, together, type Invariant } from './invariant.ts'

/** Drawn anew here, so that a wrong arrow in the product is noticed. */
const SIGNING_EDGES: Record<string, readonly string[]> = {
  Draft: ['Open', 'Canceled'],
  Open: ['Processing', 'Canceled'],
  Processing: ['Closed', 'Error'],
  Error: ['Processing', 'Canceled'],
  Closed: ['Archiving', 'Archived', 'ArchivingFailed'],
  Archiving: ['Archiving', 'Archived', 'ArchivingFailed'],
  Archived: [],
  ArchivingFailed: ['Archiving', 'Archived', 'ArchivingFailed'],
  Canceled: [],
}
const SEALING_EDGES: Record<string, readonly string[]> = {
  Draft: ['Open', 'Canceled'],
  Open: ['Processing', 'Canceled'],
  Processing: ['Processed', 'Error'],
  Error: ['Open', 'Canceled'],
  Processed: ['Closed', 'Archiving', 'Archived', 'ArchivingFailed'],
  Closed: ['Archiving', 'Archived', 'ArchivingFailed'],
  Archiving: ['Archived', 'ArchivingFailed'],
  Archived: [],
  ArchivingFailed: ['Archiving', 'Archived'],
  Canceled: [],
}
const EDGES: Record<string, typeof SIGNING_EDGES> = {
  signaturerequest: SIGNING_EDGES,
  sealingrequest: SEALING_EDGES,
}
const SIGNATORY_RANK: Record<string, number> = { Waiting: 0, Invited: 1, Viewed: 2, Signed: 3, Declined: 3, Skipped: 3 }
const ENDS = new Set([
  'signaturerequestcompleted',
  'signaturerequestcanceled',
  'signaturerequestdeclined',
  'signaturerequestexpired',
])
const FINISHED = new Set(['Closed', 'Canceled', 'Archiving', 'Archived', 'ArchivingFailed'])
export const SEALED = new Set(['Processed', 'Closed', 'Archiving', 'Archived', 'ArchivingFailed'])

const [signingReach, sealingReach] = [SIGNING_EDGES, SEALING_EDGES].map(
  (edges) => new Map(Object.keys(edges).map((from) => [from, reachableFrom(edges, from)])),
) as [Reach, Reach]

type Reach = Map<string, Set<string>>

function reachableFrom(edges: typeof SIGNING_EDGES, from: string): Set<string> {
  const found = new Set([from])
  for (const status of found) for (const next of edges[status]!) found.add(next)
  return found
}

/** Looks at what was seen of each thing one after the other, each time beside what was seen before. */
function eachNext<T extends { requestId: string }>(
  all: readonly T[],
  judge: (before: T, seen: T) => string | false | undefined,
) {
  const last = new Map<string, T>()
  return each(all, (seen) => {
    const before = last.get(seen.requestId)
    last.set(seen.requestId, seen)
    return before && judge(before, seen)
  })
}

function historiesOf(rows: Rows): Map<string, EventRow[]> {
  const sorted = rows.event.toSorted((a, b) => a.sequence - b.sequence)
  return Map.groupBy(sorted, (event) => `${keyOf(event.tenant_id, event.request_id)} ${event.request_kind}`)
}

type Told = { data?: { status?: string; previousStatus?: string } }

/** The moves that a history tells, each from and to. Nothing of an event whose body was erased. */
function movesOf(history: readonly EventRow[], bodies: Map<string, Buffer>): { from: string; to: string }[] {
  return history
    .filter(({ type, request_kind: kind }) => type === `${kind}statusupdated`)
    .flatMap(({ id }) => {
      const { data } = JSON.parse(bodies.get(id)?.toString() ?? '{}') as Told
      return data?.status === undefined ? [] : [{ from: data.previousStatus ?? '', to: data.status }]
    })
}

const bodiesOf = ({ rows }: World) => new Map(rows.event_body.map(({ event_id: id, body }) => [id, body]))

const describe = ({ status, version }: { status: string; version: number }) => `${status} (version ${version})`

export const STATES: readonly Invariant[] = [
  {
    name: 'states-move-forward',
    says: 'Whoever has read a state never reads an earlier one again, and a version says whether anything has changed.',
    check({ ledger }) {
      const signing = eachNext(ledger.observations, (before, seen) => {
        if (!signingReach.get(before.status)!.has(seen.status))
          return `${seen.requestId} was read as ${before.status}, then as ${seen.status}`
        const back = seen.signatories.find(({ id, state }) => {
          const earlier = before.signatories.find((one) => one.id === id)
          return SIGNATORY_RANK[state]! < SIGNATORY_RANK[earlier?.state ?? state]!
        })
        return back && `${back.id} was read as ${back.state} after a later state`
      })
      const sealing = eachNext(ledger.sealings, (before, seen) => {
        const isSame = before.status === seen.status && before.version === seen.version
        const isLater = sealingReach.get(before.status)!.has(seen.status) && before.version < seen.version
        if (isSame || isLater) return undefined
        return `${seen.requestId} was read as ${describe(before)}, then as ${describe(seen)}`
      })
      return together(signing, sealing)
    },
  },
  {
    name: 'only-drawn-arrows',
    says: 'A request goes from one status to another only where its table of states has an arrow.',
    check(world) {
      const bodies = bodiesOf(world)
      return each(historiesOf(world.rows).values(), (history) => {
        const moves = movesOf(history, bodies)
        const edges = EDGES[history[0]!.request_kind] ?? {}
        const wrong = moves.find(({ from, to }) => !edges[from]?.includes(to))
        const gap = moves.find(({ from }, index) => index > 0 && moves[index - 1]!.to !== from)
        const bad = wrong ?? gap
        return bad && `${history[0]!.request_id} went from ${bad.from} to ${bad.to}`
      })
    },
  },
  {
    name: 'one-end',
    says: 'A request ends once, and is sealed once: one event says so, and a request that has ended has that event.',
    check({ rows }) {
      const histories = historiesOf(rows)
      const signing = each(rows.signature_request, ({ tenant_id: tenantId, id, status }) => {
        const history = histories.get(`${keyOf(tenantId, id)} signaturerequest`) ?? []
        const ends = history.filter(({ type }) => ENDS.has(type)).length
        const expected = FINISHED.has(status) ? 1 : 0
        return ends !== expected && `${id} is ${status} and has ${ends} ends`
      })
      const sealing = each(rows.sealing_request, ({ tenant_id: tenantId, id, status }) => {
        const history = histories.get(`${keyOf(tenantId, id)} sealingrequest`) ?? []
        const times = history.filter(({ type }) => type === 'sealingrequestprocessed').length
        return times !== (SEALED.has(status) ? 1 : 0) && `${id} is ${status} and was sealed ${times} times`
      })
      return together(signing, sealing)
    },
  },
  {
    name: 'history-tells-the-state',
    says: 'The events of a request, read from the first to the last, lead to the state that it is in, and so for each of its signatories.',
    check(world) {
      const { rows } = world
      const bodies = bodiesOf(world)
      const histories = historiesOf(rows)
      const requests = each(rows.signature_request, ({ tenant_id: tenantId, id, status }) => {
        const history = histories.get(`${keyOf(tenantId, id)} signaturerequest`)
        if (history?.[0]?.type !== 'signaturerequestcreated') return `${id} has no beginning`
        const told = movesOf(history, bodies).at(-1)?.to ?? (status === 'Open' ? 'Open' : 'Draft')
        return told !== status && `${id} is ${status}, its history says ${told}`
      })
      const sealing = each(rows.sealing_request, ({ tenant_id: tenantId, id, status }) => {
        const history = histories.get(`${keyOf(tenantId, id)} sealingrequest`)
        if (history?.[0]?.type !== 'sealingrequestcreated') return `${id} has no beginning`
        const told = movesOf(history, bodies).at(-1)?.to ?? 'Draft'
        return told !== status && `${id} is ${status}, its history says ${told}`
      })
      const events = Map.groupBy(rows.event, ({ signatory_id: id }) => id ?? '')
      const people = each(rows.signatory, ({ id, state }) => {
        const types = new Set((events.get(id) ?? []).map(({ type }) => type))
        const told = types.has('signatorysigned') ? 'Signed' : types.has('signatorydeclined') ? 'Declined' : undefined
        const isEnd = state === 'Signed' || state === 'Declined'
        return (isEnd || told !== undefined) && told !== state && `${id} is ${state}, the history says ${told}`
      })
      return together(requests, sealing, people)
    },
  },
  {
    name: 'no-gaps',
    says: 'The events of a request are numbered from one, without a gap and without a number twice, and its head knows the last.',
    check({ rows }) {
      const histories = historiesOf(rows)
      return each(rows.event_chain, ({ tenant_id: tenantId, request_id: id, request_kind: kind, last_sequence }) => {
        const history = histories.get(`${keyOf(tenantId, id)} ${kind}`) ?? []
        const gap = history.findIndex(({ sequence }, index) => sequence !== index + 1)
        if (gap >= 0) return `${id} has event ${history[gap]!.sequence} in place ${gap + 1}`
        return history.length !== last_sequence && `${id} has ${history.length} events, its head says ${last_sequence}`
      })
    },
  },
  {
    name: 'history-verifies',
    says: 'After every crash each history is a whole chain of hashes, and the log over all events verifies to its signed end.',
    check(world) {
      const { rows, logProblems, eventsInLog } = world
      const bodies = new Map(rows.event_body.map((row) => [row.event_id, row]))
      const chains = each(historiesOf(rows).values(), (history) => {
        let previousHash: Buffer = FIRST_PREVIOUS_HASH
        for (const event of history) {
          const body = bodies.get(event.id)
          if (body && !hashBody(body.salt, body.body).equals(event.body_hash)) return `${event.id} has another body`
          const { sequence, tenant_id: tenantId, request_id: requestId, type, at, body_hash: bodyHash } = event
          previousHash = hashLink({ previousHash, sequence, tenantId, requestId, type, at, bodyHash })
          if (!previousHash.equals(event.hash)) return `${event.id} breaks the chain of ${requestId}`
        }
        return undefined
      })
      return together(chains, { checked: eventsInLog, problems: logProblems })
    },
  },
  {
    name: 'times-in-order',
    says: 'The times of a request’s events never go back, and a signature is stamped after it was confirmed.',
    check({ rows, signed }) {
      const times = each(historiesOf(rows).values(), (history) => {
        const back = history.find(({ at }, index) => index > 0 && at < history[index - 1]!.at)
        return back && `${back.id} is earlier than the event before it`
      })
      const revisions = rows.signature_revision.filter(({ kind }) => kind === 'seal')
      const requestOf = new Map(rows.signature_document.map(({ id, request_id: requestId }) => [id, requestId]))
      const confirmations = Map.groupBy(rows.signature_confirmation, ({ request_id: id }) => id)
      const hasSigned = rows.signatory.filter(({ state }) => state === 'Signed')
      const signers = Map.groupBy(hasSigned, ({ request_id: id }) => id)
      const stamps = each(revisions, ({ document_id: id, sha256 }) => {
        const report = signed.get(sha256.toString('hex'))
        const requestId = requestOf.get(id) ?? ''
        const confirmed = confirmations.get(requestId) ?? []
        // With a person, the confirmation is erased too; the file keeps its signature.
        if (confirmed.length < (signers.get(requestId)?.length ?? 0)) return undefined
        const earliest = Math.min(...confirmed.map(({ confirmed_at: at }) => Math.floor(at.getTime() / 1000)))
        const early = report?.signatures.find(({ provenTime }) => provenTime && provenTime.getTime() / 1000 < earliest)
        return early && `${id} has a signature stamped ${early.provenTime?.toISOString()}, before it was confirmed`
      })
      return together(times, stamps)
    },
  },
  {
    name: 'counts-are-right',
    says: 'Limits and totals are exact: the counters of listings say what counting says, everybody who was invited or reminded was counted, and nothing has more metadata than allowed.',
    check({ rows }) {
      const invitations = new Map<string, number>()
      for (const { tenant_id: id, kind } of rows.message)
        if (kind === 'invitation' || kind === 'reminder') invitations.set(id, (invitations.get(id) ?? 0) + 1)
      const invited = Map.groupBy(rows.invitation_count, ({ tenant_id: id }) => id)
      const counted = new Map<string, number>()
      const add = (key: string, by: number) => counted.set(key, (counted.get(key) ?? 0) + by)
      for (const row of rows.request_count) add(`${row.kind} ${row.department_id} ${row.status}`, Number(row.amount))
      for (const row of rows.signature_request) add(`signaturerequest ${row.department_id} ${row.status}`, -1)
      for (const row of rows.sealing_request) add(`sealingrequest ${row.department_id} ${row.status}`, -1)
      const metadata = Map.groupBy(rows.metadata, ({ entity_id: id }) => id)
      return together(
        each(counted, ([key, difference]) => difference !== 0 && `the counter of ${key} is wrong by ${difference}`),
        each(invitations, ([id, sent]) => {
          const amount = (invited.get(id) ?? []).reduce((sum, day) => sum + day.amount, 0)
          return sent > amount && `tenant ${id} has ${sent} invitations and reminders, counted are ${amount}`
        }),
        each(metadata, ([id, entries]) => entries.length > 100 && `${id} has ${entries.length} entries of metadata`),
      )
    },
  },
  {
    name: 'codes-are-counted',
    says: 'A one-time code is tried five times at most, a signatory fifteen times over all codes, and every judged try is counted.',
    check({ rows, ledger }) {
      const tries = new Map(rows.signer_attempt.map(({ signatory_id: id, tries: count }) => [id, count]))
      const typed = Map.groupBy(ledger.codes, ({ signatoryId }) => signatoryId)
      return together(
        each(rows.signer_code, ({ id, tries: count }) => count > 5 && `code ${id} was tried ${count} times`),
        each(tries, ([id, count]) => count > 15 && `${id} tried ${count} codes`),
        each(typed, ([id, all]) => {
          const wrong = all.filter(({ isJudged, isIn }) => isJudged && !isIn).length
          return wrong > (tries.get(id) ?? 0) && `${id} typed ${wrong} wrong codes, counted are ${tries.get(id) ?? 0}`
        }),
        each(
          ledger.codes,
          ({ isRight, isIn, signatoryId }) => !isRight && isIn && `${signatoryId} got in with a wrong code`,
        ),
      )
    },
  },
]
