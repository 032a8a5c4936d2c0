import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { addDepartment, type TestDepartment } from '../../../test/departments.ts'
import { addPerson } from '../../../test/people.ts'
import { startService, type Caller, type TestService, type TestTenant } from '../../../test/service.ts'
import { headersContext, secretContext } from './create-subscription.ts'
import { EVENT_TYPES } from '#features/event/index.ts'
import { disableSubscriptionsOfDepartments } from './index.ts'

const URI = 'https://hooks.example.com/countersign'
const BASIC = { eventType: 'signatorysigned', uri: URI }

describe('webhook subscriptions', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let sales: TestDepartment
  let legal: TestDepartment
  let asSales: Caller
  let asUser: Caller

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    sales = await addDepartment(service, acme, 'Sales')
    legal = await addDepartment(service, acme, 'Legal')
    asSales = await addPerson(service, acme, { departmentId: sales.id, role: 'Admin' })
    asUser = await addPerson(service, acme, { departmentId: sales.id, role: 'clerk' })
  })
  after(() => service.stop())

  const subscribe = async (call: Caller, body: object = BASIC): Promise<string> =>
    (await call('POST', '/hooks/v1/subscription', body)).json.id
  const countRows = async () =>
    (await service.database.asOwner('select count(*)::int as n from hook_subscription'))[0]!['n']

  test('can be made for each kind that is listed, with the fields of its deliveries', async () => {
    const { status, json } = await acme.asAdministrator('GET', '/hooks/v1/')
    assert.equal(status, 200)
    assert.deepEqual(
      json.map((hook: { eventType: string }) => hook.eventType),
      EVENT_TYPES,
    )
    assert.deepEqual(json[1], {
      eventType: 'signatorysigned',
      description: 'The signatory signed the request.',
      payloadSchema: {
        EventType: 'string',
        Timestamp: 'date-time',
        EventData: {
          SignatoryId: 'uuid',
          SignatureRequestId: 'uuid',
          TenantId: 'uuid',
          DepartmentId: 'uuid',
          CreatorId: 'uuid',
        },
      },
    })
    assert.deepEqual(Object.keys(json[2].payloadSchema.EventData).slice(-2), ['Status', 'PreviousStatus'])
    for (const eventType of EVENT_TYPES) assert.ok(await subscribe(other.asAdministrator, { eventType, uri: URI }))
  })

  test('are created with a secret that is shown once and lies encrypted, like the headers', async () => {
    const { status, json } = await acme.asAdministrator('POST', '/hooks/v1/subscription', {
      ...BASIC,
      description: 'Archive',
      headers: { Authorization: 'Bearer abc', 'X-Team': 'archive' },
    })
    assert.equal(status, 202)
    assert.deepEqual(Object.keys(json), ['id', 'secret'])
    assert.match(json.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)

    const [row] = await service.database.asOwner('select secret, headers from hook_subscription where id = $1', [
      json.id,
    ])
    const { keyring } = service.platform
    assert.equal(keyring.open(row!['secret'] as Buffer, secretContext(acme.tenantId, json.id)).toString(), json.secret)
    assert.deepEqual(
      JSON.parse(keyring.open(row!['headers'] as Buffer, headersContext(acme.tenantId, json.id)).toString()),
      { Authorization: 'Bearer abc', 'X-Team': 'archive' },
    )

    const read = await acme.asAdministrator('GET', `/hooks/v1/subscription/${json.id}?eventType=SignatorySigned`)
    assert.equal(read.status, 200)
    assert.deepEqual(read.json, {
      id: json.id,
      eventType: 'signatorysigned',
      uri: URI,
      description: 'Archive',
      state: 'active',
      stateReason: null,
      departmentId: acme.rootDepartmentId,
      subdepartments: true,
      headerNames: ['Authorization', 'X-Team'],
      createdAt: read.json.createdAt,
    })
    assert.ok(!read.text.includes('abc'))
  })

  test('may be asked for with capitals, and with any JSON content type or none', async () => {
    const body = { EventType: 'SIGNATORYSIGNED', Uri: URI, DepartmentId: sales.id, Subdepartments: true }
    const types: Record<string, string>[] = [
      { 'content-type': 'application/json' },
      { 'content-type': 'application/json-patch+json' },
      {},
    ]
    for (const headers of types) {
      const raw = Buffer.from(JSON.stringify(body))
      const { status, json } = await acme.asAdministrator('POST', '/hooks/v1/subscription', undefined, { raw, headers })
      assert.equal(status, 202)
      const read = (await acme.asAdministrator('GET', `/hooks/v1/subscription/${json.id}`)).json
      assert.deepEqual([read.eventType, read.departmentId, read.subdepartments], ['signatorysigned', sales.id, true])
    }
  })

  test('cover one department unless told otherwise, and without one all that their creator reaches', async () => {
    const read = async (id: string) => (await acme.asAdministrator('GET', `/hooks/v1/subscription/${id}`)).json
    const one = await read(await subscribe(acme.asAdministrator, { ...BASIC, departmentId: sales.id }))
    assert.deepEqual([one.departmentId, one.subdepartments], [sales.id, false])
    const reach = await read(await subscribe(asSales, { ...BASIC, subdepartments: false }))
    assert.deepEqual([reach.departmentId, reach.subdepartments], [sales.id, true])
  })

  test('repeat their answer, secret and all, for the same Idempotency-Key', async () => {
    const send = () =>
      acme.asAdministrator('POST', '/hooks/v1/subscription', BASIC, { headers: { 'idempotency-key': 'once' } })
    const [first, second] = [await send(), await send()]
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(second.json, first.json)
    const kept = await service.database.asOwner(`select body from idempotent_answer where key = 'once'`)
    assert.ok(!(kept[0]!['body'] as Buffer).includes('whsec_'))
  })

  test('are refused where something about them is wrong, and then nothing is kept', async () => {
    const before = await countRows()
    const cases: [change: object, code: number, message: RegExp][] = [
      [{ eventType: 'signed' }, 1000, /^eventType: must be one of signaturerequestcompleted, signatorysigned, /],
      [{ eventType: undefined }, 1000, /^eventType: is required/],
      [{ EventType: 'signatorysigned' }, 1000, /^eventType: is given twice/],
      [{ uri: undefined }, 1000, /^uri: is required/],
      [{ uri: `https://hooks.example.com/${'a'.repeat(2048)}` }, 1000, /^uri: must have at most 2048/],
      [{ uri: 'http://hooks.example.com/' }, 1800, /^uri: must start with https/],
      [{ uri: 'https://127.1/' }, 1800, /^uri: must name a host of the public internet/],
      [{ uri: 'http://127.0.0.1/' }, 1800, /^uri: /],
      [{ description: 7 }, 1000, /^description: must be a text/],
      [{ headers: 'X-A: b' }, 1000, /^headers: must be an object/],
      [{ headers: { 'X-A': 5 } }, 1000, /^headers\.X-A: must be a text/],
      [{ headers: { 'X-A': 'a'.repeat(4097) } }, 1000, /^headers\.X-A: must have at most 4096/],
      [{ headers: many(21) }, 1000, /^headers: must have at most 20/],
      [{ headers: { 'X-A': 'a', 'x-a': 'b' } }, 1801, /given twice/],
      [{ headers: { 'X-A': 'a\r\nHost: b' } }, 1801, /control characters/],
      [{ headers: { 'X-A': 'å' } }, 1801, /ASCII/],
      [{ headers: { 'X A': 'a' } }, 1801, /not the name of a header/],
      [{ headers: { '': 'a' } }, 1801, /not the name of a header/],
      [{ departmentId: newId() }, 4000, /^departmentId: /],
      [{ departmentId: other.rootDepartmentId }, 4000, /^departmentId: /],
      [{ subdepartments: 'yes' }, 1000, /^subdepartments: must be true or false/],
    ]
    for (const [change, code, message] of cases) {
      const { status, json } = await acme.asAdministrator('POST', '/hooks/v1/subscription', { ...BASIC, ...change })
      assert.equal(status, 400, JSON.stringify(change))
      assert.equal(json.code, code, JSON.stringify(change))
      assert.match(json.message, message)
    }
    assert.equal(await countRows(), before)
  })

  test('never send headers that carry the message itself or the connection', async () => {
    const names =
      'Host Content-Length Content-Type content-encoding Transfer-Encoding Connection Keep-Alive Upgrade Expect TE ' +
      'Trailer Proxy-Authorization Proxy-Connection Forwarded X-Forwarded-For x-forwarded-host Cookie User-Agent ' +
      'webhook-id Webhook-Signature countersign-sequence X-Countersign-Console'
    for (const name of names.split(' ')) {
      const { status, json } = await acme.asAdministrator('POST', '/hooks/v1/subscription', {
        ...BASIC,
        headers: { [name]: 'a' },
      })
      assert.equal(status, 400, name)
      assert.match(json.message, /set by the service itself/, name)
    }
    const raw = `{"eventType":"signatorysigned","uri":"${URI}","headers":{"__proto__":"a"}}`
    const { status } = await acme.asAdministrator('POST', '/hooks/v1/subscription', undefined, {
      raw: Buffer.from(raw),
    })
    assert.equal(status, 400)
  })

  test('need a bearer token, and an administrator to change them', async () => {
    const id = await subscribe(asSales)
    const calls: [string, string, object?][] = [
      ['GET', '/hooks/v1'],
      ['POST', '/hooks/v1/subscription', BASIC],
      ['GET', '/hooks/v1/subscription'],
      ['GET', `/hooks/v1/subscription/${id}`],
      ['DELETE', `/hooks/v1/subscription/${id}`],
      ['GET', '/hooks/v1/outbox'],
    ]
    for (const [method, path, body] of calls) {
      const { status, json } = await acme.call(method, path, body)
      assert.equal(status, 401, path)
      assert.equal(json.code, 5002)
      const asClerk = await asUser(method, path, body)
      const mayRead = method === 'GET' && !path.endsWith('outbox')
      assert.equal(asClerk.status, mayRead ? 200 : 403, `${method} ${path}`)
    }
  })

  test('are listed within reach, newest first', async () => {
    const tenant = await service.createTenant('Lister')
    const department = await addDepartment(service, tenant, 'Only')
    const root = await subscribe(tenant.asAdministrator)
    const below = await subscribe(tenant.asAdministrator, { ...BASIC, departmentId: department.id })
    const { json } = await tenant.asAdministrator('GET', '/hooks/v1/subscription')
    assert.equal(json.total, 2)
    assert.deepEqual(
      json.items.map((item: { id: string }) => item.id),
      [below, root],
    )
    const page = (await tenant.asAdministrator('GET', '/hooks/v1/subscription?skip=1&take=1')).json
    assert.equal(page.total, 2)
    assert.equal(page.items[0].id, root)

    const seen = (await asSales('GET', '/hooks/v1/subscription?take=500')).json
    assert.ok(seen.total > 0)
    for (const item of seen.items) assert.equal(item.departmentId, sales.id)
  })

  test('of another kind, of another tenant, or of nobody are not found', async () => {
    const id = await subscribe(acme.asAdministrator)
    const foreign = await subscribe(other.asAdministrator)
    const paths = [newId(), foreign, 'no-uuid', `${id}?eventType=signaturerequestcompleted`, `${id}?eventType=x`]
    for (const path of paths) {
      for (const method of ['GET', 'DELETE']) {
        const { status, json } = await acme.asAdministrator(method, `/hooks/v1/subscription/${path}`)
        assert.equal(status, 404, `${method} ${path}`)
        assert.equal(json.classification, 'EntityNotFound')
      }
    }
    assert.equal((await acme.asAdministrator('GET', `/hooks/v1/subscription/${id.toUpperCase()}/`)).status, 200)
  })

  test('of a department beside the caller’s are out of reach', async () => {
    const id = await subscribe(acme.asAdministrator, { ...BASIC, departmentId: legal.id })
    const replies = [
      await asSales('GET', `/hooks/v1/subscription/${id}`),
      await asSales('DELETE', `/hooks/v1/subscription/${id}`),
      await asSales('POST', '/hooks/v1/subscription', { ...BASIC, departmentId: legal.id }),
    ]
    for (const { status, json } of replies) {
      assert.equal(status, 403)
      assert.equal(json.classification, 'AuthorizationError')
    }
  })

  test('twenty deletions at once: one is accepted, and the secrets are gone', async () => {
    const id = await subscribe(acme.asAdministrator, { ...BASIC, headers: { 'X-A': 'a' } })
    const remove = () => acme.asAdministrator('DELETE', `/hooks/v1/subscription/${id}?eventType=signatorysigned`)
    const replies = await Promise.all(Array.from({ length: 20 }, remove))
    assert.equal(replies.filter((reply) => reply.status === 202).length, 1)
    assert.equal(replies.filter((reply) => reply.status === 404).length, 19)
    const rows = await service.database.asOwner(
      'select length(secret) as secret, headers, deleted_at is not null as gone from hook_subscription where id = $1',
      [id],
    )
    assert.deepEqual(rows, [{ secret: 0, headers: null, gone: true }])
  })

  test('have an end to their number', async () => {
    const { tenantId, rootDepartmentId, administratorId, asAdministrator } = await service.createTenant('Crowded')
    await service.database.asOwner(
      `insert into hook_subscription (tenant_id, id, event_type, uri, header_names, secret, department_id,
              subdepartments, creator_id, state, created_at)
       select $1, gen_random_uuid(), 'signatorysigned', 'https://hooks.example.com/', '{}', '', $2, true, $3, 'active', now()
         from generate_series(1, 999)`,
      [tenantId, rootDepartmentId, administratorId],
    )
    assert.equal((await asAdministrator('POST', '/hooks/v1/subscription', BASIC)).status, 202)
    const { status, json } = await asAdministrator('POST', '/hooks/v1/subscription', BASIC)
    assert.equal(status, 400)
    assert.equal(json.code, 7800)
  })

  test('of a department that goes are disabled and stay readable', async () => {
    const id = await subscribe(acme.asAdministrator, { ...BASIC, departmentId: legal.id })
    const { tenantId } = acme
    await service.platform.db.transaction(tenantId, (tx) =>
      disableSubscriptionsOfDepartments(tx, { tenantId, departmentIds: [legal.id], now: service.clock.now() }),
    )
    assert.equal((await acme.asAdministrator('GET', `/hooks/v1/subscription/${id}`)).json.state, 'disabled')
  })

  test('find what waits for them in the outbox, by key and within reach', async () => {
    const root = (await acme.call('POST', '/sealing/sealingrequest', {})).json.id
    const below = (await sales.call('POST', '/sealing/sealingrequest', {})).json.id
    const { json } = await acme.asAdministrator('GET', '/hooks/v1/outbox')
    assert.deepEqual(
      json.items.map(({ eventType, requestId }: Record<string, string>) => [eventType, requestId]),
      [
        ['sealingrequestcreated', root],
        ['sealingrequestcreated', below],
      ],
    )
    const rest = await acme.asAdministrator('GET', `/hooks/v1/outbox?after=${json.items[0].id}&take=1`)
    assert.deepEqual(rest.json.items, [json.items[1]])
    assert.deepEqual((await asSales('GET', '/hooks/v1/outbox')).json.items, [json.items[1]])
    assert.deepEqual((await other.asAdministrator('GET', '/hooks/v1/outbox')).json.items, [])
    assert.equal((await acme.asAdministrator('GET', '/hooks/v1/outbox?take=501')).status, 400)
  })
})

describe('webhook subscriptions in development', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService({ COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true' })
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  test('may name receivers on this machine, and still no neighbours', async () => {
    const expected: [uri: string, status: number][] = [
      ['http://127.0.0.1:3000/hook', 202],
      ['http://localhost/hook', 202],
      ['https://[::1]:3000/hook', 202],
      ['http://192.168.0.1/hook', 400],
      ['http://hooks.example.com/hook', 400],
    ]
    for (const [uri, status] of expected) {
      const reply = await acme.asAdministrator('POST', '/hooks/v1/subscription', { ...BASIC, uri })
      assert.equal(reply.status, status, uri)
    }
  })
})

function many(amount: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: amount }, (_, index) => [`X-${index}`, 'a']))
}
