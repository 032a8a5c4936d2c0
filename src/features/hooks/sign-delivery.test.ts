// The verifiers that receivers install judge our signatures, not code of ours.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { newId } from '#platform/ids.ts'
import { keyOf, SECRET_PREFIX, signatureHeaders } from './sign-delivery.ts'

const newSecret = () => SECRET_PREFIX + randomBytes(32).toString('base64')
const body = JSON.stringify({ EventType: 'signatorysigned', EventData: { Name: 'Ääkköset 🖋️' } })

describe('the signature of a delivery', () => {
  for (const [name, Webhook] of [
    ['standardwebhooks', StandardWebhook],
    ['svix', SvixWebhook],
  ] as const) {
    test(`is accepted by ${name}, also with two secrets alive, by whoever has either`, () => {
      const [present, previous] = [newSecret(), newSecret()]
      const headers = signatureHeaders({ id: newId(), at: new Date(), body, keys: [keyOf(present), keyOf(previous)] })
      for (const secret of [present, previous]) {
        assert.doesNotThrow(() => new Webhook(secret).verify(body, headers))
      }
    })

    test(`is refused by ${name} for another body, another id, another secret, or a time long past`, () => {
      const secret = newSecret()
      const headers = signatureHeaders({ id: newId(), at: new Date(), body, keys: [keyOf(secret)] })
      const old = signatureHeaders({ id: newId(), at: new Date(Date.now() - 3_600_000), body, keys: [keyOf(secret)] })
      assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
      assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': newId() }))
      assert.throws(() => new Webhook(newSecret()).verify(body, headers))
      assert.throws(() => new Webhook(secret).verify(body, old))
    })
  }
})
