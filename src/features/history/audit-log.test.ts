import assert from 'node:assert/strict'
import type { JsonWebKey } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Database } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { readTroubles } from '#platform/troubles/troubles.ts'
import { auditLog } from './audit-log.ts'
import { makeStamping } from './stamp-checkpoint.ts'
import { asWorker, logEverything, writeHistory } from './testing/log.ts'
import { watchLog } from './watch-log.ts'

describe('an audit of the log', () => {
  let service: TestService
  let worker: Platform
  let acme: TestTenant
  let keys: JsonWebKey[]
  let id: string

  before(async () => {
    service = await startService()
    worker = asWorker(service)
    acme = await service.createTenant('Acme')
    keys = (await acme.call('GET', '/event/.well-known/jwks.json')).json.keys
    await writeHistory(service, await service.createTenant('Beside'), 400)
    await logEverything(worker)
    await makeStamping(worker)()
  })
  beforeEach(async () => {
    id = await writeHistory(service, acme, 6)
    await logEverything(worker)
    service.clock.advance(61 * 60_000)
    await makeStamping(worker)()
  })
  after(() => service.stop())

  const sql = (text: string, ...values: unknown[]) => service.database.asOwner(text, values)
  const audit = async (kept?: string) => (await auditLog({ db: worker.db, keys, kept })).problems
  const head = async () => (await sql('select size::int, note from log_head'))[0] as { size: number; note: string }

  /** Does something as the owner, audits, and puts everything back. */
  async function auditAfter(tables: string[], alter: () => Promise<unknown>, kept?: string): Promise<string> {
    for (const table of tables) await sql(`create table kept_${table} as table ${table}`)
    try {
      await alter()
      return (await audit(kept)).join('\n')
    } finally {
      for (const table of tables) {
        await sql(`delete from ${table}`)
        await sql(`insert into ${table} select * from kept_${table}`)
        await sql(`drop table kept_${table}`)
      }
    }
  }

  test('finds an installation as it should be intact, also while events wait', async () => {
    await writeHistory(service, acme, 3)
    const { events, stamped, problems } = await auditLog({ db: worker.db, keys, kept: (await head()).note })
    assert.deepEqual(problems, [])
    assert.equal(events, (await head()).size)
    assert.equal(stamped, 2)
  })

  test('takes nothing for cut short that is logged and stamped while it reads', async () => {
    let timesLeft = 3
    const goOn = async () => {
      if (timesLeft-- <= 0) return
      await writeHistory(service, acme, 2)
      await logEverything(worker)
      service.clock.advance(61 * 60_000)
      await makeStamping(worker)()
    }
    const db: Database = {
      ...worker.db,
      async systemTransaction(work, choices) {
        const answer = await worker.db.systemTransaction(work, choices)
        await goOn()
        return answer
      },
    }
    assert.deepEqual((await auditLog({ db, keys })).problems, [])
  })

  test('notices what a single history can’t show: its end cut off in every table', async () => {
    const cut = async () => {
      for (const table of ['event', 'log_entry'])
        await sql(`delete from ${table} where request_id = $1 and sequence > 4`, id)
      await sql(
        `update event_chain c set last_sequence = 4, last_hash = e.hash from event e
          where c.request_id = $1 and e.request_id = $1 and e.sequence = 4`,
        id,
      )
      assert.equal((await acme.call('GET', `/event/signaturerequest/${id}/verification`)).json.isIntact, true)
    }
    const problems = await auditAfter(['event', 'log_entry', 'event_chain'], cut)
    assert.match(problems, /places; \d+ are known: events have been taken out of it/)
  })

  const alterations: [what: string, tables: string[], alter: () => Promise<unknown>, problem: RegExp][] = [
    [
      'a changed event',
      ['event'],
      () => sql(`update event set type = 'x' where request_id = $1 and sequence = 2`, id),
      /event \S+ has been changed/,
    ],
    [
      'a changed time',
      ['event'],
      () => sql(`update event set at = at - interval '1 day' where request_id = $1 and sequence = 6`, id),
      /event \S+ has been changed/,
    ],
    [
      'a changed body',
      ['event_body'],
      () => sql(`update event_body b set body = 'x' from event e where e.id = b.event_id and e.request_id = $1`, id),
      /event \S+ tells something else/,
    ],
    [
      'a removed event',
      ['event'],
      () => sql(`delete from event where request_id = $1 and sequence = 2`, id),
      /removed/,
    ],
    [
      'exchanged events',
      ['event'],
      () => sql(`update event set sequence = 7 - sequence where request_id = $1 and sequence in (3, 4)`, id),
      /event \S+ has been moved/,
    ],
    [
      'an event that was never logged',
      ['event'],
      () =>
        sql(
          `insert into event select tenant_id, gen_random_uuid(), request_id, request_kind, 7, type, at, signatory_id,
             department_id, department_path, body_hash, previous_hash, hash from event
            where request_id = $1 and sequence = 6`,
          id,
        ),
      /is not in the log, and does not wait for it/,
    ],
    [
      'a changed tile',
      ['log_tile'],
      () =>
        sql(
          `update log_tile set hashes = overlay(hashes placing sha256('a lie') from 1) where level = 0 and number = 0`,
        ),
      /timestamped checkpoint of 400 events has another root/,
    ],
    [
      'a missing tile',
      ['log_tile'],
      () => sql('delete from log_tile where level = 0 and number = 0'),
      /its tiles have 0/,
    ],
    [
      'a changed tile above',
      ['log_tile'],
      () => sql(`update log_tile set hashes = overlay(hashes placing sha256('a lie') from 1) where level = 1`),
      /Tile 1\/0 is missing or does not follow/,
    ],
    [
      'a forged checkpoint',
      ['log_head'],
      () => sql(`update log_head set note = replace(note, E'\\n' || size || E'\\n', E'\\n1\\n'), size = 1`),
      /The newest checkpoint is not signed/,
    ],
    [
      'a timestamp of something else',
      ['log_checkpoint'],
      () =>
        sql(`update log_checkpoint set note = replace(note, E'\\n400\\n', E'\\n399\\n'), size = 399 where size = 400`),
      /checkpoint of 399 events has a timestamp that does not hold: imprint-mismatch/,
    ],
  ]
  for (const [what, tables, alter, problem] of alterations) {
    test(`notices ${what}`, async () => {
      assert.match(await auditAfter(tables, alter), problem)
    })
  }

  test('a checkpoint that was kept shows that the whole log was put back to an earlier one', async () => {
    const [kept, tables] = [
      await head(),
      ['event', 'event_body', 'log_entry', 'log_tile', 'log_head', 'log_checkpoint'],
    ]
    const [first] = await sql('select size::int, note from log_checkpoint order by size limit 1')
    const putBack = async () => {
      await sql('delete from event where id in (select event_id from log_entry where position >= $1)', first!['size'])
      await sql('delete from log_entry where position >= $1', first!['size'])
      await sql('delete from log_checkpoint where size > $1', first!['size'])
      await sql('update log_head set size = $1, note = $2', first!['size'], first!['note'])
      await sql('delete from log_tile where level = 0 and number > 1')
      await sql('update log_tile set hashes = substring(hashes for 144 * 32) where level = 0 and number = 1')
    }
    assert.equal(await auditAfter(tables, putBack), '', 'without it nobody can know')
    assert.match(
      await auditAfter(tables, putBack, kept.note),
      /The checkpoint that was kept covers \d+ events; the log has only 400/,
    )
  })

  test('a checkpoint by another key is none', async () => {
    const other = [{ kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 1).toString('base64url') }]
    const { problems } = await auditLog({ db: worker.db, keys: other })
    assert.deepEqual(problems, ['The newest checkpoint is not signed by any of the keys.'])
  })

  test('runs every day by itself, and readiness tells what it found', async () => {
    const troubles = () => readTroubles(worker)
    const signal = new AbortController().signal
    const alter = async () => {
      await sql(`update event set type = 'x' where request_id = $1 and sequence = 2`, id)
      await watchLog(worker, signal)
      assert.deepEqual(await troubles(), ['history'])
    }
    await auditAfter(['event'], alter)
    await watchLog(worker, signal)
    assert.deepEqual(await troubles(), [])
  })

  test('can be broken off', async () => {
    await assert.rejects(auditLog({ db: worker.db, keys, signal: AbortSignal.abort() }), /abort/i)
  })
})
