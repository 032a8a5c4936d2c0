import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ensureInstallation, ensureTenantAuthority, findSealSigner } from '#features/certificates/index.ts'
import { openReceiver } from '#features/hooks/delivery-request.ts'
import { keyOf } from '#features/hooks/sign-delivery.ts'
import { listReceivers } from '#features/hooks/hook-statements.ts'
import { findApp, offerApp } from '#features/identity/factor-statements.ts'
import { findInvitedPerson } from '#features/onboarding/credential-statements.ts'
import { invitationToken } from '#features/onboarding/invitation.ts'
import { copyToken, openCopyLinks } from '#features/signing/flow/copy-links.ts'
import { findLink } from '#features/signing/link-statements.ts'
import { linkToken } from '#features/signing/links.ts'
import { signWith } from '#pki/raw-signer.ts'
import { newId } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
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
    const second = await renewSecrets(during)
    assert.deepEqual(new Set(Object.values(second)), new Set([0]), 'a second time does nothing')

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

  test('lets links to copies and invitations go on working, those in messages that were not sent yet too', async () => {
    const { tenantId } = tenant
    const now = service.clock.now()
    const signatoryId = newId()
    const invited = await tenant.asAdministrator('POST', '/onboarding/user', { email: 'new@example.com' })
    assert.equal(invited.status, 200, invited.text)
    await worker.db.transaction(tenantId, (tx) =>
      openCopyLinks(tx, { tenantId, signatoryIds: [signatoryId], keyring: worker.keyring, now }),
    )
    await renewSecrets(restarted(NEW_KEY, SECRET_KEY))
    const later = restarted(NEW_KEY)
    const find = (token: string) =>
      later.db.systemTransaction((tx) => findLink.maybeOne(tx, { hash: secretHash(token), now }))
    for (const { keyring } of [worker, later]) {
      const found = await find(copyToken(keyring, { tenantId, signatoryId }))
      assert.deepEqual([found?.signatoryId, found?.isAlive], [signatoryId, true])
    }

    const userId = invited.json.id
    const person = await later.db.transaction(tenantId, (tx) => findInvitedPerson.one(tx, { tenantId, userId, now }))
    const tokens = [worker, later].map(({ keyring }) => invitationToken(keyring, { ...person, tenantId, userId }))
    const password = 'a long password that nobody else has'
    const set = (token: string) => tenant.call('POST', '/identity/password', { token, password })
    assert.equal((await set(tokens[1]!)).status, 204, 'the one of a message written under the new key')
    assert.equal((await set(tokens[0]!)).status, 400, 'used once, both are gone')
  })

  test('keeps authenticator apps good', async () => {
    const { tenantId, administratorId: userId } = tenant
    const secret = Buffer.from('a secret of twenty b')
    const context = `authenticator app ${tenantId} ${userId}`
    const now = service.clock.now()
    await worker.db.transaction(tenantId, (tx) =>
      offerApp.run(tx, { tenantId, userId, secret: worker.keyring.seal(secret, context), now }),
    )
    assert.equal((await renewSecrets(restarted(NEW_KEY, SECRET_KEY))).apps, 1)
    const later = restarted(NEW_KEY)
    const app = await later.db.transaction(tenantId, (tx) => findApp.one(tx, { tenantId, userId }))
    assert.ok(later.keyring.open(app.secret, context).equals(secret))
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
