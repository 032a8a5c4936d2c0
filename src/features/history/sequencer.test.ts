import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { beginHistory, SYSTEM } from '#features/event/index.ts'
import { parseTimestampToken } from '#pki/timestamp.ts'
import type { Platform } from '#platform/platform.ts'
import { readTroubles } from '#platform/troubles/troubles.ts'
import { makeKeyring } from '#platform/secrets/keyring.ts'
import { SECRET_KEY, startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { appendWaiting } from './append-waiting.ts'
import { logPassedOver } from './log-passed-over.ts'
import { hashLeaf, rootOf } from './merkle-tree.ts'
import { requireOwnSecretKey } from './require-own-secret-key.ts'
import { readNote } from './signed-note.ts'
import { startSequencer } from './sequencer.ts'
import { makeStamping } from './stamp-checkpoint.ts'
import { asWorker, logEverything, newSubject, writeHistory } from './testing/log.ts'

const CREATED = [{ type: 'signaturerequestcreated', actor: SYSTEM }]

describe('the sequencer', () => {
  let service: TestService
  let worker: Platform
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    worker = asWorker(service)
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  const entries = () =>
    service.database.asOwner(
      `select l.position::int, l.sequence, l.request_id, e.hash
         from log_entry l left join event e on e.tenant_id = l.tenant_id and e.id = l.event_id
        order by l.position`,
    )
  const head = async () => (await service.database.asOwner('select size::int, note, stamp_soon from log_head'))[0]!

  /** Every event has one place, no place is empty, each request is in order, and the signed root is that of the events. */
  async function requireWhole(): Promise<void> {
    const rows = await entries()
    const [{ events }] = (await service.database.asOwner('select count(*)::int as events from event')) as [
      { events: number },
    ]
    assert.equal(rows.length, events)
    assert.deepEqual(
      rows.map((row) => row['position']),
      rows.map((_row, index) => index),
    )
    for (const [, own] of Map.groupBy(rows, (row) => row['request_id'])) {
      assert.deepEqual(
        own.map((row) => row['sequence']),
        own.map((_row, index) => index + 1),
      )
    }
    const { size, note } = await head()
    assert.equal(size, events)
    const { root } = readNote(String(note))
    assert.deepEqual(root, rootOf(rows.map((row) => hashLeaf(row['hash'] as Buffer))))
  }

  test('signs a log that is still empty', async () => {
    await logEverything(worker)
    const { note } = await head()
    assert.match(String(note), /^countersign\/[0-9a-f]{32}\n0\n47DEQpj8HBSa\+\/TImW\+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— /)
  })

  test('gives the events of all tenants their places, each request in its order', async () => {
    await Promise.all([acme, other, acme, other].map((tenant) => writeHistory(service, tenant, 120)))
    await logEverything(worker)
    await requireWhole()
  })

  test('signs with a key that anybody can verify by', async () => {
    const { note } = await head()
    const [text, signatures] = String(note).split('\n\n')
    const [, origin, base64] = signatures!.trim().split(' ')
    assert.equal(origin, text!.split('\n')[0])
    const { keys } = (await acme.call('GET', '/event/.well-known/jwks.json')).json
    const key = createPublicKey({ key: keys[0], format: 'jwk' })
    assert.ok(verify(null, Buffer.from(`${text}\n`), key, Buffer.from(base64!, 'base64').subarray(4)))
  })

  test('passes over no event that commits late', async () => {
    const late = newSubject(acme)
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const slow = service.platform.db.transaction(acme.tenantId, async (tx) => {
      await beginHistory(tx, late, CREATED, service.clock.now())
      written.resolve()
      await mayCommit
    })
    await written.promise
    await writeHistory(service, acme)
    await logEverything(worker)
    assert.ok(!(await entries()).some((row) => row['request_id'] === late.requestId))
    commit()
    await slow
    await logEverything(worker)
    assert.ok((await entries()).some((row) => row['request_id'] === late.requestId))
    await requireWhole()
  })

  test('takes up what a server of an earlier release has written past the log', async () => {
    const requestId = await writeHistory(service, acme)
    await service.database.asOwner('delete from log_queue where request_id = $1', [requestId])
    await logPassedOver(worker, acme.tenantId, worker.clock.now())
    await logEverything(worker)
    assert.ok(!(await entries()).some((row) => row['request_id'] === requestId), 'it may be under way still')
    const later = new Date(worker.clock.now().getTime() + 61_000)
    for (let times = 0; times < 2; times++) await logPassedOver(worker, acme.tenantId, later)
    await logEverything(worker)
    await requireWhole()
  })

  test('that is stopped at any moment goes on where the log ends', async () => {
    await writeHistory(service, acme, 300)
    const tree = await logEverything(worker)
    await writeHistory(service, acme, 40)
    const step = (known = tree) =>
      worker.db.systemTransaction(async (tx) => {
        await appendWaiting(tx, { keyring: worker.keyring, known, now: worker.clock.now() })
        throw new Error('killed')
      })
    await assert.rejects(step(), /killed/)
    assert.equal((await head())['size'], tree.size - 40)
    // The tree in memory has grown by what was never committed; the signed root gives it away.
    await writeHistory(service, other, 1)
    await worker.db.systemTransaction((tx) =>
      appendWaiting(tx, { keyring: worker.keyring, known: tree, now: worker.clock.now() }),
    )
    await requireWhole()
  })

  test('four of them at once do the work of one', async () => {
    const histories = Array.from({ length: 60 }, (_, index) => writeHistory(service, index % 2 ? acme : other, 9))
    const { db, clock, keyring, log } = worker
    const stamp = async () => {}
    const four = Array.from({ length: 4 }, () => startSequencer({ db, clock, log, keyring, isMine: () => true, stamp }))
    await Promise.all(histories)
    await until('an empty queue', async () => {
      const [row] = await service.database.asOwner('select count(*)::int as waiting from log_queue')
      return row!['waiting'] === 0
    })
    await Promise.all(four.map((sequencer) => sequencer.stop()))
    await requireWhole()
  })

  test('refuses to go on from a tile that somebody has changed', async () => {
    await writeHistory(service, acme)
    const tree = await logEverything(worker)
    const last = `level = 0 and number = (select max(number) from log_tile where level = 0)`
    const [tile] = await service.database.asOwner(`select hashes from log_tile where ${last}`)
    await service.database.asOwner(
      `update log_tile set hashes = overlay(hashes placing sha256('a lie') from 1) where ${last}`,
    )
    await writeHistory(service, acme)
    const step = worker.db.systemTransaction((tx) =>
      appendWaiting(tx, { keyring: worker.keyring, known: tree, now: worker.clock.now() }),
    )
    await assert.rejects(step, /does not continue what was there/)
    const { db, clock, keyring, log } = worker
    const sequencer = startSequencer({ db, clock, log, keyring, isMine: () => true, stamp: async () => {} })
    const areTroubles = async (names: string[]) => (await readTroubles(worker)).join() === names.join()
    await until('readiness to tell', () => areTroubles(['history log']))
    await service.database.asOwner(`update log_tile set hashes = $1 where ${last}`, [tile!['hashes']])
    await until('all to be well again', () => areTroubles([]))
    await sequencer.stop()
    await logEverything(worker)
    await requireWhole()
  })

  test('goes on only from what it has signed itself', async () => {
    const { note } = await head()
    await service.database.asOwner(`update log_head set note = replace(note, '— ', '— x')`)
    await assert.rejects(logEverything(worker), /not signed by any of our keys/)
    await service.database.asOwner('update log_head set note = $1', [note])
    await logEverything(worker)
  })

  test('tells a process by its newest signature whether it has the secret key of this installation', async () => {
    await logEverything(worker)
    const { db } = service.platform
    const other = 'the secret key of quite another installation'
    await requireOwnSecretKey({ db, keyring: makeKeyring(SECRET_KEY) })
    await requireOwnSecretKey({ db, keyring: makeKeyring(other, SECRET_KEY) })
    await assert.rejects(requireOwnSecretKey({ db, keyring: makeKeyring(other) }), /secret key is another/)
  })

  test('signs with both keys while the secret key is changed, and then with the new one', async () => {
    const signaturesWith = async (secretKey: string, previous?: string) => {
      await logEverything({ ...worker, keyring: makeKeyring(secretKey, previous) })
      return String((await head())['note']).match(/^— /gm)?.length
    }
    const other = 'another secret key, used in tests alone'
    assert.equal(await signaturesWith(other, SECRET_KEY), 2)
    assert.equal(await signaturesWith(other), 1)
    await assert.rejects(signaturesWith(SECRET_KEY), /not signed by any of our keys/)
    assert.equal(await signaturesWith(SECRET_KEY, other), 2)
    await requireWhole()
  })

  test('the runtime roles can’t rewrite events or the log', async () => {
    for (const role of ['countersign_request', 'countersign_worker'] as const) {
      const db = service.database.open(role)
      const attempts = [
        'delete from event',
        "update event set type = 'x'",
        'delete from log_entry',
        'update log_entry set position = 0',
        'delete from log_tile',
        'delete from log_checkpoint',
        'update log_checkpoint set size = 0',
        'truncate event',
      ]
      for (const sql of attempts) {
        const attempt = db.transaction(acme.tenantId, (tx) => tx.query(`try ${role} ${sql}`, sql, []))
        await assert.rejects(attempt, /permission denied/, `${role}: ${sql}`)
      }
    }
  })

  describe('and the timestamps', () => {
    const checkpoints = () =>
      service.database.asOwner('select size::int, note, timestamp, stamped_at from log_checkpoint order by size')
    const complete = async () => {
      const happened = [...CREATED, { type: 'signaturerequestcompleted', actor: SYSTEM }]
      const subject = newSubject(acme)
      await service.platform.db.transaction(acme.tenantId, (tx) =>
        beginHistory(tx, subject, happened, worker.clock.now()),
      )
      await logEverything(worker)
    }

    test('the first checkpoint is stamped at once, the next after an hour in which something happened', async () => {
      const stamp = makeStamping(worker)
      await stamp()
      await stamp()
      const [first, ...more] = await checkpoints()
      assert.equal(more.length, 0)
      const { info } = parseTimestampToken(first!['timestamp'] as Buffer)
      assert.deepEqual(info.digest, createHash('sha256').update(String(first!['note'])).digest())

      await writeHistory(service, acme)
      await logEverything(worker)
      await stamp()
      assert.equal((await checkpoints()).length, 1)
      service.clock.advance(60 * 60_000)
      await stamp()
      assert.equal((await checkpoints()).length, 2)
      service.clock.advance(60 * 60_000)
      await stamp()
      assert.equal((await checkpoints()).length, 2)
    })

    test('a closed request has the log stamped soon, also by the process that comes after a killed one', async () => {
      const stamped = (await checkpoints()).length
      await complete()
      assert.equal((await head())['stamp_soon'], true)
      await makeStamping(worker)()
      assert.equal((await checkpoints()).length, stamped + 1)
      assert.equal((await head())['stamp_soon'], false)
    })

    test('an authority that does not answer is asked again after a minute, and the log goes on', async () => {
      const config = { ...worker.config, timestamps: { url: 'http://127.0.0.1:1/', anchors: [] } }
      const stamp = makeStamping({ ...worker, config })
      service.clock.advance(60 * 60_000)
      await complete()
      const stamped = (await checkpoints()).length
      await assert.rejects(stamp())
      await stamp() // Too early: nobody is asked.
      service.clock.advance(61_000)
      await assert.rejects(stamp())
      assert.equal((await checkpoints()).length, stamped)
      await requireWhole()
    })
  })
})
