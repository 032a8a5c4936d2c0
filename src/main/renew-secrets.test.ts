import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ensureInstallation, ensureTenantAuthority, findSealSigner } from '#features/certificates/index.ts'
import { openReceiver } from '#features/hooks/delivery-request.ts'
import { keyOf } from '#features/hooks/sign-delivery.ts'
import { listReceivers } from '#features/hooks/hook-statements.ts'
import { linkToken } from '#features/signing/links.ts'
import { signWith } from '#pki/raw-signer.ts'
import type { Platform } from '#platform/platform.ts'
import { SECRET_KEY, startService, type TestService, type TestTenant } from '../../test/service.ts'
import { Browser, invite, linkOf } from '../../test/signing-flow.ts'
import { makePlatform } from './platform.ts'
import { recurringTasks } from './jobs.ts'
import { renewSecrets } from './renew-secrets.ts'

const NEW_KEY = 'another secret key that is used in tests alone'

describe('a change of the secret key', () => {
  let service: TestService
  let tenant: TestTenant
  let worker: Platform
  before(async () => {
    service = await startService()
    worker = service.startWorker().platform
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  /** The worker's platform as it would be after a restart with these keys. */
  function restarted(secretKey: string, previousSecretKey?: string): Platform {
    const { config, db, blobs, log, clock } = worker
    return makePlatform({ config: { ...config, previousSecretKey }, secretKey, db, blobs, log, clock })
  }

  test('encrypts everything anew, so that the previous key can be dropped', async () => {
    const { tenantId, rootDepartmentId: departmentId } = tenant
    const now = service.clock.now()
    const subscription = await tenant.asAdministrator('POST', '/hooks/v1/subscription', {
      uri: 'https://example.com/hook',
      eventType: 'signaturerequestcompleted',
      headers: { 'X-Own': 'a secret of theirs' },
    })
    assert.equal(subscription.status, 202, subscription.text)
    const { id: subscriptionId, secret } = subscription.json
    await ensureTenantAuthority(worker, { tenantId, now })
    const { requestId, signatoryIds } = await invite(tenant)
    const signatoryId = signatoryIds[0]!
    const mailed = await linkOf(tenant, requestId, signatoryId)

    const during = restarted(NEW_KEY, SECRET_KEY)
    const first = await renewSecrets(during)
    assert.ok(first.privateKeys >= 6, 'root, timestamps, responders, issuing authority, seal')
    assert.deepEqual([first.hooks, first.links], [1, 1])
    assert.deepEqual(await renewSecrets(during), { privateKeys: 0, hooks: 0, links: 0 }, 'a second time does nothing')

    const later = restarted(NEW_KEY)
    const signer = await findSealSigner(later, { tenantId, departmentId, now })
    assert.ok((await signWith(signer, Buffer.from('anything'))).length > 0)
    await ensureInstallation(later, now)
    await later.db.transaction(tenantId, async (tx) => {
      const [row] = await listReceivers.many(tx, { tenantId, subscriptionIds: [subscriptionId] })
      const receiver = openReceiver(later.keyring, tenantId, row!, now)
      assert.ok(receiver.keys[0]!.equals(keyOf(secret)))
      assert.deepEqual(receiver.headers, { 'X-Own': 'a secret of theirs' })
    })
    const token = linkToken(later.keyring, { tenantId, signatoryId, generation: 1 })
    for (const link of [mailed, `${service.url}/sign/${token}`]) {
      assert.equal(
        (await new Browser(service.url).open(link)).status,
        204,
        'the link in the mail, and one of a reminder',
      )
    }
    await tenant.call('POST', `/signing/signaturerequest/${requestId}/cancel`)
    for (const link of [mailed, `${service.url}/sign/${token}`]) {
      assert.equal((await new Browser(service.url).open(link)).json.state, 'canceled', 'both die together')
    }
  })

  test('is worked on by the worker for as long as the previous key is configured, and at once', () => {
    const names = (platform: Platform) => recurringTasks(platform).map(({ name }) => name)
    const during = restarted(NEW_KEY, SECRET_KEY)
    const isRenewal = (name: string) => name.startsWith('encrypt secrets')
    assert.deepEqual(names(during).filter(isRenewal), [`encrypt secrets under key ${during.keyring.presentKey}`])
    assert.deepEqual(names(restarted(NEW_KEY)).filter(isRenewal), [])
    assert.notEqual(during.keyring.presentKey, restarted(SECRET_KEY).keyring.presentKey)
  })
})
