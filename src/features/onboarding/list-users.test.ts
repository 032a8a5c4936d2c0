import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { addDepartment, type TestDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { searchPeople } from './user-statements.ts'

describe('finding people', () => {
  let service: TestService
  let acme: TestTenant
  let sales: TestDepartment

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    sales = await addDepartment(service, acme, 'Sales')
    await add({ email: 'aino.makinen@example.com', firstName: 'Aino', lastName: 'Mäkinen' })
    await add({ email: 'ada@elsewhere.example', firstName: 'Ada', lastName: 'Lovelace', departmentId: sales.id })
    await add({ email: 'adam@example.com', firstName: 'Adam', lastName: 'O’Neil' })
  })
  after(() => service.stop())

  const add = async (body: Record<string, unknown>) =>
    (await acme.asAdministrator('POST', '/onboarding/user', body)).json.id as string

  const find = async (query: string) => {
    const { status, json, text } = await acme.asAdministrator('GET', `/onboarding/user?${query}`)
    assert.equal(status, 200, text)
    return (json.items as { email: string }[]).map(({ email }) => email.split('@')[0])
  }
  const search = (words: string) => find(new URLSearchParams({ search: words }).toString())

  for (const [words, expected] of [
    ['ada', ['adam', 'ada']],
    ['ADA love', ['ada']],
    ['lovelace ada', ['ada']],
    ['Makinen', ['aino.makinen']],
    ['mäk', ['aino.makinen']],
    ['aino.makinen@example.com', ['aino.makinen']],
    ['neil', ['adam']],
    ['ada makinen', []],
    ['dam', []],
    ['%', []],
  ] as const) {
    test(`by ${JSON.stringify(words)}`, async () => assert.deepEqual(await search(words), expected))
  }

  test('within a department alone', async () => {
    assert.deepEqual(await find(`search=ada&departmentId=${sales.id}`), ['ada'])
  })

  test('of another tenant finds nobody', async () => {
    const other = await service.createTenant('Other')
    const { json } = await other.asAdministrator('GET', '/onboarding/user?search=ada')
    assert.equal(json.total, 0)
  })

  test('by a new name, and not by the old one', async () => {
    const id = await add({ email: 'bride@example.com', firstName: 'Bea', lastName: 'Oldname' })
    await acme.asAdministrator('PATCH', `/onboarding/user/${id}`, { lastName: 'Newname' })
    assert.deepEqual([await search('oldname'), await search('bea newname')], [[], ['bride']])
  })

  async function addMany(from: number, to: number): Promise<void> {
    await service.database.asOwner(
      `insert into app_user (tenant_id, id, department_id, kind, role, first_name, email, email_key, tokens_valid_after,
                             created_at, modified_at)
       select $1, gen_random_uuid(), $2, 'person', 'user', 'Many' || n, n || '@many.example', n || '@many.example', now(),
              now() - n * interval '1 second', now()
         from generate_series($3::int, $4::int) n`,
      [acme.tenantId, acme.rootDepartmentId, from, to],
    )
    await service.database.asOwner(
      `insert into app_user_word (tenant_id, word, user_id)
       select u.tenant_id, word, u.id
         from app_user u, words_of(concat_ws(' ', u.first_name, u.email)) as word
        where u.tenant_id = $1 and u.first_name like 'Many%'
           on conflict do nothing`,
      [acme.tenantId],
    )
    await service.database.asOwner('vacuum analyze app_user, app_user_word')
  }

  test('stops counting at a thousand', async () => {
    await addMany(1, 1200)
    const { json } = await acme.asAdministrator('GET', '/onboarding/user?search=many&take=5')
    assert.deepEqual([json.total, json.totalIsCapped, json.items.length], [1000, true, 5])
  })

  test('reads as many pages among few as among many', async () => {
    const client = new pg.Client({ ...service.database.connection, options: '-c role=countersign_request' })
    await client.connect()
    await client.query(`set plan_cache_mode = force_generic_plan`)
    await client.query(`select set_config('app.tenant', $1, false)`, [acme.tenantId])
    await client.query(`prepare search as ${searchPeople.text}`)
    const given: Record<string, string> = {
      tenantId: `'${acme.tenantId}'`,
      departmentIds: 'null',
      terms: `'{lovelace,ada}'`,
      skip: '0',
      take: '50',
    }
    const countPages = async () => {
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute search(${searchPeople.order.map((name) => given[name]).join()})`,
      )
      const { Plan: plan } = rows[0]['QUERY PLAN'][0]
      return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
    }
    try {
      const few = await countPages()
      await addMany(1201, 8000)
      const many = await countPages()
      assert.ok(many <= few * 2 + 20, `${few} pages, then ${many}`)
    } finally {
      await client.end()
    }
  })
})
