import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { beginHistory, SYSTEM } from './append-events.ts'
import { listToldFiles } from './told-files.ts'

type Told = [type: string, data: Record<string, unknown>]

describe('what histories tell of files', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  /** A history of a request in which this happened. */
  async function write(...events: Told[]): Promise<string> {
    const { tenantId, rootDepartmentId: departmentId } = acme
    const subject = { tenantId, departmentId, requestId: newId(), requestKind: 'signaturerequest' as const }
    const appended = events.map(([type, data]) => ({ type, actor: SYSTEM, data }))
    await service.platform.db.transaction(tenantId, (tx) => beginHistory(tx, subject, appended, new Date()))
    return subject.requestId
  }

  const read = (...requestIds: string[]) =>
    service.platform.db.transaction(acme.tenantId, (tx) =>
      listToldFiles(tx, { tenantId: acme.tenantId, requestKind: 'signaturerequest', requestIds }),
    )

  const erase = (requestId: string, type: string) =>
    service.database.asOwner(
      'delete from event_body where event_id in (select id from event where request_id = $1 and type = $2)',
      [requestId, type],
    )

  test('the newest counts, for each document and the evidence, of several requests', async () => {
    const one = await write(
      ['signatorysigned', { documents: [{ id: 'a', sha256: '1' }] }],
      ['signatorysigned', { documents: [{ id: 'a', sha256: '2' }] }],
      ['signaturerequeststatusupdated', { documents: [{ id: 'a', sha256: 'no file' }] }],
      [
        'signaturerequestcompleted',
        {
          documents: [
            { id: 'a', sha256: '3' },
            { id: 'b', sha256: '4' },
          ],
          evidenceSha256: '5',
        },
      ],
      ['documentrenewed', { documents: [{ id: 'a', sha256: '6' }] }],
    )
    const two = await write(
      ['signaturerequestcompleted', { documents: [{ id: 'c', sha256: '7' }], evidenceSha256: '8' }],
      ['evidencerenewed', { documents: [{ id: 'the request', sha256: '9' }] }],
    )
    const { documents, evidence } = await read(one, two, one)
    assert.deepEqual(Object.fromEntries(documents), { a: '6', b: '4', c: '7' })
    assert.deepEqual(Object.fromEntries(evidence), { [one]: '5', [two]: '9' })
  })

  test('nothing is told of files by older histories, by what is not ours, or after something newer was erased', async () => {
    const older = await write(['sealingrequestprocessed', { documents: 2 }])
    const strange = await write(['documentrenewed', { documents: [null, 'x', { id: 'd' }, { id: 1, sha256: '1' }] }])
    const erased = await write(
      ['documentrenewed', { documents: [{ id: 'e', sha256: '1' }] }],
      ['signaturerequestcompleted', { documents: [{ id: 'e', sha256: '2' }], evidenceSha256: '3' }],
    )
    await erase(erased, 'signaturerequestcompleted')
    const { documents, evidence } = await read(older, strange, erased)
    assert.deepEqual([documents.size, evidence.size], [0, 0])
  })
})
