import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ConsoleBrowser, signedIn } from '../../../test/console-browser.ts'
import { PasskeyDevice, type Lies } from '../../../test/fakes/passkey-device.ts'
import { PASSWORD, startService, type Reply, type TestService, type TestTenant } from '../../../test/service.ts'

const MINUTE_MS = 60_000

describe('passkeys', () => {
  let service: TestService
  let acme: TestTenant
  /** Passkeys belong to a name; the tests' service listens at an address of digits. */
  let url: string

  before(async () => {
    service = await startService({ COUNTERSIGN_RATE_LIMIT: '1000000' })
    acme = await service.createTenant('Acme')
    url = service.url.replace('127.0.0.1', 'localhost')
  })
  after(() => service.stop())

  const browser = () => new ConsoleBrowser(url)
  const device = () => new PasskeyDevice(url)

  async function freshUser(name: string) {
    const email = `${name}@example.com`
    const { json: user } = await acme.asAdministrator('POST', '/onboarding/user', { email })
    const { json } = await acme.asAdministrator('POST', `/onboarding/user/${user.id}/invitation`)
    await browser().call('POST', '/console/password', { token: json.token, password: PASSWORD })
    return { id: user.id as string, email, page: await signedIn(url, email) }
  }

  function requireRefusal({ status, json }: Reply, expected: number, code: number): void {
    assert.deepEqual({ status, code: json?.code }, { status: expected, code })
  }

  const offer = (page: ConsoleBrowser, password = PASSWORD) =>
    page.call('POST', '/console/factor/passkey', { password })
  const confirm = (page: ConsoleBrowser, credential: unknown, name = 'Laptop') =>
    page.call('POST', '/console/factor/passkey/confirm', { name, credential })

  async function withPasskey(name: string) {
    const user = await freshUser(name)
    const key = device()
    const reply = await confirm(user.page, key.create((await offer(user.page)).json))
    assert.equal(reply.status, 200, reply.text)
    return { ...user, key, recoveryCodes: reply.json.recoveryCodes as string[] }
  }

  /** The password alone, and what a device is then asked. */
  async function asked(email: string) {
    const { json } = await browser().signIn(email)
    assert.equal(json.state, 'CodeNeeded')
    return json.passkey
  }
  const signInWith = (email: string, passkey: unknown, password = PASSWORD) =>
    browser().signIn(email, password, { passkey })

  test('a passkey is asked for after the password, and lets its owner in', async () => {
    const { email, key, page } = await withPasskey('ada')
    const { json } = await browser().signIn(email)
    assert.deepEqual([json.state, json.factors], ['CodeNeeded', ['Passkey', 'RecoveryCode']])
    assert.deepEqual(json.passkey.allowCredentials, [
      { type: 'public-key', id: key.credentialId.toString('base64url'), transports: ['internal'] },
    ])
    assert.equal((await signInWith(email, key.get(json.passkey))).json.state, 'SignedIn')
    const { json: factor } = await page.call('GET', '/console/factor')
    assert.deepEqual([factor.isOn, factor.appSinceDate, factor.recoveryCodesLeft], [true, null, 10])
    assert.equal(factor.passkeys[0].name, 'Laptop')
    assert.ok(factor.passkeys[0].lastUsedDate)
  })

  test('the first comes with recovery codes, which let in without it; the second with none', async () => {
    const { email, page, recoveryCodes } = await withPasskey('careful')
    assert.equal(new Set(recoveryCodes).size, 10)
    const second = await confirm(page, device().create((await offer(page)).json), 'Telephone')
    assert.equal(second.json.recoveryCodes, null)
    const code = recoveryCodes[0]
    assert.equal((await browser().signIn(email, PASSWORD, { code })).json.state, 'SignedIn')
    requireRefusal(await browser().signIn(email, PASSWORD, { code }), 401, 5501)
  })

  test('tokens ask for a code too: the password alone gives none', async () => {
    const { email, recoveryCodes } = await withPasskey('programmer')
    const body = { login: email, password: PASSWORD }
    assert.equal((await acme.call('POST', '/identity/login', body)).status, 204)
    assert.equal((await acme.call('POST', '/identity/login', { ...body, code: recoveryCodes[0] })).status, 200)
  })

  describe('is not added', () => {
    test('without the password', async () => {
      const { page } = await freshUser('unlocked')
      requireRefusal(await offer(page, 'wrong'), 400, 1502)
    })

    const wrong: [what: string, lies: Lies][] = [
      ['for another site', { origin: 'https://evil.example' }],
      ['for another host name', { rpId: 'evil.example' }],
      ['as a sign-in', { type: 'webauthn.get' }],
      ['without anybody there', { flags: 0 }],
      ['with an attestation that we did not ask for', { format: 'fido-u2f' }],
    ]
    for (const [what, lies] of wrong) {
      test(`when the device made it ${what}`, async () => {
        const { page } = await freshUser(`wrong-${Object.keys(lies)[0]}`)
        requireRefusal(await confirm(page, device().create((await offer(page)).json, lies)), 400, 1504)
        assert.equal((await page.call('GET', '/console/factor')).json.isOn, false)
      })
    }

    test('for what is no answer of a device at all', async () => {
      const { page } = await freshUser('garbled')
      const response = { clientDataJSON: 'e30', attestationObject: 'AAAA' }
      requireRefusal(await confirm(page, { id: 'AAAA', response }), 400, 1504)
      const { json } = await offer(page)
      const credential = device().create(json)
      credential.response.attestationObject = credential.response.attestationObject.slice(0, 60)
      requireRefusal(await confirm(page, credential), 400, 1504)
    })

    test('twice with one challenge, also of many at once', async () => {
      const { page } = await freshUser('hasty')
      const { json } = await offer(page)
      const replies = await Promise.all([1, 2, 3, 4].map(() => confirm(page, device().create(json))))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400, 400])
    })

    test('with a challenge of another session, or of another person', async () => {
      const { email, page } = await freshUser('split')
      const { page: stranger } = await freshUser('stranger')
      const credential = device().create((await offer(page)).json)
      requireRefusal(await confirm(await signedIn(url, email), credential), 400, 1504)
      requireRefusal(await confirm(stranger, credential), 400, 1504)
      assert.equal((await confirm(page, credential)).status, 200)
    })

    test('when it comes too late', async () => {
      const { page } = await freshUser('slow')
      const credential = device().create((await offer(page)).json)
      service.clock.advance(6 * MINUTE_MS)
      requireRefusal(await confirm(page, credential), 400, 1504)
    })

    test('a second time, or beyond ten', async () => {
      const { page, key } = await withPasskey('collector')
      requireRefusal(await confirm(page, key.create((await offer(page)).json)), 400, 3510)
      for (let count = 1; count < 10; count++) {
        // Whoever has a factor is not let off the count by the password alone.
        if (count === 5) service.clock.advance(16 * MINUTE_MS)
        assert.equal((await confirm(page, device().create((await offer(page)).json))).status, 200)
      }
      requireRefusal(await offer(page), 400, 3510)
    })

    test('where the service is called by digits: the refusal says what to do', async () => {
      const { email } = await freshUser('digits')
      const reply = await offer(await signedIn(service.url, email))
      requireRefusal(reply, 400, 7512)
      assert.match(reply.json.message, /localhost/)
    })
  })

  describe('does not let in', () => {
    test('with the wrong password', async () => {
      const { email, key } = await withPasskey('locked')
      requireRefusal(await signInWith(email, key.get(await asked(email)), 'wrong'), 401, 5500)
    })

    const wrong: [what: string, lies: Lies][] = [
      ['at another site', { origin: 'https://evil.example' }],
      ['for another host name', { rpId: 'evil.example' }],
      ['for a new passkey', { type: 'webauthn.create' }],
      ['with nobody there', { flags: 0 }],
      ['with a count that does not rise: a copy', { counter: 0 }],
    ]
    for (const [what, lies] of wrong) {
      test(`what was signed ${what}`, async () => {
        const { email, key } = await withPasskey(`signed-${Object.keys(lies)[0]}`)
        assert.equal((await signInWith(email, key.get(await asked(email)))).status, 200)
        requireRefusal(await signInWith(email, key.get(await asked(email), lies)), 401, 5501)
      })
    }

    test('another device, also under the name of the right one', async () => {
      const { email, key } = await withPasskey('robbed')
      const other = device()
      requireRefusal(await signInWith(email, other.get(await asked(email))), 401, 5501)
      const forged = { ...other.get(await asked(email)), id: key.credentialId.toString('base64url') }
      requireRefusal(await signInWith(email, forged), 401, 5501)
    })

    test('one answer twice, also of many at once, nor one of another person’s attempt', async () => {
      const [{ email, key }, bob] = [await withPasskey('replayed'), await withPasskey('bob')]
      const answer = key.get(await asked(email))
      const replies = await Promise.all([1, 2, 3, 4].map(() => signInWith(email, answer)))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401])
      requireRefusal(await signInWith(email, key.get(await asked(bob.email))), 401, 5501)
    })

    test('an answer that comes too late', async () => {
      const { email, key } = await withPasskey('late')
      const answer = key.get(await asked(email))
      service.clock.advance(6 * MINUTE_MS)
      requireRefusal(await signInWith(email, answer), 401, 5501)
    })

    test('and counts together with wrong passwords', async () => {
      const { email, key } = await withPasskey('attacked')
      const answer = device().get(await asked(email))
      for (let count = 0; count < 9; count++) requireRefusal(await signInWith(email, answer), 401, 5501)
      requireRefusal(await signInWith(email, key.get({ rpId: 'localhost', challenge: 'AAAA' })), 429, 1500)
    })
  })

  test('is removed with the password; with the last one go the recovery codes, and the password is enough', async () => {
    const { id: userId, email, page } = await withPasskey('changing')
    const [{ id }] = (await page.call('GET', '/console/factor')).json.passkeys
    const { page: stranger } = await freshUser('thief')
    const remove = (by: ConsoleBrowser, password: string) =>
      by.call('DELETE', `/console/factor/passkey/${id}`, { password })
    requireRefusal(await remove(page, 'wrong'), 400, 1502)
    requireRefusal(await remove(stranger, PASSWORD), 400, 2000)
    assert.equal((await remove(page, PASSWORD)).status, 204)
    assert.equal((await page.call('GET', '/console/factor')).json.recoveryCodesLeft, 0)
    await signedIn(url, email)
    const { json } = await acme.asAdministrator('GET', '/activity?targetType=user')
    const own = json.items.filter(({ target }: { target: { id: string } }) => target.id === userId)
    const deeds = own.map(({ action }: { action: string }) => action)
    assert.ok(deeds.includes('user.passkeyadded') && deeds.includes('user.passkeyremoved'), deeds.join())
  })

  test('stays when the authenticator app is removed, with its recovery codes', async () => {
    const { email, page } = await withPasskey('both')
    await page.call('DELETE', '/console/factor', { password: PASSWORD })
    assert.equal((await page.call('GET', '/console/factor')).json.recoveryCodesLeft, 10)
    assert.equal((await browser().signIn(email)).json.state, 'CodeNeeded')
  })

  test('belongs to the public address where there is one', async () => {
    const published = await startService({ COUNTERSIGN_PUBLIC_URL: 'https://sign.example.com' })
    try {
      const tenant = await published.createTenant()
      const page = await signedIn(published.url, tenant.administratorEmail)
      const { json } = await offer(page)
      assert.equal(json.rp.id, 'sign.example.com')
      requireRefusal(await confirm(page, new PasskeyDevice(published.url).create(json)), 400, 1504)
      const again = (await offer(page)).json
      assert.equal((await confirm(page, new PasskeyDevice('https://sign.example.com').create(again))).status, 200)
    } finally {
      await published.stop()
    }
  })
})
