import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ConsoleBrowser } from '../../../test/console-browser.ts'
import { leastOf } from '../../../test/least-of.ts'
import { compareTimes } from '../../../test/same-time.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'

const TIMES = 50
/** Of a few milliseconds, which are nearly twice as many where the message is sent before the answer. */
const AS_FAST = 1.4

describe('asking for a forgotten password', () => {
  let service: TestService
  let acme: TestTenant
  let asked = 0

  before(async () => {
    service = await startService({ COUNTERSIGN_TRUST_PROXY: '127.0.0.1' })
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  /** Long enough after the last one for another message, and from elsewhere: an address may ask 20 times a minute. */
  async function ask(login: string): Promise<void> {
    service.clock.advance(10 * 60 * 1000)
    const headers = { 'x-forwarded-for': `198.51.100.${asked++ % 250}` }
    const browser = new ConsoleBrowser(service.url)
    const { status } = await browser.call('POST', '/console/password/forgotten', { login }, { headers })
    assert.equal(status, 202)
  }

  test('is answered as fast for an unknown login as for a known one', async (t) => {
    const pair = { first: () => ask(acme.administratorEmail), second: () => ask('nobody@example.com') }
    await compareTimes(pair, 5)
    const ratio = await leastOf(() => compareTimes(pair, TIMES), { below: AS_FAST })
    t.diagnostic(`${ratio.toFixed(2)} times as long, n = ${TIMES} of each`)
    assert.ok(ratio < AS_FAST, `${ratio} times as long`)
    await until(
      'the messages: there was something to do',
      async () => {
        const sent = await service.database.asOwner(`select from message where kind = 'passwordreset'`)
        return sent.length > TIMES
      },
      { withinMs: 10_000 },
    )
  })
})
