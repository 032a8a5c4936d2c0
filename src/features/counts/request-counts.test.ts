import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase, type Database } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { changeCounts, countRequests } from './request-counts.ts'

const WRITERS = 10

describe('counts of requests', () => {
  let database: TestDatabase
  let db: Database
  const tenantId = newId()

  before(async () => {
    database = await createDatabase()
    db = openDatabase({
      connection: database.connection,
      role: 'countersign_request',
      poolSize: WRITERS,
      onConnectionError: () => {},
    })
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  const count = (departmentId: string) =>
    db.transaction(tenantId, (tx) =>
      countRequests(tx, { tenantId, kind: 'signaturerequest', departmentIds: [departmentId], status: undefined }),
    )
  const countSlots = async (departmentId: string) =>
    (await database.asOwner('select slot from request_count where department_id = $1', [departmentId])).length

  test('writers in turn share one slot', async () => {
    const departmentId = newId()
    for (let turn = 0; turn < WRITERS; turn++) {
      await db.transaction(tenantId, (tx) =>
        changeCounts(tx, tenantId, 'signaturerequest', [{ departmentId, status: 'Open', by: 1 }]),
      )
    }
    assert.deepEqual([await count(departmentId), await countSlots(departmentId)], [WRITERS, 1])
  })

  test('writers at once do not wait for one another, and every change counts', async () => {
    const departmentId = newId()
    await Promise.all(
      Array.from({ length: 16 }, (_, slot) =>
        database.asOwner(`insert into request_count values ($1, 'signaturerequest', $2, 'Open', $3, 0)`, [
          tenantId,
          departmentId,
          slot,
        ]),
      ),
    )
    // Nobody commits before all have written: one who waited for another's commit would wait for ever.
    const written = Array.from({ length: WRITERS }, () => Promise.withResolvers<void>())
    const everybody = Promise.all(written.map(({ promise }) => promise))
    await Promise.all(
      written.map(({ resolve }) =>
        db.transaction(tenantId, async (tx) => {
          await changeCounts(tx, tenantId, 'signaturerequest', [{ departmentId, status: 'Open', by: 1 }])
          resolve()
          await everybody
        }),
      ),
    )
    assert.equal(await count(departmentId), WRITERS)
  })
})
