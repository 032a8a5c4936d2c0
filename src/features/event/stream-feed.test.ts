import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Writable, type PassThrough } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyNotAccepted } from '#platform/auth/auth-errors.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { create } from '../../../test/signature-requests.ts'
import { until } from '../../../test/until.ts'
import { beginHistory, SYSTEM } from './append-events.ts'
import { makeFeedCursor } from './feed-cursor.ts'
import { streamFeed } from './stream-feed.ts'

type Told = { id: string; data?: { eventType: string; requestId: string; id: string } }

/** Reads server-sent events by the rules of the standard, as far as we use them. */
async function open(url: string, headers: Record<string, string>, query = '') {
  const controller = new AbortController()
  const response = await fetch(`${url}/event/stream${query}`, { headers, signal: controller.signal })
  const chunks = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<Told | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const data = field('data')
        return { id: field('id') ?? '', ...(data !== undefined && { data: JSON.parse(data) }) }
      }
      const { value, done } = await chunks.read()
      if (done) return undefined
      text += value
    }
  }
  return { response, next, close: () => controller.abort() }
}

describe('the stream of events', () => {
  let service: TestService
  let acme: TestTenant
  const key = (tenant: TestTenant) => ({ 'ocp-apim-subscription-key': tenant.key })

  before(async () => {
    service = await startService({}, { worker: { delivers: true, handlers: () => [] } })
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  const untilOutboxIsEmpty = () =>
    until('the outbox to be empty', async () => {
      const [row] = await service.database.asOwner('select count(*)::int as left from outbox')
      return row!.left === 0
    })

  const headOf = async ({ tenantId }: TestTenant): Promise<number> => {
    const sql = 'select last_position::int as last from event_feed_head where tenant_id = $1'
    return ((await service.database.asOwner(sql, [tenantId]))[0]?.last as number) ?? 0
  }

  test('tells what happens from now on, as it happens', async () => {
    await create(acme.call)
    await untilOutboxIsEmpty()
    const { response, next, close } = await open(service.url, key(acme))
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const beginning = await next()
    assert.ok(beginning!.id)
    const requestId = await create(acme.call)
    const told = await next()
    assert.equal(told!.data!.requestId, requestId)
    close()
  })

  test('goes on after the last event that a reader saw, and misses nothing in between', async () => {
    await untilOutboxIsEmpty()
    const first = await open(service.url, key(acme))
    await first.next()
    const requestId = await create(acme.call)
    const seen = [await first.next()]
    first.close()
    await create(acme.call)
    const again = await open(service.url, { ...key(acme), 'last-event-id': seen[0]!.id })
    const history = await acme.call('GET', `/event/signaturerequest/${requestId}`)
    while (seen.length < history.json.items.length) {
      const told = await again.next()
      if (told!.data) seen.push(told)
    }
    assert.deepEqual(
      seen.map((told) => told!.data!.id),
      history.json.items.map((event: { id: string }) => event.id),
    )
    again.close()
  })

  test('begins after the cursor of a page of the feed as well', async () => {
    await untilOutboxIsEmpty()
    const { cursor } = (await acme.call('GET', '/event?after=now')).json
    const requestId = await create(acme.call)
    const { next, close } = await open(service.url, key(acme), `?after=${cursor}`)
    await next()
    assert.equal((await next())!.data!.requestId, requestId)
    close()
  })

  test('tells only what the caller reaches', async () => {
    const sales = await addDepartment(service, acme, 'Sales')
    const { primaryKey } = await makeKey(service, acme, sales.id)
    const { next, close } = await open(service.url, { 'ocp-apim-subscription-key': primaryKey })
    await next()
    await create(acme.call)
    const inSales = await create(sales.call)
    assert.equal((await next())!.data!.requestId, inSales)
    close()
  })

  test('a reader who is far behind gets everything, in portions', async () => {
    const tenant = await service.createTenant('Busy')
    const ids = new Set<string>()
    for (let made = 0; made < 60; made++) ids.add(await create(tenant.call, { status: 'Draft' }))
    await untilOutboxIsEmpty()
    const { cursor } = (await tenant.call('GET', '/event?pageSize=1')).json
    const { next, close } = await open(service.url, key(tenant), `?after=${cursor}`)
    while (ids.size > 1) {
      const told = await next()
      if (told!.data) ids.delete(told!.data.requestId)
    }
    close()
  })

  test('has a place for twenty of one caller, and gives places back', async () => {
    const tenant = await service.createTenant('Many')
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(service.url, key(tenant))))
    for (const { response } of streams) assert.equal(response.status, 200)
    const refused = await tenant.call('GET', '/event/stream')
    assert.deepEqual([refused.status, refused.json.code], [429, 1007])
    assert.equal(refused.headers.get('retry-after'), '30')
    assert.equal((await acme.call('GET', '/event/stream')).status, 200)
    for (const { close } of streams) close()
    for (let status = 429; status !== 200;) ({ status } = await tenant.call('GET', '/event/stream'))
  })

  test('says now and then that it is still there, and asks whether the caller still may', async () => {
    let hasRights = true
    const admitAgain = async () => {
      if (!hasRights) throw keyNotAccepted()
      return callerOf(acme)
    }
    await untilOutboxIsEmpty()
    const position = await headOf(acme)
    const stream = streamFeed(service.platform, { caller: callerOf(acme), admitAgain, position, heartbeatMs: 20 })
    let text = ''
    for await (const chunk of stream) {
      text += String(chunk)
      if (text.includes(': still here')) hasRights = false
    }
    assert.match(text, /^retry: 2000\nid: \S+\n\n(: still here\n\n)+$/)
  })

  test('moves the cursor over what the caller does not reach', async () => {
    const aside = await addDepartment(service, acme, 'Aside')
    const caller = { ...callerOf(acme), departmentId: aside.id, isTenantWide: false }
    await untilOutboxIsEmpty()
    const position = await headOf(acme)
    const stream = streamFeed(service.platform, { caller, admitAgain: async () => caller, position, heartbeatMs: 20 })
    await create(acme.call)
    await untilOutboxIsEmpty()
    const cursor = makeFeedCursor(service.platform.keyring, { tenantId: acme.tenantId, position: await headOf(acme) })
    let text = ''
    for await (const chunk of stream) {
      text += String(chunk)
      if (text.includes(`id: ${cursor}\n\n`)) break
    }
    assert.ok(!text.includes('data:'))
  })

  test('gathers no more than a little for a reader who does not read', async () => {
    const tenant = await service.createTenant('Slow')
    const data = { note: 'x'.repeat(4_000) }
    const events = Array.from({ length: 200 }, () => ({ type: 'signaturerequestcreated', actor: SYSTEM, data }))
    const subject = { tenantId: tenant.tenantId, requestId: newId(), requestKind: 'signaturerequest' } as const
    await service.platform.db.transaction(tenant.tenantId, (tx) =>
      beginHistory(tx, { ...subject, departmentId: tenant.rootDepartmentId }, events, service.clock.now()),
    )
    await untilOutboxIsEmpty()
    const caller = callerOf(tenant)
    const stream = streamFeed(service.platform, { caller, admitAgain: async () => caller, position: 0 }) as PassThrough
    const neverReady = new Writable({ highWaterMark: 1, write: () => {} })
    stream.pipe(neverReady)
    await until('something to have been written', async () => stream.writableNeedDrain)
    await sleep(200)
    assert.ok(stream.readableLength + stream.writableLength < 3 * 64 * 1024)
    stream.destroy()
  })

  test('an answer that is let go gives its place back at once', async () => {
    const tenant = await service.createTenant('Brief')
    const caller = callerOf(tenant)
    for (let opened = 0; opened < 50; opened++) {
      const stream = streamFeed(service.platform, { caller, admitAgain: async () => caller, position: 0 })
      stream.resume()
      const closed = once(stream, 'close')
      stream.destroy()
      await closed
    }
  })

  test('ends when the server stops', { timeout: 180_000 }, async () => {
    const own = await startService()
    const tenant = await own.createTenant('Leaving')
    const { next } = await open(own.url, key(tenant))
    await next()
    await own.stop()
    assert.equal(await next(), undefined)
  })

  test('refuses a cursor of another tenant', async () => {
    const other = await service.createTenant('Other')
    const { cursor } = (await other.call('GET', '/event')).json
    const { status } = await acme.call('GET', '/event/stream', undefined, { headers: { 'last-event-id': cursor } })
    assert.equal(status, 400)
  })
})

function callerOf(tenant: TestTenant): Caller {
  return {
    tenantId: tenant.tenantId,
    role: 'key',
    userId: tenant.serviceUserId,
    departmentId: tenant.rootDepartmentId,
    isTenantWide: true,
    keyId: tenant.keyId,
    token: undefined,
    isInactive: false,
  }
}

async function makeKey(service: TestService, { tenantId }: TestTenant, departmentId: string) {
  const { createKey } = await import('#features/onboarding/index.ts')
  return service.platform.db.transaction(tenantId, (tx) =>
    createKey(tx, { tenantId, departmentId, name: 'For a stream', now: service.clock.now() }),
  )
}
