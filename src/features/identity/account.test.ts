import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ConsoleBrowser, signedIn } from '../../../test/console-browser.ts'
import { PASSWORD, startService, type Reply, type TestService, type TestTenant } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { codeOfStep } from './totp.ts'

const STEP_MS = 30_000
const NEW_PASSWORD = 'another good password'

describe('a person’s own account', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService({ COUNTERSIGN_RATE_LIMIT: '1000000' }, { worker: true })
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  const browser = () => new ConsoleBrowser(service.url)

  async function freshUser(name: string, hasPassword = true) {
    const email = `${name}@example.com`
    const { json: user } = await acme.asAdministrator('POST', '/onboarding/user', { email })
    if (hasPassword) {
      const { json } = await acme.asAdministrator('POST', `/onboarding/user/${user.id}/invitation`)
      const reply = await browser().call('POST', '/console/password', { token: json.token, password: PASSWORD })
      assert.equal(reply.status, 204, reply.text)
    }
    return { id: user.id as string, email }
  }

  function requireRefusal({ status, json }: Reply, expected: number, code: number): void {
    assert.deepEqual({ status, code: json?.code }, { status: expected, code })
  }

  /** The messages to somebody, newest first, as an administrator reads them in the outbox. */
  async function messagesTo(email: string, kind: string) {
    const { json } = await acme.asAdministrator('GET', '/messages?state=outbox&take=500')
    type Listed = { id: string; kind: string; recipient: string | null }
    return (json.items as Listed[]).filter((message) => message.kind === kind && message.recipient === email)
  }

  describe('a password by a link', () => {
    test('is set once, without a key, and lets the person in', async () => {
      const { id, email } = await freshUser('invited', false)
      const { json } = await acme.asAdministrator('POST', `/onboarding/user/${id}/invitation`)
      const body = { token: json.token, password: PASSWORD }
      assert.equal((await browser().call('POST', '/console/password', body)).status, 204)
      requireRefusal(await browser().call('POST', '/console/password', body), 400, 1501)
      await signedIn(service.url, email)
    })

    test('is refused for an unknown token, a bad password, and from elsewhere', async () => {
      const { id } = await freshUser('careless', false)
      const { json } = await acme.asAdministrator('POST', `/onboarding/user/${id}/invitation`)
      const post = (body: unknown, headers = {}) => browser().call('POST', '/console/password', body, { headers })
      requireRefusal(await post({ token: 'nonsense', password: PASSWORD }), 400, 1501)
      requireRefusal(await post({ token: json.token, password: 'short' }), 400, 1000)
      requireRefusal(
        await post({ token: json.token, password: PASSWORD }, { origin: 'https://evil.example' }),
        403,
        6006,
      )
      assert.equal((await post({ token: json.token, password: PASSWORD })).status, 204)
    })

    test('of ten calls with one token, one sets the password', async () => {
      const { id } = await freshUser('hasty', false)
      const { json } = await acme.asAdministrator('POST', `/onboarding/user/${id}/invitation`)
      const body = { token: json.token, password: PASSWORD }
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => browser().call('POST', '/console/password', body)),
      )
      assert.equal(replies.filter(({ status }) => status === 204).length, 1)
    })
  })

  describe('a forgotten password', () => {
    const forget = (login: string, headers = {}) =>
      browser().call('POST', '/console/password/forgotten', { login }, { headers })

    test('sends a link, and the same answer to everybody', async () => {
      const { email } = await freshUser('forgetful')
      const [known, unknown] = [await forget(email.toUpperCase()), await forget('nobody@example.com')]
      assert.deepEqual([known.status, known.text], [202, ''])
      assert.deepEqual([unknown.status, unknown.text], [202, ''])
      const [message] = await until('the message', async () => {
        const found = await messagesTo(email, 'passwordreset')
        return found.length > 0 && found
      })
      const { json } = await acme.asAdministrator('GET', `/messages/${message!.id}`)
      assert.match(json.subject, /new password/)
      const token = new URL(json.url).hash.slice(1)
      assert.equal((await browser().call('POST', '/console/password', { token, password: NEW_PASSWORD })).status, 204)
      requireRefusal(await browser().signIn(email), 401, 5500)
      await signedIn(service.url, email, NEW_PASSWORD)
    })

    test('sends one message within five minutes, however often somebody clicks', async () => {
      const { email } = await freshUser('impatient')
      for (let count = 0; count < 5; count++) await forget(email)
      await until('the message', async () => (await messagesTo(email, 'passwordreset')).length > 0)
      assert.equal((await messagesTo(email, 'passwordreset')).length, 1)
    })

    test('is refused from elsewhere', async () => {
      requireRefusal(await forget('ada@example.com', { origin: 'https://evil.example' }), 403, 6006)
    })
  })

  describe('a new password', () => {
    const change = (page: ConsoleBrowser, currentPassword: string, newPassword: string) =>
      page.call('PUT', '/console/password', { currentPassword, newPassword })

    test('ends every other session, and keeps the browser that set it', async () => {
      const { email } = await freshUser('tidy')
      const [here, there] = [await signedIn(service.url, email), await signedIn(service.url, email)]
      const before = here.cookie
      assert.equal((await change(here, PASSWORD, NEW_PASSWORD)).status, 204)
      assert.notEqual(here.cookie, before)
      assert.equal((await here.call('GET', '/identity/me')).status, 200)
      requireRefusal(await there.call('GET', '/identity/me'), 401, 5003)
      requireRefusal(await here.call('GET', '/identity/me', undefined, { headers: { cookie: before! } }), 401, 5003)
    })

    test('asks for the old one, and for a good one', async () => {
      const { email } = await freshUser('guesser')
      const page = await signedIn(service.url, email)
      requireRefusal(await change(page, 'not this one', NEW_PASSWORD), 400, 1502)
      requireRefusal(await change(page, PASSWORD, 'short'), 400, 1000)
      for (let count = 0; count < 9; count++) await change(page, 'not this one', NEW_PASSWORD)
      await change(page, 'not this one', NEW_PASSWORD)
      requireRefusal(await change(page, PASSWORD, NEW_PASSWORD), 429, 1500)
    })
  })

  describe('an authenticator app', () => {
    const codeAt = (secret: Buffer, steps = 0) =>
      codeOfStep(secret, Math.floor(service.clock.now().getTime() / STEP_MS) + steps)

    /** Somebody with a second factor; every code so far has been used. */
    async function withFactor(name: string) {
      const { email, id } = await freshUser(name)
      const page = await signedIn(service.url, email)
      const { json: offer } = await page.call('POST', '/console/factor', { password: PASSWORD })
      const secret = fromBase32(offer.secret)
      const reply = await page.call('POST', '/console/factor/confirm', { code: codeAt(secret, -1) })
      assert.equal(reply.status, 200, reply.text)
      return { id, email, page, secret, recoveryCodes: reply.json.recoveryCodes as string[] }
    }

    test('is asked for after the password, and its code lets the person in', async () => {
      const { email, secret } = await withFactor('cautious')
      const page = browser()
      const asked = await page.signIn(email)
      assert.deepEqual([asked.status, asked.json.state, page.cookie], [200, 'CodeNeeded', undefined])
      requireRefusal(await page.signIn(email, 'wrong', { code: codeAt(secret) }), 401, 5500)
      requireRefusal(await page.signIn(email, PASSWORD, { code: '000000' }), 401, 5501)
      assert.equal((await page.signIn(email, PASSWORD, { code: codeAt(secret) })).json.state, 'SignedIn')
    })

    test('gives codes that are good once, also of two browsers at the same time', async () => {
      const { email, secret } = await withFactor('replayed')
      const code = codeAt(secret)
      const replies = await Promise.all([1, 2, 3, 4].map(() => browser().signIn(email, PASSWORD, { code })))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401])
    })

    test('gives recovery codes that are good once', async () => {
      const { email, recoveryCodes, page } = await withFactor('phoneless')
      assert.equal(new Set(recoveryCodes).size, 10)
      const [code] = recoveryCodes
      assert.equal((await browser().signIn(email, PASSWORD, { code: code!.toLowerCase() })).json.state, 'SignedIn')
      requireRefusal(await browser().signIn(email, PASSWORD, { code }), 401, 5501)
      assert.equal((await page.call('GET', '/console/factor')).json.recoveryCodesLeft, 9)
    })

    test('counts wrong codes together with wrong passwords', async () => {
      const { email, secret } = await withFactor('attacked')
      for (let count = 0; count < 10; count++)
        requireRefusal(await browser().signIn(email, PASSWORD, { code: '000000' }), 401, 5501)
      requireRefusal(await browser().signIn(email, PASSWORD, { code: codeAt(secret) }), 429, 1500)
    })

    test('holds for tokens too', async () => {
      const { email, secret } = await withFactor('integrated')
      const login = (code?: string) =>
        acme.call('POST', '/identity/login', { login: email, password: PASSWORD, ...(code && { code }) })
      assert.equal((await login()).status, 204)
      assert.equal((await login('000000')).status, 204)
      assert.equal((await login(codeAt(secret))).status, 200)
    })

    test('counts only once it was confirmed, by the right code', async () => {
      const { email } = await freshUser('undecided')
      const page = await signedIn(service.url, email)
      requireRefusal(await page.call('POST', '/console/factor/confirm', { code: '123456' }), 400, 7511)
      requireRefusal(await page.call('POST', '/console/factor', { password: 'wrong' }), 400, 1502)
      await page.call('POST', '/console/factor', { password: PASSWORD })
      requireRefusal(await page.call('POST', '/console/factor/confirm', { code: '000000' }), 400, 1503)
      assert.equal((await page.call('GET', '/console/factor')).json.isOn, false)
      await signedIn(service.url, email)
    })

    test('is removed with the password, and only then may another be added', async () => {
      const { email, page } = await withFactor('changing')
      requireRefusal(await page.call('POST', '/console/factor', { password: PASSWORD }), 400, 7510)
      requireRefusal(await page.call('DELETE', '/console/factor', { password: 'wrong' }), 400, 1502)
      assert.equal((await page.call('DELETE', '/console/factor', { password: PASSWORD })).status, 204)
      await signedIn(service.url, email)
      assert.equal((await page.call('POST', '/console/factor', { password: PASSWORD })).status, 200)
    })

    test('is stored encrypted, and its recovery codes as hashes', async () => {
      const { secret, recoveryCodes } = await withFactor('private')
      const apps = (await service.database.asOwner('select secret from authenticator_app')) as { secret: Buffer }[]
      assert.ok(apps.length > 0 && !apps.some((row) => row.secret.includes(secret)))
      const hashes = JSON.stringify(await service.database.asOwner(`select encode(hash, 'escape') from recovery_code`))
      assert.ok(!recoveryCodes.some((code) => hashes.includes(code.replaceAll('-', ''))))
    })
  })
})

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  )
}
