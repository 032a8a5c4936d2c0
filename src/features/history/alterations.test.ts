// Whoever owns the database may change every row of it. Each test does, as cleverly as it can without the secret key, and
// asks everybody who might notice.
import assert from 'node:assert/strict'
import type { JsonWebKey } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { hashBody, hashLink } from '../event/event-chain.ts'
import { makeStamping } from './stamp-checkpoint.ts'
import { asWorker, logEverything, writeHistory } from './testing/log.ts'
import { verifyHistory } from './verify-history.ts'

describe('a history altered by the owner of the database', () => {
  let service: TestService
  let worker: Platform
  let acme: TestTenant
  let keys: JsonWebKey[]

  before(async () => {
    service = await startService()
    worker = asWorker(service)
    acme = await service.createTenant('Acme')
    keys = (await acme.call('GET', '/event/.well-known/jwks.json')).json.keys
    await writeHistory(service, await service.createTenant('Beside'), 300)
  })
  after(() => service.stop())

  const sql = (text: string, ...values: unknown[]) => service.database.asOwner(text, values)
  const proofOf = async (id: string) => (await acme.call('GET', `/event/signaturerequest/${id}/proof`)).json
  const verificationOf = async (id: string) =>
    (await acme.call('GET', `/event/signaturerequest/${id}/verification`)).json

  /** Makes the chain hold again after rows were changed: all that can be done without the keys. */
  async function mendChain(requestId: string): Promise<void> {
    const rows = await sql(
      `select e.*, b.salt, b.body from event e left join event_body b on b.event_id = e.id
        where e.request_id = $1 order by e.sequence`,
      requestId,
    )
    let previousHash: Buffer = Buffer.alloc(32)
    for (const [index, row] of rows.entries()) {
      const { type, at, salt, body } = row as { type: string; at: Date; salt: Buffer; body: Buffer }
      const bodyHash = hashBody(salt, body)
      const sequence = index + 1
      const link = { previousHash, sequence, tenantId: acme.tenantId, requestId, type, at, bodyHash }
      const hash = hashLink(link)
      await sql(
        'update event set sequence = $2, previous_hash = $3, body_hash = $4, hash = $5 where id = $1',
        row['id'],
        sequence,
        previousHash,
        bodyHash,
        hash,
      )
      previousHash = hash
    }
    await sql(
      'update event_chain set last_sequence = $2, last_hash = $3 where request_id = $1',
      requestId,
      rows.length,
      previousHash,
    )
  }

  const body = 'from event e where b.event_id = e.id and e.request_id = $1 and e.sequence = 3'
  const ways: [way: string, alter: (id: string) => Promise<unknown>, problem: RegExp][] = [
    [
      'an event changed',
      (id) => sql(`update event set type = 'x' where request_id = $1 and sequence = 3`, id),
      /Event 3 has been changed/,
    ],
    [
      'what an event tells changed',
      (id) =>
        sql(
          `update event_body b set body = replace(encode(b.body, 'escape'), '"index":2', '"index":9')::bytea ${body}`,
          id,
        ),
      /What event 3 tells has been changed/,
    ],
    [
      'what an event tells made unreadable',
      (id) => sql(`update event_body b set body = 'x' ${body}`, id),
      /What event 3/,
    ],
    [
      'another signatory named',
      (id) => sql(`update event set signatory_id = $2 where request_id = $1 and sequence = 3`, id, acme.tenantId),
      /What event 3 tells has been changed/,
    ],
    [
      'an event removed',
      (id) => sql('delete from event where request_id = $1 and sequence = 3', id),
      /Event 3 is missing or out of order/,
    ],
    [
      'two events exchanged',
      (id) => sql('update event set sequence = 7 - sequence where request_id = $1 and sequence in (3, 4)', id),
      /Event 3 does not follow the one before it|Event 3 has been changed/,
    ],
    [
      'the end cut off, and the chain’s head with it',
      async (id) => {
        await sql('delete from event where request_id = $1 and sequence > 4', id)
        await mendChain(id)
      },
      /The log knows 6 events of this request; the history has 4/,
    ],
    [
      'an event changed and the whole chain written anew',
      async (id) => {
        await sql(`update event_body b set body = '{"actor":null,"data":{"forged":true}}'::bytea ${body}`, id)
        await mendChain(id)
      },
      /Event 3 is not in the log at its place/,
    ],
    [
      'an event removed and the rest renumbered, in the log as well',
      async (id) => {
        await sql('delete from event where request_id = $1 and sequence = 3', id)
        await sql('delete from log_entry where request_id = $1 and sequence = 3', id)
        await sql('update log_entry set sequence = sequence - 1 where request_id = $1 and sequence > 3', id)
        await mendChain(id)
      },
      /Event 3 is not in the log at its place/,
    ],
    [
      'two events exchanged in chain and log',
      async (id) => {
        const swap = 'set sequence = 7 - sequence where request_id = $1 and sequence in (3, 4)'
        await sql(`update event ${swap}`, id)
        await mendChain(id)
        await sql(`update log_entry ${swap}`, id)
      },
      /Event 3 is not in the log at its place/,
    ],
    [
      'an event put in that was never logged',
      async (id) => {
        const forged = newId()
        await sql(
          `insert into event_body
           select b.tenant_id, $2::uuid, b.salt,
                  convert_to(replace(convert_from(b.body, 'UTF8'), e.id::text, $2::uuid::text), 'UTF8')
             from event e join event_body b on b.event_id = e.id where e.request_id = $1 and e.sequence = 6`,
          id,
          forged,
        )
        await sql(
          `insert into event
           select tenant_id, $2, request_id, request_kind, 7, type, at, signatory_id, department_id, department_path,
                  body_hash, previous_hash, hash
             from event where request_id = $1 and sequence = 6`,
          id,
          forged,
        )
        await sql('update event_chain set last_event = $2 where request_id = $1', id, forged)
        await mendChain(id)
      },
      /Event 7 has no place in the log, and waits for none/,
    ],
    ['its places in the log removed', (id) => sql('delete from log_entry where request_id = $1', id), /has no place/],
  ]

  for (const [way, alter, problem] of ways) {
    test(`${way}: is noticed`, async () => {
      const id = await writeHistory(service, acme, 6)
      await logEverything(worker)
      await makeStamping(worker)()
      const kept = await proofOf(id)
      assert.equal((await verificationOf(id)).isIntact, true, (await verificationOf(id)).problem)
      await alter(id)
      const { isIntact, problem: found } = await verificationOf(id)
      assert.equal(isIntact, false)
      assert.match(found, problem)
      const verdict = verifyHistory(await proofOf(id), keys)
      assert.ok(!verdict.isIntact)
      assert.match(verdict.problem, problem)
      assert.ok(verifyHistory(kept, keys).isIntact, 'what was fetched earlier still proves what it was')
    })
  }

  test('tiles changed: the proofs do not hold', async () => {
    const id = await writeHistory(service, acme, 3)
    await logEverything(worker)
    const [tile] = await sql('select hashes from log_tile where level = 1')
    await sql(`update log_tile set hashes = overlay(hashes placing sha256('a lie') from 1) where level = 1`)
    assert.match((await verificationOf(id)).problem, /Event 1 is not in the log at its place/)
    await sql('delete from log_tile where level = 1')
    assert.match((await verificationOf(id)).problem, /The log is damaged: tile 1\/0 of the log is missing/)
    await sql('insert into log_tile values (1, 0, $1)', tile!['hashes'])
    assert.equal((await verificationOf(id)).isIntact, true)
  })

  test('what a person’s events told erased: every proof holds', async () => {
    const id = await writeHistory(service, acme, 6)
    await logEverything(worker)
    await service.platform.db.transaction(acme.tenantId, (tx) =>
      tx.query(
        'eraseBodies',
        `delete from event_body where tenant_id = $1
            and event_id in (select id from event where tenant_id = $1 and request_id = $2 and sequence in (2, 5))`,
        [acme.tenantId, id],
      ),
    )
    const { isIntact, problem, erasedCount, loggedCount } = await verificationOf(id)
    assert.deepEqual(
      { isIntact, problem, erasedCount, loggedCount },
      { isIntact: true, problem: null, erasedCount: 2, loggedCount: 6 },
    )
    const proof = await proofOf(id)
    assert.ok(!JSON.stringify(proof.items[1]).includes('index'))
    assert.ok(verifyHistory(proof, keys).isIntact)
  })
})
