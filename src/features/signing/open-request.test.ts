import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import {
  countLinks,
  create,
  requireRightCounts,
  requireWholeHistories,
  typesOfEvents,
} from '../../../test/signature-requests.ts'
import { linkToken } from './links.ts'

describe('opening a signature request', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  const open = (id: string, body?: unknown) => acme.call('POST', `/signing/signaturerequest/${id}/open`, body)

  test('gives each signatory a link that ends when the request does', async () => {
    const id = await create(acme.call, { status: 'Draft' })
    const { status, json } = await open(id)
    assert.equal(status, 200)
    assert.equal(json.status, 'Open')
    const lifetime = new Date(json.expirationDate).getTime() - new Date(json.openedDate).getTime()
    assert.equal(lifetime, 30 * 86_400_000)
    const signatoryId = json.signatories[0].id
    const token = linkToken(service.platform.keyring, { tenantId: acme.tenantId, signatoryId, generation: 1 })
    assert.match(token, /^[\w-]{43}$/)
    const links = await service.database.asOwner(
      `select ref_id, expires_at from credential where kind = 'link' and hash = $1`,
      [secretHash(token)],
    )
    assert.deepEqual(links, [{ ref_id: signatoryId, expires_at: new Date(json.expirationDate) }])
    assert.deepEqual(await typesOfEvents(service, id), [
      'signaturerequestcreated',
      'signaturerequestopened',
      'signaturerequeststatusupdated',
    ])
    assert.equal(json.signatories[0].state, 'Waiting')
  })

  test('keeps the date that was chosen', async () => {
    const expirationDate = '2998-01-01T00:00:00.000Z'
    const id = await create(acme.call, { status: 'Draft', expirationDate })
    assert.equal((await open(id)).json.expirationDate, expirationDate)
  })

  const gaps: [what: string, changes: Record<string, unknown>, message: RegExp][] = [
    ['documents', { documents: [] }, /: documents: must have at least one document/],
    ['signatories', { signatories: [] }, /: signatories: must have at least one signatory/],
    ['an address', { signatories: [{ lastName: 'A' }] }, /: signatories\[0\]\.email: is required/],
    ['a phone', { deliveryMethods: ['sms'] }, /: signatories\[0\]\.mobilePhone: is required/],
  ]
  for (const [what, changes, message] of gaps) {
    test(`is refused without ${what}, and the Draft stays one`, async () => {
      const id = await create(acme.call, { status: 'Draft', ...changes })
      const { status, json } = await open(id)
      assert.equal(status, 400)
      assert.equal(json.classification, 'InvalidOperation')
      assert.match(json.message, message)
      assert.equal((await acme.call('GET', `/signing/signaturerequest/${id}`)).json.status, 'Draft')
    })
  }

  test('is refused once its date has gone', async () => {
    const expirationDate = new Date(service.clock.now().getTime() + 60_000).toISOString()
    const id = await create(acme.call, { status: 'Draft', expirationDate })
    service.clock.advance(120_000)
    const { json } = await open(id)
    service.clock.advance(-120_000)
    assert.match(json.message, /expirationDate: must lie ahead/)
  })

  test('is refused for what is Open or Canceled', async () => {
    const id = await create(acme.call)
    assert.equal((await open(id)).json.message, 'This signature request is Open; it cannot be opened.')
    await acme.call('POST', `/signing/signaturerequest/${id}/cancel`)
    assert.equal((await open(id)).json.classification, 'InvalidOperation')
  })

  test('of an unknown id, or another tenant’s, is EntityNotFound', async () => {
    for (const id of [newId(), await create(other.call, { status: 'Draft' })]) {
      const { status, json } = await open(id)
      assert.equal(status, 400)
      assert.equal(json.classification, 'EntityNotFound')
    }
    assert.equal((await open('mine')).json.message, 'id: must be a UUID')
  })

  test('is not for a department beside', async () => {
    const [sales, legal] = [await addDepartment(service, acme, 'Sales'), await addDepartment(service, acme, 'Legal')]
    const id = await create(acme.call, { departmentId: sales.id, status: 'Draft' })
    assert.equal((await legal.call('POST', `/signing/signaturerequest/${id}/open`)).status, 403)
    assert.equal((await legal.call('GET', `/signing/signaturerequest/${id}`)).status, 403)
  })

  test('twenty at once: one wins, the others hear that it is open', async () => {
    const id = await create(acme.call, { status: 'Draft' })
    const replies = await Promise.all(Array.from({ length: 20 }, () => open(id)))
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    assert.equal(replies.filter((reply) => reply.json.classification === 'InvalidOperation').length, 19)
    assert.equal(await countLinks(service, id), 1)
  })

  test('after all this every history is whole and every counter right', async () => {
    await requireWholeHistories(service)
    await requireRightCounts(service)
  })
})
