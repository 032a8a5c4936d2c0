import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { startSmsGateway, type FakeSmsGateway } from '../../../test/fakes/sms-gateway.ts'
import { PermanentRefusal } from '#platform/mail/mailer.ts'
import { openSmsGateway } from './sms-gateway.ts'

const MESSAGE = { to: '+358401234567', text: 'Your code is 123456', id: 'message-1' }

describe('the SMS gateway', () => {
  let fake: FakeSmsGateway
  before(async () => {
    fake = await startSmsGateway()
  })
  after(() => fake.stop())
  beforeEach(() => {
    fake.received.length = 0
    fake.statuses.length = 0
  })

  const gateway = (body: unknown = { to: '{to}', text: '{text}' }, url = fake.url) =>
    openSmsGateway({ url, headers: { authorization: 'Bearer abc' }, body })

  test('gets number and text where the template says', async () => {
    await gateway({ messages: [{ to: ['{to}'], body: 'Sign: {text}' }], priority: 1 }).send(MESSAGE)
    const [{ headers, body }] = fake.received as [(typeof fake.received)[number]]
    assert.deepEqual(body, { messages: [{ to: ['+358401234567'], body: 'Sign: Your code is 123456' }], priority: 1 })
    assert.equal(headers.authorization, 'Bearer abc')
    assert.equal(headers['idempotency-key'], 'message-1')
    assert.equal(headers['content-type'], 'application/json')
  })

  test('gets what looks like a marker, a quotation mark or a line break as it is', async () => {
    const text = '{to} "quoted"\n\\ {{7*7}} ${7*7} <%=7*7%> #{7*7}'
    await gateway().send({ ...MESSAGE, text })
    assert.deepEqual(fake.received[0]!.body, { to: '+358401234567', text })
  })

  for (const status of [400, 404, 410, 422]) {
    test(`that answers ${status} has said its last word`, async () => {
      fake.statuses.push(status)
      await assert.rejects(gateway().send(MESSAGE), PermanentRefusal)
    })
  }

  for (const status of [302, 401, 408, 429, 500, 503]) {
    test(`that answers ${status} is asked again`, async () => {
      fake.statuses.push(status)
      await assert.rejects(gateway().send(MESSAGE), (error) => !(error instanceof PermanentRefusal))
      await gateway().send(MESSAGE)
      assert.equal(fake.received.length, 2, 'no redirect was followed')
    })
  }

  test('that is not there is asked again', async () => {
    await assert.rejects(gateway(undefined, 'http://127.0.0.1:1/').send(MESSAGE), /can not be reached/)
  })

  test('gets nothing for what is no phone number', async () => {
    await assert.rejects(gateway().send({ ...MESSAGE, to: '+358401234567,+358401234568' }), PermanentRefusal)
    assert.deepEqual(fake.received, [])
  })
})
