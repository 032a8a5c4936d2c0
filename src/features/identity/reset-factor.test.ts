import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ConsoleBrowser, signedIn } from '../../../test/console-browser.ts'
import { PasskeyDevice } from '../../../test/fakes/passkey-device.ts'
import { PASSWORD, startService, type Reply, type TestService, type TestTenant } from '../../../test/service.ts'

describe('second factors that somebody has lost', () => {
  let service: TestService
  let acme: TestTenant
  let url: string

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    url = service.url.replace('127.0.0.1', 'localhost')
  })
  after(() => service.stop())

  const reset = (userId: string) => acme.asAdministrator('DELETE', `/onboarding/user/${userId}/factor`)

  function requireRefusal({ status, json }: Reply, expected: number, code: number): void {
    assert.deepEqual({ status, code: json?.code }, { status: expected, code })
  }

  async function withPasskey(page: ConsoleBrowser): Promise<PasskeyDevice> {
    const device = new PasskeyDevice(url)
    const { json: offer } = await page.call('POST', '/console/factor/passkey', { password: PASSWORD })
    const body = { name: 'Lost telephone', credential: device.create(offer) }
    assert.equal((await page.call('POST', '/console/factor/passkey/confirm', body)).status, 200)
    return device
  }

  async function freshUser(name: string) {
    const email = `${name}@example.com`
    const { json: user } = await acme.asAdministrator('POST', '/onboarding/user', { email })
    const { json } = await acme.asAdministrator('POST', `/onboarding/user/${user.id}/invitation`)
    await acme.call('POST', '/identity/password', { token: json.token, password: PASSWORD })
    return { id: user.id as string, email, page: await signedIn(url, email) }
  }

  const listed = async (email: string) =>
    (await acme.asAdministrator('GET', `/onboarding/user?email=${email}`)).json.items[0]

  test('are taken away by an administrator: the password is enough, sessions have ended, and it is on record', async () => {
    const { id, email, page } = await freshUser('ada')
    await withPasskey(page)
    assert.equal((await listed(email)).hasSecondFactor, true)
    assert.equal((await new ConsoleBrowser(url).signIn(email)).json.state, 'CodeNeeded')
    assert.equal((await reset(id)).status, 204)
    assert.equal((await listed(email)).hasSecondFactor, false)
    requireRefusal(await page.call('GET', '/identity/me'), 401, 5003)
    const again = await signedIn(url, email)
    assert.equal((await again.call('GET', '/console/factor')).json.recoveryCodesLeft, 0)
    const { json } = await acme.asAdministrator('GET', '/activity?targetType=user')
    const [deed] = json.items.filter(({ action }: { action: string }) => action === 'user.factorreset')
    assert.deepEqual([deed.actor.id, deed.target.id], [acme.administratorId, id])
    assert.deepEqual(deed.details, { app: false, passkeys: 1 })
  })

  test('of somebody who has none: nothing happens', async () => {
    const { id, page } = await freshUser('bob')
    assert.equal((await reset(id)).status, 204)
    assert.equal((await page.call('GET', '/identity/me')).status, 200)
  })

  test('of oneself are refused: a browser that was left alone can not take them away', async () => {
    requireRefusal(await reset(acme.administratorId), 400, 7513)
  })
})
