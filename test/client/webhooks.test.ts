// Deliveries as a receiver sees them: ours are believed, those of the scheme's own library too, and nothing else.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, verifyWebhook, WebhookError } from '#client'
import { Webhook } from 'standardwebhooks'
import { startDeliveryTests, type DeliveryTests } from '#features/hooks/testing/deliveries.ts'
import { PASSWORD } from '../service.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ok!').toString('base64')}`
const other = `whsec_${Buffer.from('another secret of thirty-two by!').toString('base64')}`
const now = new Date('2026-03-01T12:00:00Z')
const id = '0198f2f6-8a4b-7c3e-9d51-0c2b7a1e4f60'
const body = JSON.stringify({
  EventType: 'signaturerequestcompleted',
  Timestamp: now.toISOString(),
  EventData: { SignatureRequestId: id, TenantId: id, DepartmentId: id, CreatorId: id },
})

type Signing = { by?: string; at?: Date }
const seconds = (moment: Date) => String(Math.floor(moment.getTime() / 1000))

/** The headers of a delivery that the scheme's own library has signed. */
function sign({ by = secret, at = now }: Signing = {}): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds(at),
    'webhook-signature': new Webhook(by).sign(id, at, body),
    'countersign-sequence': '4',
  }
}

describe('verifyWebhook', () => {
  test('believes what the library of the scheme has signed', async () => {
    const event = await verifyWebhook({ headers: sign(), body, secret, now })
    assert.deepEqual(event, { id, sequence: 4, isTest: false, ...JSON.parse(body) })
  })

  test('reads bytes, Headers objects, and headers in any case', async () => {
    const bytes = new TextEncoder().encode(body)
    await verifyWebhook({ headers: new Headers(sign()), body: bytes, secret, now })
    const capitals = Object.fromEntries(Object.entries(sign()).map(([name, value]) => [name.toUpperCase(), [value]]))
    await verifyWebhook({ headers: capitals, body: Buffer.from(body), secret, now })
  })

  test('is content with one signature that fits one secret', async () => {
    const both = `v1a,bm90aGluZw== ${sign({ by: other })['webhook-signature']} ${sign()['webhook-signature']}`
    const headers = { ...sign(), 'webhook-signature': both }
    await verifyWebhook({ headers, body, secret, now })
    await verifyWebhook({ headers: sign({ by: other }), body, secret: [secret, other], now })
  })

  const earlier = (byMs: number) => new Date(now.getTime() - byMs)
  const refused: [why: string, delivery: Partial<Parameters<typeof verifyWebhook>[0]>, message: RegExp][] = [
    ['another secret', { headers: sign({ by: other }) }, /No signature fits/],
    ['a body that was changed', { body: body.replace('completed', 'canceled') }, /No signature fits/],
    ['an id that was changed', { headers: { ...sign(), 'webhook-id': 'x' } }, /No signature fits/],
    ['a time that was changed', { headers: { ...sign(), 'webhook-timestamp': seconds(earlier(1000)) } }, /No sig/],
    ['a delivery of more than five minutes ago', { headers: sign({ at: earlier(301_000) }) }, /too far/],
    ['one from a clock that is too far ahead', { headers: sign({ at: earlier(-301_000) }) }, /too far/],
    ['one that is older than the caller allows', { headers: sign({ at: earlier(6000) }), toleranceSeconds: 5 }, /far/],
    ['a time that is no number', { headers: { ...sign(), 'webhook-timestamp': '1e9' } }, /number of seconds/],
    ['no id', { headers: { ...sign(), 'webhook-id': '' } }, /webhook-id is missing/],
    ['no signature', { headers: { ...sign(), 'webhook-signature': undefined } }, /webhook-signature is missing/],
    ['a signature that is no Base64', { headers: { ...sign(), 'webhook-signature': 'v1,%%%' } }, /No signature/],
    ['one without a version', { headers: { ...sign(), 'webhook-signature': 'abc' } }, /No signature/],
    [
      'one of another version',
      { headers: { ...sign(), 'webhook-signature': sign()['webhook-signature']!.replace('v1', 'v2') } },
      /No sig/,
    ],
    [
      'one that is cut short',
      { headers: { ...sign(), 'webhook-signature': sign()['webhook-signature']!.slice(0, -4) } },
      /No sig/,
    ],
  ]
  for (const [why, delivery, message] of refused) {
    test(`refuses ${why}`, async () => {
      const verified = verifyWebhook({ headers: sign(), body, secret, now, ...delivery })
      await assert.rejects(verified, (error) => error instanceof WebhookError && message.test(error.message))
    })
  }

  test('says so when the secret is none, which is the receiver’s own mistake', async () => {
    for (const wrong of ['', 'whsec_', 'whsec_%%%']) {
      await assert.rejects(verifyWebhook({ headers: sign(), body, secret: wrong, now }), TypeError)
    }
  })
})

describe('a receiver with the client', () => {
  let tests: DeliveryTests

  before(async () => {
    tests = await startDeliveryTests()
  })
  after(() => tests.stop())

  test('believes the service’s own deliveries, also while the secret is being changed', async () => {
    const { service } = tests
    const receiver = await tests.startReceiver()
    await tests.work()
    const acme = await service.createTenant()
    const login = { login: acme.administratorEmail, password: PASSWORD }
    const countersign = connect({ url: service.url, key: acme.key, login })
    const subscription = { eventType: 'signaturerequestcreated', uri: receiver.url } as const
    const { id: subscriptionId, secret: first } = await countersign.createSubscription(subscription)
    const { id: SignatureRequestId } = await countersign.createSignatureRequest({ subject: 'Lease' })
    await tests.until(() => receiver.received.length > 0)
    const event = await verifyWebhook({ ...receiver.received[0]!, secret: first })
    assert.equal(event.EventType, 'signaturerequestcreated')
    assert.equal(event.EventData.SignatureRequestId, SignatureRequestId)
    assert.equal(event.isTest, false)

    const { secret: second } = await countersign.rotateSubscriptionSecret({ subscriptionId })
    await countersign.testSubscription({ subscriptionId })
    await tests.until(() => receiver.received.length > 1)
    for (const known of [first, second]) {
      assert.equal((await verifyWebhook({ ...receiver.received[1]!, secret: known })).isTest, true)
    }
  })
})
