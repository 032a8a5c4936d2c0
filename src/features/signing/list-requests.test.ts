import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type Caller, type TestService, type TestTenant } from '../../../test/service.ts'
import { create } from '../../../test/signature-requests.ts'

describe('listing signature requests', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let sales: string
  let below: string
  let legal: string
  let salesKey: Caller
  const ids: string[] = []

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    const inSales = await addDepartment(service, acme, 'Sales')
    sales = inSales.id
    salesKey = inSales.call
    below = (await addDepartment(service, acme, 'Below', inSales.path)).id
    legal = (await addDepartment(service, acme, 'Legal')).id
    const made: Record<string, unknown>[] = [
      { subject: 'Röntgen für Müller', externalReference: 'R-1' },
      { subject: 'Second', departmentId: sales, status: 'Draft', externalReference: 'R-1' },
      { subject: 'Third', departmentId: below },
      {
        subject: 'Fourth',
        departmentId: legal,
        signatories: [{ lastName: 'O’Brien', email: 'pat.obrien@example.org' }],
      },
      { subject: 'Fifth seconds', departmentId: sales },
    ]
    for (const changes of made) ids.push(await create(acme.call, changes))
    await create(other.call, { subject: 'Second', externalReference: 'R-1' })
  })
  after(() => service.stop())

  async function list(query = '', call: Caller = acme.call) {
    const { status, json, text } = await call('GET', `/signing/signaturerequest${query}`)
    assert.equal(status, 200, text)
    return {
      found: json.items.map((item: { id: string }) => ids.indexOf(item.id) + 1),
      total: json.total,
      totalIsCapped: json.totalIsCapped,
    }
  }

  const cases: [query: string, found: number[]][] = [
    ['', [5, 4, 3, 2, 1]],
    ['/', [5, 4, 3, 2, 1]],
    ['?status=open', [5, 4, 3, 1]],
    ['?Status=DRAFT', [2]],
    ['?status=Closed', []],
    ['?externalReference=R-1', [2, 1]],
    ['?externalReference=R-1&status=Draft', [2]],
    ['?externalReference=r-1', []],
    ['?search=second', [5, 2]],
    ['?search=SEC', [5, 2]],
    ['?search=rontgen', [1]],
    ['?search=M%C3%BCller%20r%C3%B6nt', [1]],
    ['?search=fifth%20sec', [5]],
    ['?search=sec%20fifth', []],
    ['?search=pat.obrien@example.org', [4]],
    ['?search=aino', [5, 3, 2, 1]],
    ['?search=r-1', [2, 1]],
    ['?search=second&status=Draft', [2]],
    ['?search=second&externalReference=R-1', [2]],
    ['?search=nobody', []],
    ['?search=%25', []],
    ['?search=+', [5, 4, 3, 2, 1]],
  ]
  for (const [query, found] of cases) {
    test(`${query === '' ? 'without a query' : query} finds ${found.length}`, async () => {
      assert.deepEqual(await list(query), { found, total: found.length, totalIsCapped: undefined })
    })
  }

  test('departmentId finds that department’s alone', async () => {
    assert.deepEqual((await list(`?departmentId=${sales}`)).found, [5, 2])
    assert.deepEqual((await list(`?departmentId=${sales}&status=Open`)).found, [5])
    assert.deepEqual((await list(`?departmentId=${newId()}`)).found, [])
  })

  test('a department’s key sees its own and those below', async () => {
    assert.deepEqual(await list('', salesKey), { found: [5, 3, 2], total: 3, totalIsCapped: undefined })
    assert.deepEqual((await list('?status=Open', salesKey)).found, [5, 3])
    assert.deepEqual((await list('?externalReference=R-1', salesKey)).found, [2])
    assert.deepEqual((await list('?search=aino', salesKey)).found, [5, 3, 2])
    assert.deepEqual((await list(`?departmentId=${below}`, salesKey)).found, [3])
    for (const departmentId of [legal, acme.rootDepartmentId]) {
      assert.equal((await salesKey('GET', `/signing/signaturerequest?departmentId=${departmentId}`)).status, 403)
    }
  })

  test('each of a hundred people finds their request, by name and by address', async () => {
    const signatories = Array.from({ length: 100 }, (_, index) => ({
      firstName: `Anna-Maria${index}`,
      lastName: `Lind${index}`,
      email: `anna${index}@company${index}.example`,
    }))
    const id = await create(other.call, { signatories })
    for (const search of ['anna maria99', 'lind99', 'anna99@company99.example']) {
      const { json } = await other.call('GET', `/signing/signaturerequest?search=${search}`)
      assert.deepEqual(
        json.items.map((item: { id: string }) => item.id),
        [id],
        search,
      )
    }
  })

  test('pages are cut from the same order, and the total stays', async () => {
    const keys: Caller[] = [acme.call, salesKey]
    for (const call of keys) {
      for (const query of ['', 'search=aino', 'status=Open']) {
        const whole = await list(`?${query}`, call)
        for (const skip of [0, 1, 2]) {
          const page = await list(`?${query}&skip=${skip}&take=2`, call)
          assert.deepEqual(page.found, whole.found.slice(skip, skip + 2))
          assert.equal(page.total, whole.total)
        }
      }
    }
  })

  const refusals: [query: string, message: RegExp][] = [
    ['skip=-1', /^skip: /],
    ['skip=10001', /^skip: must be at most 10000.*GET \/event/],
    ['skip=x', /^skip: must be a whole number/],
    ['take=0', /^take: /],
    ['take=501', /^take: /],
    ['status=Done', /^status: must be one of/],
    ['departmentId=mine', /^departmentId: must be a UUID/],
    [`search=${'x'.repeat(201)}`, /^search: must have at most 200/],
    ['search=%00', /^search: /],
    ['search=a&search=b', /^search: is given twice/],
  ]
  for (const [query, message] of refusals) {
    test(`refuses ${query.slice(0, 40)}`, async () => {
      const { status, json } = await acme.call('GET', `/signing/signaturerequest?${query}`)
      assert.equal(status, 400)
      assert.equal(json.classification, 'InvalidArgument')
      assert.match(json.message, message)
    })
  }

  test('more than a thousand found by a word are not counted on', async () => {
    const crowd = await service.createTenant('Crowd')
    const id = await create(crowd.call, { externalReference: 'same' })
    await service.database.asOwner(
      `with copies as (
         insert into signature_request
         select tenant_id, gen_random_uuid(), department_id, creator_id, template_id, subject, status, status_reason,
                language_code, reading_authentication_strength, signing_authentication_strength, external_reference,
                expiration_at, delivery_methods, placements, archiving_error, fingerprint,
                created_at - n * interval '1 second', modified_at, opened_at, finished_at
           from signature_request, generate_series(1, 1200) n where id = $1
         returning tenant_id, id, created_at)
       insert into signature_request_word select tenant_id, 'lease', created_at, id from copies`,
      [id],
    )
    for (const query of ['search=lease', 'externalReference=same']) {
      const { json } = await crowd.call('GET', `/signing/signaturerequest?${query}&skip=1150&take=100`)
      assert.equal(json.total, 1000)
      assert.equal(json.totalIsCapped, true)
      assert.equal(json.items.length, 51)
    }
  })
})
