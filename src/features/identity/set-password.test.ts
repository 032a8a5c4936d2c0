import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeCaller, PASSWORD, startService, type TestService, type TestTenant } from '../../../test/service.ts'

const PATH = '/identity/password'
const NEW_PASSWORD = 'an entirely new password'

describe('setting a password', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let names = 0

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  async function makeUser() {
    const email = `user-${names++}@example.com`
    const { json } = await acme.asAdministrator('POST', '/onboarding/user', { email })
    return { id: json.id as string, email }
  }
  const invite = async (userId: string) =>
    (await acme.asAdministrator('POST', `/onboarding/user/${userId}/invitation`)).json
  const logIn = (email: string, password: string) => acme.call('POST', '/identity/login', { login: email, password })

  test('by an invitation lets the user in', async () => {
    const { id, email } = await makeUser()
    const { token, expiresAt } = await invite(id)
    assert.match(token, /^[\w-]{43}$/)
    assert.ok(new Date(expiresAt) > service.clock.now())
    const reply = await acme.call('POST', PATH, { token, password: PASSWORD })
    assert.deepEqual([reply.status, reply.text], [204, ''])
    assert.equal((await logIn(email, PASSWORD)).status, 200)
  })

  test('stores neither the token nor the password', async () => {
    const { id } = await makeUser()
    const { token } = await invite(id)
    const [credential] = await service.database.asOwner('select hash from credential where ref_id = $1', [id])
    assert.ok(!(credential!.hash as Buffer).equals(Buffer.from(token, 'base64url')))
    await acme.call('POST', PATH, { token, password: PASSWORD })
    const [row] = await service.database.asOwner('select password_hash from app_user where id = $1', [id])
    assert.match(String(row!.password_hash), /^\$argon2id\$/)
  })

  test('uses the token up, also for ten at once', async () => {
    const { id } = await makeUser()
    const { token } = await invite(id)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        acme.call('POST', PATH, { token, password: `a password of racer ${index}` }),
      ),
    )
    assert.equal(replies.filter((reply) => reply.status === 204).length, 1)
    for (const { status, json } of replies.filter((reply) => reply.status !== 204)) {
      assert.deepEqual([status, json.code], [400, 1501])
    }
  })

  test('refuses tokens that are unknown, replaced, of another tenant or of a deactivated user', async () => {
    const { id } = await makeUser()
    const replaced = (await invite(id)).token
    const foreign = await makeUser()
    const deactivated = await makeUser()
    const { token: deactivatedToken } = await invite(deactivated.id)
    await acme.asAdministrator('PATCH', `/onboarding/user/${deactivated.id}`, { isActive: false })
    service.clock.advance(1)
    const { token } = await invite(id)
    const { token: foreignToken } = await invite(foreign.id)
    const password = NEW_PASSWORD
    const refused = [
      await acme.call('POST', PATH, { token: 'unknown', password }),
      await acme.call('POST', PATH, { token: replaced, password }),
      await acme.call('POST', PATH, { token: deactivatedToken, password }),
      await other.call('POST', PATH, { token: foreignToken, password }),
    ]
    for (const { status, json } of refused) assert.deepEqual([status, json.code], [400, 1501])
    assert.equal((await acme.call('POST', PATH, { token, password })).status, 204)
  })

  test('refuses weak passwords and malformed bodies, and leaves the token good', async () => {
    const { id } = await makeUser()
    const { token } = await invite(id)
    const bodies: unknown[] = [
      undefined,
      {},
      { token },
      { password: PASSWORD },
      { token, password: 'too short' },
      { token, password: 'x'.repeat(257) },
      { token, password: '123456789012' },
      { token, password: 'aaaaaaaaaaaaaaaa' },
    ]
    for (const body of bodies) {
      const { status, json } = await acme.call('POST', PATH, body)
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal(json.code, 1000)
    }
    assert.equal((await acme.call('POST', PATH, { token, password: PASSWORD })).status, 204)
  })

  test('again, by a reset, ends the tokens and the failures that were there', async () => {
    const { id, email } = await makeUser()
    await acme.call('POST', PATH, { token: (await invite(id)).token, password: PASSWORD })
    const { token: old } = (await logIn(email, PASSWORD)).json
    const callWith = (token: string) =>
      makeCaller(service.url, { 'ocp-apim-subscription-key': acme.key, authorization: `Bearer ${token}` })
    assert.equal((await callWith(old)('GET', '/identity/me')).status, 200)
    for (let failure = 1; failure <= 10; failure++) await logIn(email, 'a wrong guess')
    assert.equal((await logIn(email, PASSWORD)).status, 429)

    const { token } = await invite(id)
    assert.equal((await acme.call('POST', PATH, { token, password: NEW_PASSWORD })).status, 204)
    assert.equal((await callWith(old)('GET', '/identity/me')).status, 401)
    assert.equal((await logIn(email, PASSWORD)).status, 204)
    const { json } = await logIn(email, NEW_PASSWORD)
    assert.equal((await callWith(json.token)('GET', '/identity/me')).status, 200)
  })

  test('comes too late a week after the invitation, and an hour after a reset', async () => {
    const [invited, reset] = [await makeUser(), await makeUser()]
    await acme.call('POST', PATH, { token: (await invite(reset.id)).token, password: PASSWORD })
    const tokens = [(await invite(reset.id)).token, (await invite(invited.id)).token]
    service.clock.advance(60 * 60 * 1000)
    assert.equal((await acme.call('POST', PATH, { token: tokens[0], password: NEW_PASSWORD })).json.code, 1501)
    service.clock.advance(7 * 24 * 60 * 60 * 1000)
    assert.equal((await acme.call('POST', PATH, { token: tokens[1], password: NEW_PASSWORD })).json.code, 1501)
  })
})
