// Events as they happen, over connections that break.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, type Countersign, type FollowedEvent } from '#client'
import { startFlakyProxy, type FlakyProxy } from '../fakes/flaky-proxy.ts'
import { startService, type TestService } from '../service.ts'
import { until } from '../until.ts'

describe('following events', () => {
  let service: TestService
  let proxy: FlakyProxy
  let countersign: Countersign

  before(async () => {
    service = await startService({}, { worker: { delivers: true, handlers: () => [] } })
    proxy = await startFlakyProxy(service.url)
    countersign = connect({ url: proxy.url, key: (await service.createTenant()).key })
  })
  after(async () => {
    await proxy.stop()
    await service.stop()
  })

  const create = async () => (await countersign.createSignatureRequest({ subject: 'Lease' })).id
  const streams = () => proxy.passed.filter(({ path }) => path.startsWith('/event/stream')).length

  /** Follows until it is told to stop, and keeps what it hears. */
  function listen(input?: { after?: string }) {
    const heard: FollowedEvent[] = []
    const enough = new AbortController()
    const before = streams()
    const listening = (async () => {
      for await (const event of countersign.follow(input, { signal: enough.signal })) heard.push(event)
    })()
    return {
      heard,
      hasBegun: () => until('the stream', async () => streams() > before),
      hears: (id: string) => until('the event', async () => heard.some(({ requestId }) => requestId === id)),
      async stop() {
        enough.abort(new Error('Enough.'))
        await assert.rejects(listening, { message: 'Enough.' })
      },
    }
  }

  test('an event is heard when it happens; a signal ends it', async () => {
    const listener = listen()
    await listener.hasBegun()
    const id = await create()
    await listener.hears(id)
    assert.equal(listener.heard[0]!.eventType, 'signaturerequestcreated')
    await listener.stop()
  })

  test('a broken connection is made again, and nothing is missed or told twice', async () => {
    const listener = listen()
    await listener.hasBegun()
    const first = await create()
    await listener.hears(first)
    proxy.cut()
    const meanwhile = [await create(), await create()]
    await listener.hears(meanwhile[1]!)
    assert.deepEqual(
      listener.heard
        .filter(({ eventType }) => eventType === 'signaturerequestcreated')
        .map(({ requestId }) => requestId),
      [first, ...meanwhile],
    )
    await listener.stop()
  })

  test('a cursor that was kept leads on from there, also in another program', async () => {
    const earlier = listen()
    await earlier.hasBegun()
    const known = await create()
    await earlier.hears(known)
    const { cursor } = earlier.heard.at(-1)!
    await earlier.stop()
    const missed = await create()
    const later = listen({ after: cursor })
    await later.hears(missed)
    assert.ok(later.heard.every(({ requestId }) => requestId !== known))
    await later.stop()
  })

  test('a refusal ends it', async () => {
    const stranger = connect({ url: proxy.url, key: 'csk_nobody' })
    await assert.rejects(stranger.follow().next(), { name: 'CountersignError', status: 401 })
  })
})
