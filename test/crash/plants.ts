// Faults that are planted on purpose, to see that the harness catches them. The product holds no test code: a module that
// is loaded before it (plant.ts) rewrites one place of its source, and refuses to start where the place is not there.

import type { StrikesAmid } from './campaign.ts'

export type Rewrite = { file: string; from: string; to: string }

export type Plant = {
  name: string
  /** What is wrong with it. */
  says: string
  rewrites: readonly Rewrite[]
  /** The faults that bring it to light soonest. */
  faults: readonly string[]
  /** Each fault strikes right behind one of these, of which there are few between two faults on a slow machine. */
  strikesAmid?: StrikesAmid
  /** The invariants of which at least one must break. */
  breaks: readonly string[]
}

const LATER = 'new Promise((resolve) => setTimeout(resolve, 100))'
const DATABASE = 'src/platform/db/database.ts'
const FLOW = 'src/features/signing/flow/flow-statements.ts'

export const PLANTS: readonly Plant[] = [
  {
    name: 'answer-before-commit',
    says: 'a call is answered while its transaction is still to be committed',
    rewrites: [
      {
        file: DATABASE,
        from: `    else await sender.commit(isPrepared ? COMMIT : { ...COMMIT, name: '' })\n`,
        // In the server alone: the worker reads at once what it has written.
        to: `    else if (!process.argv[1].endsWith('serve.ts')) await sender.commit(COMMIT)
    else {
      void ${LATER}.then(() => sender.commit(COMMIT)).then(() => client.release(), () => client.release(true))
      return result
    }\n`,
      },
    ],
    faults: ['kill the server', 'kill the database', 'kill everything at once'],
    breaks: ['answered-is-kept', 'nothing-unforeseen'],
  },
  {
    name: 'event-after-commit',
    says: 'what happened is written down only after the change was committed',
    rewrites: [
      {
        file: DATABASE,
        from: `  return {\n    transaction: (tenantId`,
        to: `  return globalThis.planted = {\n    transaction: (tenantId`,
      },
      {
        file: 'src/features/event/append-events.ts',
        from: `  const inserted = insertEvents.run(tx, {`,
        to: `  const write = (values) => {
    const later = () => globalThis.planted.transaction(subject.tenantId, (other) => insertEvents.run(other, values))
    tx.afterCommit(() => void ${LATER}.then(later).catch(() => {}))
    return Promise.resolve(1)
  }
  const inserted = write({`,
      },
    ],
    faults: ['kill the server', 'kill the worker', 'kill everything at once'],
    breaks: ['history-tells-the-state', 'one-end', 'no-gaps', 'history-verifies'],
  },
  {
    name: 'state-without-guard',
    says: 'a request changes its state without holding it and without looking at the state it is in',
    rewrites: [
      {
        file: FLOW,
        from: `where r.tenant_id = :tenantId and r.id = :requestId\n           for update`,
        to: `where r.tenant_id = :tenantId and r.id = :requestId`,
      },
      {
        file: FLOW,
        from: ` and id = :requestId and status = :from\``,
        to: ` and id = :requestId and :from::text is not null\``,
      },
    ],
    faults: ['kill the worker', 'kill everything at once'],
    breaks: ['one-end', 'only-drawn-arrows', 'counts-are-right', 'history-tells-the-state'],
  },
  {
    name: 'delivered-before-sent',
    says: 'a delivery counts as delivered before its receiver has answered',
    rewrites: [
      {
        file: 'src/features/hooks/dispatcher.ts',
        from: `const reply = await sender.post({ ...deliveryRequest(receiver, delivery, startedAt), signal })`,
        to: `const reply = { status: 200, durationMs: 0 }
    void ${LATER}.then(() => sender.post({ ...deliveryRequest(receiver, delivery, startedAt), signal })).catch(() => {})`,
      },
    ],
    faults: ['kill the worker', 'kill everything at once'],
    strikesAmid: 'deliveries',
    breaks: ['delivered-was-received'],
  },
  {
    name: 'sent-before-taken',
    says: 'an e-mail counts as sent before the mail server has taken it',
    rewrites: [
      {
        file: 'src/features/messages/deliver.ts',
        from: `const refusal = await attempt(platform, { message, facts, mailId, gateway, isLast })`,
        to: `const refusal = undefined
  void ${LATER}.then(() => attempt(platform, { message, facts, mailId, gateway, isLast })).catch(() => {})`,
      },
    ],
    faults: ['kill the worker', 'the mail server fails', 'kill everything at once'],
    strikesAmid: 'e-mails',
    breaks: ['sent-was-taken'],
  },
  {
    name: 'invited-though-over',
    says: 'whether a request still runs is not looked at before an invitation or a reminder is sent',
    rewrites: [
      {
        file: 'src/features/signing/flow/message-facts.ts',
        from: `  if (!isRunning(place.flow, platform.clock.now())) return undefined\n`,
        to: '',
      },
    ],
    faults: ['the mail server fails', 'kill everything at once'],
    strikesAmid: 'e-mails',
    breaks: ['over-is-over'],
  },
  {
    name: 'no-fsync',
    says: 'documents are written and never synced',
    rewrites: [
      { file: 'src/platform/blobs/staging.ts', from: `    await this.#handle!.sync()\n`, to: '' },
      { file: 'src/platform/blobs/directory-sync.ts', from: `      await handle.sync()\n`, to: '' },
    ],
    faults: ['the power is cut'],
    breaks: ['every-file-is-there', 'revisions-only-add'],
  },
  {
    name: 'dropped-connection-handler',
    says: 'nobody listens to the errors of a connection that the database has dropped',
    rewrites: [
      { file: DATABASE, from: `  pool.on('error', options.onConnectionError)\n`, to: '' },
      {
        file: DATABASE,
        from: `  pool.on('connect', (client) => client.on('error', options.onConnectionError))\n`,
        to: '',
      },
    ],
    // The database is there again at once, so that nothing else ends a process.
    faults: ['end connections of the database', 'kill a backend of the database', 'kill everything at once'],
    breaks: ['dies-only-when-killed'],
  },
]

export const PLANT_VARIABLE = 'COUNTERSIGN_TEST_PLANT'

/** The source with one rewrite done; throws where there is not exactly one place for it. */
export function rewrite(source: string, { file, from, to }: Rewrite): string {
  const parts = source.split(from)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places like: ${from}`)
  return parts.join(to)
}
