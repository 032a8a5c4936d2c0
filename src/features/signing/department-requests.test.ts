import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SYSTEM } from '#features/event/index.ts'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import {
  countLinks,
  create,
  forceStatus,
  requireRightCounts,
  requireWholeHistories,
  typesOfEvents,
} from '../../../test/signature-requests.ts'
import { cancelRequestsOfDepartments, findEntityDepartment, hasRequestsInDepartments } from './index.ts'

describe('what other features ask of signature requests', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  const read = async (id: string) => (await acme.call('GET', `/signing/signaturerequest/${id}`)).json

  test('a deleted department’s Drafts and Open requests are canceled, the others left alone', async () => {
    const { tenantId } = acme
    const sales = await addDepartment(service, acme, 'Sales')
    const { db, clock } = service.platform
    const departmentIds = [sales.id]
    assert.equal(
      await db.transaction(tenantId, (tx) => hasRequestsInDepartments(tx, { tenantId, departmentIds })),
      false,
    )
    const draft = await create(sales.call, { status: 'Draft' })
    const open = await create(sales.call)
    const closed = await create(sales.call)
    await forceStatus(service, closed, 'Closed')
    const elsewhere = await create(acme.call)

    const cancellation = { tenantId, departmentIds, actor: SYSTEM, now: clock.now() }
    await db.transaction(tenantId, (tx) => cancelRequestsOfDepartments(tx, cancellation))

    for (const id of [draft, open]) {
      const request = await read(id)
      assert.equal(request.status, 'Canceled')
      assert.equal(request.statusReason, 'The department was deleted.')
      assert.deepEqual((await typesOfEvents(service, id)).slice(-2), [
        'signaturerequestcanceled',
        'signaturerequeststatusupdated',
      ])
    }
    assert.equal(await countLinks(service, open), 0)
    assert.equal((await read(closed)).status, 'Closed')
    assert.equal((await read(elsewhere)).status, 'Open')
    assert.equal(
      await db.transaction(tenantId, (tx) => hasRequestsInDepartments(tx, { tenantId, departmentIds })),
      true,
    )
    await requireWholeHistories(service)
    await requireRightCounts(service)
  })

  test('an entity’s department is found by its kind and id, in its own tenant alone', async () => {
    const { tenantId, rootDepartmentId: departmentId } = acme
    const other = await service.createTenant('Other')
    const request = await read(await create(acme.call))
    const entities: ['SignatureRequest' | 'Signee' | 'Document', string][] = [
      ['SignatureRequest', request.id],
      ['Signee', request.signatories[0].id],
      ['Document', request.documents[0].id],
    ]
    const find = (owner: string, entityType: (typeof entities)[number][0], entityId: string) =>
      service.platform.db.transaction(owner, (tx) =>
        findEntityDepartment(tx, { tenantId: owner, entityType, entityId }),
      )
    for (const [entityType, entityId] of entities) {
      assert.deepEqual(await find(tenantId, entityType, entityId), { departmentId, status: 'Open' })
      assert.equal(await find(other.tenantId, entityType, entityId), undefined)
      assert.equal(await find(tenantId, entityType, newId()), undefined)
    }
  })
})
