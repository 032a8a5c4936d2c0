import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDepartment } from '../../../test/departments.ts'
import { makeCaller, type TestService, type TestTenant } from '../../../test/service.ts'
import { invite, openLink, startSigningService } from '../../../test/signing-flow.ts'
import { until } from '../../../test/until.ts'
import { newId } from '#platform/ids.ts'

type Listed = { id: string; kind: string; channel: string; state: string; recipient: string | null }

describe('the outbox', () => {
  let service: TestService
  let tenant: TestTenant
  let requestId: string
  let signatoryId: string
  let invitation: Listed

  before(async () => {
    service = await startSigningService({ COUNTERSIGN_PUBLIC_URL: 'https://sign.example.com' })
    tenant = await service.createTenant()
    const ceremony = await invite(tenant, { signingAuthenticationStrength: 'Email', languageCode: 'fi' })
    requestId = ceremony.requestId
    signatoryId = ceremony.signatoryIds[0]!
    invitation = await inOutbox('invitation')
  })
  after(() => service.stop())

  const inOutbox = (kind: string) =>
    until(`the ${kind} in the outbox`, async () => {
      const { json } = await tenant.asAdministrator('GET', `/messages?state=outbox&signatureRequestId=${requestId}`)
      return (json.items as Listed[]).find((message) => message.kind === kind)
    })

  async function historyOf(messageId: string) {
    const { json } = await tenant.call('GET', `/event/signaturerequest/${requestId}?pageSize=500`)
    return json.items.filter(({ data }: { data: Record<string, unknown> }) => data['messageId'] === messageId)
  }

  test('lists what would have been sent, and not what it says', async () => {
    const { status, json } = await tenant.asAdministrator('GET', '/messages')
    assert.equal(status, 200)
    assert.deepEqual(json.gateways, { email: false, sms: false })
    const listed = json.items.find(({ id }: Listed) => id === invitation.id)
    assert.deepEqual(
      { ...listed, createdAt: '', modifiedAt: '' },
      {
        id: invitation.id,
        kind: 'invitation',
        channel: 'email',
        state: 'outbox',
        recipient: 'aino@example.com',
        language: 'fi',
        signatureRequestId: requestId,
        signatoryId,
        userId: null,
        departmentId: tenant.rootDepartmentId,
        attempts: 0,
        problem: null,
        createdAt: '',
        modifiedAt: '',
      },
    )
    assert.deepEqual(
      (await historyOf(invitation.id)).map(({ eventType }: { eventType: string }) => eventType),
      ['signatorymessagekept'],
    )
  })

  test('goes on behind the last message that was read', async () => {
    const first = await tenant.asAdministrator('GET', '/messages?take=1')
    const rest = await tenant.asAdministrator('GET', `/messages?before=${first.json.items[0].id}`)
    assert.equal(first.json.items.length, 1)
    assert.ok(rest.json.items.every(({ id }: Listed) => id < first.json.items[0].id))
  })

  test('shows a message with its link, and the history tells who looked', async () => {
    const { status, json, text } = await tenant.asAdministrator('GET', `/messages/${invitation.id}`, undefined, {
      headers: { host: 'evil.example.net', 'x-forwarded-host': 'evil.example.net', forwarded: 'host=evil.example.net' },
    })
    assert.equal(status, 200, text)
    assert.match(json.url, /^https:\/\/sign\.example\.com\/sign\/[\w-]{43}$/)
    assert.ok(json.text.includes(json.url) && json.html.includes(json.url))
    assert.match(json.subject, /^Acme: allekirjoita ”Lease of the upper floor”$/)
    assert.ok(!text.includes('evil.example.net'))
    const shown = (await historyOf(invitation.id)).at(-1)
    assert.equal(shown.eventType, 'signatorymessageshown')
    assert.deepEqual(shown.actor, { kind: 'user', id: tenant.administratorId })
    assert.equal(shown.signatoryId, signatoryId)
  })

  test('shows a code while it lives, and nothing afterwards', async () => {
    const browser = await openLink(service, tenant, requestId, signatoryId)
    assert.equal((await browser.post('/sign/api/code', { purpose: 'signing' })).status, 202)
    const { id } = await inOutbox('code')
    const { json } = await tenant.asAdministrator('GET', `/messages/${id}`)
    assert.match(json.code, /^\d{6}$/)
    assert.ok(json.text.includes(json.code))
    const shown = (await historyOf(id)).at(-1)
    assert.equal(shown.data.kind, 'code')
    assert.ok(shown.data.codeId)
    assert.ok(!JSON.stringify(shown).includes(json.code))
    assert.equal((await browser.post('/sign/api/code/verify', { purpose: 'signing', code: json.code })).status, 204)
    const again = await tenant.asAdministrator('GET', `/messages/${id}`)
    assert.equal(again.status, 400)
    assert.equal(again.json.code, 7902)
  })

  test('is for administrators alone', async () => {
    for (const path of ['/messages', `/messages/${invitation.id}`]) {
      assert.equal((await tenant.call('GET', path)).status, 403, 'a key alone')
      assert.equal((await service.call('GET', path)).status, 401, 'nobody')
    }
  })

  test('shows a department’s administrator what is theirs, and nothing of the others', async () => {
    const sibling = await addDepartment(service, tenant, 'Sibling')
    const { tenantId, administratorId: userId } = tenant
    const token = await service.platform.tokens.issue(
      { userId, tenantId, departmentId: sibling.id, role: 'administrator' },
      service.clock.now(),
    )
    const call = makeCaller(service.url, {
      'ocp-apim-subscription-key': tenant.key,
      authorization: `Bearer ${token}`,
    })
    assert.equal((await call('GET', `/messages/${invitation.id}`)).status, 403)
    assert.deepEqual((await call('GET', '/messages')).json.items, [])
  })

  test('knows nothing of other tenants', async () => {
    const other = await service.createTenant('Other')
    const known = await other.asAdministrator('GET', `/messages/${invitation.id}`)
    const unknown = await other.asAdministrator('GET', `/messages/${newId()}`)
    assert.equal(known.status, 400)
    assert.equal(known.json.code, unknown.json.code)
    assert.deepEqual((await other.asAdministrator('GET', `/messages?signatureRequestId=${requestId}`)).json.items, [])
  })

  for (const path of ['/messages?take=501', '/messages?state=lost', '/messages?before=x', '/messages/not-a-uuid']) {
    test(`GET ${path} is refused`, async () => {
      const { status, json } = await tenant.asAdministrator('GET', path)
      assert.equal(status, 400)
      assert.equal(json.classification, 'InvalidArgument')
    })
  }

  test('a new user’s invitation leads to a page of ours, and its token sets the password', async () => {
    const person = { email: 'new@example.com', firstName: 'Nea', role: 'user', language: 'sv' }
    const created = await tenant.asAdministrator('POST', '/onboarding/user', person)
    assert.ok(created.status < 300, created.text)
    const { id } = await until('the invitation', async () => {
      const { json } = await tenant.asAdministrator('GET', '/messages?state=outbox')
      return (json.items as Listed[]).find(
        ({ kind, recipient }) => kind === 'userinvitation' && recipient === person.email,
      )
    })
    const { json } = await tenant.asAdministrator('GET', `/messages/${id}`)
    assert.equal(json.subject, 'Acme bjuder in dig till Countersign')
    const token = new URL(json.url).hash.slice(1)
    const set = await tenant.call('POST', '/identity/password', { token, password: 'a good long password 4711' })
    assert.ok(set.status < 300, set.text)
  })

  test('whoever gets another e-mail before choosing a password is invited there', async () => {
    const created = await tenant.asAdministrator('POST', '/onboarding/user', { email: 'old@example.com', role: 'user' })
    const changed = { email: 'newer@example.com' }
    assert.equal((await tenant.asAdministrator('PATCH', `/onboarding/user/${created.json.id}`, changed)).status, 200)
    await until('the invitation to the new address', async () => {
      const { json } = await tenant.asAdministrator('GET', '/messages?state=outbox')
      return (json.items as Listed[]).find(({ recipient }) => recipient === changed.email)
    })
  })
})
