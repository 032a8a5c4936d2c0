// What a listing reads must not depend on how many requests there are. Pages read are counted, because unlike time they
// are the same on a busy machine.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { newId } from '#platform/ids.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { countPages as countPagesOf, type Param } from '../../../test/pages-read.ts'
import * as statements from './listing-statements.ts'

const FEW = 3_000
const MANY = 15_000
const DEPARTMENTS = 3

describe('the cost of listing', () => {
  const tenantId = newId()
  const departmentIds = Array.from({ length: DEPARTMENTS }, newId)
  let database: TestDatabase
  let client: pg.Client

  before(async () => {
    database = await createDatabase()
    await addTenant()
    client = new pg.Client({ ...database.connection, options: '-c role=countersign_request' })
    await client.connect()
    await client.query(`select set_config('app.tenant', $1, false)`, [tenantId])
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  async function addTenant(): Promise<void> {
    const [root, ...below] = departmentIds
    await database.asOwner(
      `insert into department (tenant_id, id, parent_id, path, name, created_at, modified_at)
       select $1, d.id, nullif($2, d.id), array_remove(array[nullif($2, d.id), d.id], null), 'D', now(), now()
         from unnest($3::uuid[]) d (id)`,
      [tenantId, root, [root, ...below]],
    )
    await database.asOwner(
      `insert into app_user (tenant_id, id, department_id, kind, role, tokens_valid_after, created_at, modified_at)
       values ($1, $1, $2, 'service', 'service', now(), now(), now())`,
      [tenantId, root],
    )
  }

  /** Requests older than all before: the first pages stay as they are. */
  async function addRequests(from: number, to: number): Promise<void> {
    await database.asOwner(
      `with made as (
         insert into signature_request (tenant_id, id, department_id, creator_id, subject, status,
                reading_authentication_strength, signing_authentication_strength, external_reference, delivery_methods,
                fingerprint, created_at, modified_at)
         select $1, gen_random_uuid(), ($4::uuid[])[1 + n % ${DEPARTMENTS}], $1, 'Lease',
                (array['Draft', 'Open', 'Canceled', 'Closed'])[1 + n % 4], 'None', 'Email',
                case when n < 5 then 'rare' else 'common' end, '{Email}', '\\x00', now() - n * interval '1 second', now()
           from generate_series($2::int, $3::int) n
         returning tenant_id, id, created_at, external_reference)
       insert into signature_request_word (tenant_id, word, created_at, request_id)
       select tenant_id, word, created_at, id from made, unnest(array['lease', external_reference]) word`,
      [tenantId, from, to, departmentIds],
    )
    await database.asOwner('vacuum analyze')
  }

  const countPages = (statement: Parameters<typeof countPagesOf>[1], params: Record<string, Param>) =>
    countPagesOf(client, statement, params)

  const page = { tenantId, skip: 0, take: 50 }
  const anywhere = { departmentIds: null, status: null, externalReference: null }
  const found = { tenantId, ...anywhere, most: 1001 }
  const listings: Record<string, () => Promise<number>> = {
    'the newest': () => countPages(statements.findNewestIds, page),
    'the newest, after skipping': () => countPages(statements.findNewestIds, { ...page, skip: 2_000 }),
    'by status': () => countPages(statements.findIdsByStatus, { ...page, status: 'Open' }),
    'by department': () =>
      countPages(statements.findIdsByDepartment, {
        ...page,
        departmentIds,
        statuses: ['Draft', 'Open', 'Closed', 'Error'],
      }),
    'by a rare reference': () => countPages(statements.findIdsByReference, { ...found, externalReference: 'rare' }),
    'by a common reference': () => countPages(statements.findIdsByReference, { ...found, externalReference: 'common' }),
    'words that begin alike': () =>
      countPages(statements.listWordsByPrefix, { tenantId, prefix: 'c', end: 'c\u{10FFFF}', most: 100 }),
    'a common word': () =>
      countPages(statements.findIdsByWords, { ...found, first: ['lease'], every: [], last: ['lease'], looked: 1001 }),
    'a rare word with a common one': () =>
      countPages(statements.findIdsByWords, {
        ...found,
        first: ['rare'],
        every: ['lease'],
        last: ['rare'],
        looked: 10_000,
      }),
  }

  test('is the same with five times as many requests', async () => {
    const measure = async () => {
      const pages: Record<string, number> = {}
      for (const [what, count] of Object.entries(listings)) pages[what] = await count()
      return pages
    }
    await addRequests(1, FEW)
    const few = await measure()
    await addRequests(FEW + 1, MANY)
    const many = await measure()
    for (const what in few) {
      // A deeper index costs a page more for each walk into it; nothing may grow with the rows, which are five times as many.
      assert.ok(many[what]! <= few[what]! * 2 + 20, `${what}: ${few[what]} pages, then ${many[what]}`)
    }
  })
})
