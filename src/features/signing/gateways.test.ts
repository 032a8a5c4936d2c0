import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { create, CREATE, payload } from '../../../test/signature-requests.ts'

const MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', COUNTERSIGN_MAIL_FROM: 'sign@example.com' }
const SIGNATORY = { firstName: 'Aino', email: 'aino@example.com', mobilePhone: '+358401234567' }

describe('where e-mails can be sent and text messages can not', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(MAIL)
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  for (const [field, change] of [
    ['readingAuthenticationStrength', { readingAuthenticationStrength: 'Sms' }],
    ['signingAuthenticationStrength', { signingAuthenticationStrength: 'Medium' }],
    ['deliveryMethods[1]', { deliveryMethods: ['Email', 'Sms'] }],
  ] as const) {
    for (const status of ['Draft', 'Open']) {
      test(`${status} with Sms as ${field} is refused: never weaker than asked`, async () => {
        const answer = await tenant.call('POST', CREATE, payload({ status, signatories: [SIGNATORY], ...change }))
        assert.equal(answer.status, 400)
        assert.equal(answer.json.code, 1103)
        assert.ok(answer.json.message.startsWith(`${field}: `), answer.json.message)
      })
    }
  }

  test('Sms is not among the choices, nor Strong without a provider', async () => {
    const { json } = await tenant.call('GET', '/signing/authentication')
    assert.deepEqual(json, { strengths: ['None', 'Email'], deliveryMethods: ['Email', 'Link'], areaCodes: [] })
  })

  test('a draft from better days can not be opened', async () => {
    const requestId = await create(tenant.call, { status: 'Draft', signatories: [SIGNATORY] })
    await service.database.asOwner(
      `update signature_request set signing_authentication_strength = 'Sms' where id = $1`,
      [requestId],
    )
    const answer = await tenant.call('POST', `/signing/signaturerequest/${requestId}/open`)
    assert.equal(answer.status, 400)
    assert.equal(answer.json.code, 1103)
  })
})

describe('where both can be sent, or nothing at all', () => {
  for (const [what, environment] of [
    ['both', { ...MAIL, COUNTERSIGN_SMS_URL: 'http://127.0.0.1:1/' }],
    ['nothing', {}],
  ] as const) {
    test(`${what}: Sms is accepted`, async () => {
      const service = await startService(environment)
      try {
        const tenant = await service.createTenant()
        const change = { deliveryMethods: ['Sms'], signingAuthenticationStrength: 'Sms', signatories: [SIGNATORY] }
        assert.ok(await create(tenant.call, change))
        const { json } = await tenant.call('GET', '/signing/authentication')
        assert.deepEqual(json.deliveryMethods, ['Email', 'Sms', 'Link'])
      } finally {
        await service.stop()
      }
    })
  }
})
