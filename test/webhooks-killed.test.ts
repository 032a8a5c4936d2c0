// kill -9 of the worker and of the database while webhooks are delivered: every event arrives, under one id and with the
// same bytes, and nothing arrives that was not committed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { killAndRecover, type Kill } from './crash/kills.ts'
import { endAll } from './crash/signals.ts'
import {
  makeReceiverAuthority,
  startReceiver,
  type Receiver,
  type ReceiverAuthority,
} from './fakes/webhook-receiver.ts'
import { makeInstallation, type Installation } from './installation.ts'
import type { CallOptions } from './service.ts'
import { CREATE, payload } from './signature-requests.ts'
import { until } from './until.ts'

const [EMAIL, PASSWORD] = ['admin@example.com', 'a password for the killed worker']
const TYPE = 'signaturerequestcreated'
const CLIENTS = 3

describe('webhooks while parts of the service are killed', () => {
  let installation: Installation
  let authority: ReceiverAuthority
  let receiver: Receiver
  let secret: string
  /** Requests that were answered with 202. */
  const promised: string[] = []

  before(async () => {
    authority = await makeReceiverAuthority()
    receiver = await startReceiver(await authority.issue(['localhost']))
    // Slow enough that something is always on its way.
    receiver.answer((_request, response) => void setTimeout(() => response.writeHead(204).end(), 30))
    installation = await makeInstallation()
    await installation.start({
      COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true',
      COUNTERSIGN_HOOKS_CA_FILE: authority.caFile,
      COUNTERSIGN_ADMIN_EMAIL: EMAIL,
      COUNTERSIGN_ADMIN_PASSWORD: PASSWORD,
    })
    const { json: token } = await installation.call('POST', '/identity/login', { login: EMAIL, password: PASSWORD })
    const options: CallOptions = { headers: { authorization: `Bearer ${token.token}` } }
    const body = { eventType: TYPE, uri: receiver.url, subdepartments: true }
    const subscribed = await installation.call('POST', '/hooks/v1/subscription', body, options)
    assert.equal(subscribed.status, 202, subscribed.text)
    secret = subscribed.json.secret
  })
  after(async () => {
    await endAll(installation.dataDir)
    installation.remove()
    await receiver.stop()
    authority.remove()
  })

  /** Makes requests until it is told to stop; calls may fail while the database is away. */
  function startLoad(): () => Promise<void> {
    const stopping = new AbortController()
    const client = async () => {
      while (!stopping.signal.aborted) {
        const answer = await installation.call('POST', CREATE, payload({ status: 'Draft' })).catch(() => undefined)
        if (answer?.status === 202) promised.push(answer.json.id)
        await sleep(20)
      }
    }
    const clients = Array.from({ length: CLIENTS }, client)
    return async () => {
      stopping.abort()
      await Promise.all(clients)
    }
  }

  /** The ids of all committed events of the kind, as the feed tells them. */
  async function listCommitted(): Promise<Set<string>> {
    const ids = new Set<string>()
    for (let after = '', hasMore = true; hasMore;) {
      const { json } = await installation.call('GET', `/event?pageSize=500${after && `&after=${after}`}`)
      for (const { id, eventType } of json.items) if (eventType === TYPE) ids.add(id)
      ;({ cursor: after, hasMore } = json)
    }
    return ids
  }

  for (const kill of ['work', 'postgres'] satisfies Kill[]) {
    test(`kill -9 of ${kill}: every event arrives, none that was not committed, each under one id`, async () => {
      const stopLoad = startLoad()
      const before = receiver.received.length
      await until('deliveries to be under way', async () => receiver.received.length >= before + 10)
      await killAndRecover(installation, kill)
      await sleep(300)
      await stopLoad()
      const missing = () => {
        const arrived = new Set(receiver.received.map(({ body }) => JSON.parse(body).EventData.SignatureRequestId))
        return promised.filter((id) => !arrived.has(id))
      }
      // The buckets of a worker that was killed are free after ten seconds.
      await until('every event to arrive', async () => missing().length === 0, { everyMs: 200 })
      const committed = await until(
        'the last events to be handed out',
        async () => {
          const all = await listCommitted()
          return receiver.received.every(({ id }) => all.has(id)) && all
        },
        { everyMs: 200 },
      )
      assert.ok(committed.size >= promised.length && promised.length > 10)
      for (const received of Map.groupBy(receiver.received, ({ id }) => id).values())
        assert.equal(new Set(received.map(({ body }) => body)).size, 1)
      const { body, headers } = receiver.received.at(-1)!
      new Webhook(secret).verify(body, headers)
    })
  }
})
