// Receivers that behave badly, with TLS, on this machine: none harms the others, and what the API shows of a try tells
// what happened.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Receiver } from '../../../test/fakes/webhook-receiver.ts'
import { startReceiver } from '../../../test/fakes/webhook-receiver.ts'
import type { TestTenant } from '../../../test/service.ts'
import { startDeliveryTests, type DeliveryTests } from './testing/deliveries.ts'

const CREATED = 'signaturerequestcreated'
/** For receivers that never come to an end: each of these tests waits for so long. */
const SHORT = { totalMs: 2_000 }
/** For the others, which a busy machine keeps waiting too. */
const PATIENT = { totalMs: 60_000 }

type Shown = { status: number | null; error: string | null; answer: string | null }
type Answering = Exclude<Parameters<Receiver['answer']>[0], number>
type State = 'delivered' | 'waiting' | 'parked'
type Case = { how: Answering; isEndless?: true; state: State; shows: (shown: Shown) => void }

describe('a receiver that', () => {
  let tests: DeliveryTests
  let acme: TestTenant
  before(async () => {
    tests = await startDeliveryTests()
    acme = await tests.service.createTenant('Acme')
  })
  after(() => tests.stop())

  const shown = async (id: string): Promise<{ state: string; tries: Shown[] } | undefined> =>
    (await acme.asAdministrator('GET', `/hooks/v1/subscription/${id}/delivery`)).json.items[0]

  /** Subscribes each address, lets one event happen, and waits until each delivery has been tried. */
  const tryAll = async (uris: string[]): Promise<{ state: string; tries: Shown[] }[]> => {
    const ids: string[] = []
    for (const uri of uris) ids.push((await tests.subscribe(acme.asAdministrator, uri)).id)
    await tests.begin(acme, [CREATED])
    await tests.until(async () => {
      const all = await Promise.all(ids.map(shown))
      return all.every((delivery) => delivery !== undefined && delivery.tries.length > 0)
    })
    // Read once more: deliveries are listed before their tries, and one that ends in between still shows as waiting.
    const found = await Promise.all(ids.map(shown))
    for (const id of ids) await acme.asAdministrator('DELETE', `/hooks/v1/subscription/${id}`)
    return found.map((delivery) => delivery!)
  }

  const timesOut = ({ status, error }: Shown) => {
    assert.equal(status, null)
    assert.match(error!, /no complete answer within 2 s/)
  }
  const saysStatus = (wanted: number) => (shown: Shown) => assert.equal(shown.status, wanted)

  const cases: Record<string, Case> = {
    'is slow but answers in time': {
      how: (_request, response) => void setTimeout(() => response.writeHead(200).end('thanks'), 200),
      state: 'delivered',
      shows: ({ status, answer }) => assert.deepEqual([status, answer], [200, 'thanks']),
    },
    'never answers': { how: () => {}, isEndless: true, state: 'waiting', shows: timesOut },
    'answers byte by byte': {
      how: (_request, response) => {
        const timer = setInterval(() => response.write('a'), 20)
        response.on('close', () => clearInterval(timer))
      },
      isEndless: true,
      state: 'waiting',
      shows: timesOut,
    },
    'answers without end': {
      how: (_request, response) => {
        const more = () => response.destroyed || response.write('x'.repeat(64 * 1024), () => setImmediate(more))
        more()
      },
      state: 'delivered',
      shows: ({ status, answer }) => assert.deepEqual([status, answer], [200, 'x'.repeat(1024)]),
    },
    'breaks the connection': {
      how: (request) => request.socket.destroy(),
      state: 'waiting',
      shows: ({ status, error }) => {
        assert.equal(status, null)
        assert.match(error!, /closed|hang up|ECONNRESET/)
      },
    },
    'is overloaded': {
      how: (_request, response) => response.writeHead(429, { 'retry-after': '120' }).end('later'),
      state: 'waiting',
      shows: ({ status, answer }) => assert.deepEqual([status, answer], [429, 'later']),
    },
    'is gone': {
      how: (_request, response) => response.writeHead(410).end(),
      state: 'parked',
      shows: ({ status, error }) =>
        assert.deepEqual([status, error], [410, 'the receiver says that it is gone for good']),
    },
    fails: { how: (_request, response) => response.writeHead(500).end('oh'), state: 'waiting', shows: saysStatus(500) },
  }

  test('is slow, hangs, trickles, has no end, breaks off, is overloaded, gone or faulty is understood', async () => {
    for (const [isEndless, patience] of [[true, SHORT] as const, [undefined, PATIENT] as const]) {
      const meant = Object.entries(cases).filter(([, one]) => one.isEndless === isEndless)
      await tests.work(patience)
      const receivers = await Promise.all(meant.map(() => tests.startReceiver()))
      for (const [index, [, { how }]] of meant.entries()) receivers[index]!.answer(how)
      const deliveries = await tryAll(receivers.map(({ url }) => url))
      for (const [index, [name, { state, shows }]] of meant.entries()) {
        assert.equal(deliveries[index]!.state, state, name)
        shows(deliveries[index]!.tries[0]!)
      }
      await tests.reset()
    }
  })

  test('redirects to an internal address is not followed', async () => {
    await tests.work(PATIENT)
    const [internal, redirecting] = [await tests.startReceiver(), await tests.startReceiver()]
    redirecting.answer((_request, response) => response.writeHead(302, { location: internal.url }).end())
    const [delivery] = await tryAll([redirecting.url])
    assert.deepEqual([delivery!.tries[0]!.status, delivery!.tries[0]!.error], [302, 'redirects are not followed'])
    assert.equal(internal.connections, 0)
    await tests.reset()
  })

  test('has a certificate for another name, or an expired one, is sent nothing', async () => {
    await tests.work(PATIENT)
    const wrong = await Promise.all([
      startReceiver(await tests.authority.issue(['other.example.com'])),
      startReceiver(await tests.authority.issue(['localhost'], { isExpired: true })),
    ])
    const deliveries = await tryAll(wrong.map(({ url }) => url))
    assert.match(deliveries[0]!.tries[0]!.error!, /altnames|hostname/i)
    assert.match(deliveries[1]!.tries[0]!.error!, /expired/i)
    for (const receiver of wrong) {
      assert.equal(receiver.received.length, 0)
      await receiver.stop()
    }
    await tests.reset()
  })

  test('is at a public address at first and at an internal one later is never reached', async () => {
    let asked = 0
    const internal = await tests.startReceiver()
    const lookup: Parameters<DeliveryTests['work']>[0] = {
      ...PATIENT,
      connectMs: 200,
      lookup: (_host, _options, done) =>
        done(null, [{ address: asked++ === 0 ? '203.0.114.1' : '127.0.0.1', family: 4 }]),
    }
    await tests.work(lookup)
    const uri = `https://rebinding.example.com:${internal.port}/`
    const [first] = await tryAll([uri])
    assert.equal(first!.state, 'waiting')
    const [second] = await tryAll([uri])
    assert.match(second!.tries[0]!.error!, /rebinding\.example\.com is at 127\.0\.0\.1, which is not public/)
    assert.equal(internal.connections, 0)
    await tests.reset()
  })
})
