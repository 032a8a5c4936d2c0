import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import {
  countLinks,
  CREATE,
  payload,
  requireRightCounts,
  requireWholeHistories,
  typesOfEvents,
} from '../../../test/signature-requests.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { until } from '../../../test/until.ts'

describe('creations that are ready at the same moment', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  /** Sends all of them while the first can't go on, so that the others are ready before it is done. */
  async function sendTogether(bodies: Record<string, unknown>[]) {
    const documents = bodies.map((_, index) => makePdf(`document ${index} ${newId()}`))
    const holder = new pg.Client(service.database.connection)
    await holder.connect()
    await holder.query('begin; lock table signature_request in access exclusive mode')
    const replies = Promise.all(
      bodies.map((body, index) =>
        acme.call('POST', CREATE, {
          ...body,
          documents: [{ title: `Document ${index}`, contentBase64: documents[index]!.toString('base64') }],
        }),
      ),
    )
    await until('every document', async () => {
      const stored = documents.map((bytes) =>
        service.platform.blobs.stat(acme.tenantId, createHash('sha256').update(bytes).digest('hex')),
      )
      return (await Promise.all(stored)).every((found) => found !== undefined)
    })
    await holder.query('commit')
    await holder.end()
    return replies
  }

  const subjects = (count: number) => Array.from({ length: count }, (_, index) => `Contract ${index}`)

  test('share transactions, and each is whole', async () => {
    const people = [
      { firstName: 'Aino', email: 'aino@example.com' },
      { firstName: 'Bo', email: 'bo@example.com' },
    ]
    const replies = await sendTogether(subjects(8).map((subject) => payload({ subject, signatories: people })))
    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map(() => 202),
    )
    const ids = replies.map(({ json }) => String(json.id))
    const [row] = await service.database.asOwner(
      `select count(distinct xmin::text)::int as transactions from signature_request where id = any($1)`,
      [ids],
    )
    assert.ok(Number(row!['transactions']) < 8, `${String(row!['transactions'])} transactions`)

    for (const [index, id] of ids.entries()) {
      const { json } = await acme.call('GET', `/signing/signaturerequest/${id}`)
      assert.equal(json.subject, `Contract ${index}`)
      assert.deepEqual(
        json.signatories.map(({ firstName }: { firstName: string }) => firstName),
        ['Aino', 'Bo'],
      )
      assert.deepEqual(
        json.documents.map(({ title }: { title: string }) => title),
        [`Document ${index}`],
      )
      assert.equal(await countLinks(service, id), 2)
      assert.deepEqual(await typesOfEvents(service, id), [
        'signaturerequestcreated',
        'signaturerequestopened',
        'signaturerequeststatusupdated',
      ])
    }
    const jobs = await service.database.asOwner(
      `select key from job where queue = 'signing.prepare' and key = any($1)`,
      [ids],
    )
    assert.deepEqual(new Set(jobs.map(({ key }) => key)), new Set(ids))
    await requireWholeHistories(service)
    await requireRightCounts(service)
  })

  test('of which some are refused: they alone, each with its own reason', async () => {
    const gone = await addDepartment(service, acme, 'Closed')
    await service.database.asOwner('update department set deleted_at = now() where id = $1', [gone.id])
    const before = await service.database.asOwner('select count(*)::int as requests from signature_request')
    const replies = await sendTogether([
      payload(),
      payload({ departmentId: gone.id }),
      payload({ status: 'Draft' }),
      payload({ creatorId: newId() }),
      payload(),
    ])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [202, 400, 202, 400, 202],
    )
    assert.match(replies[1]!.text, /departmentId/)
    assert.match(replies[3]!.text, /creatorId/)
    const afterwards = await service.database.asOwner('select count(*)::int as requests from signature_request')
    assert.equal(Number(afterwards[0]!['requests']), Number(before[0]!['requests']) + 3)
    await requireWholeHistories(service)
    await requireRightCounts(service)
  })

  test('are found by their words and belong to those who made them', async () => {
    const department = await addDepartment(service, acme, 'Sales')
    const words = ['Aardvark', 'Bobolink', 'Capybara'].map((word) => `${word} ${newId()}`)
    const replies = await sendTogether(
      words.map((subject, index) => payload({ subject, ...(index === 1 && { departmentId: department.id }) })),
    )
    for (const [index, subject] of words.entries()) {
      const { json } = await acme.call('GET', `/signing/signaturerequest?search=${encodeURIComponent(subject)}`)
      assert.deepEqual(
        json.items.map(({ id }: { id: string }) => id),
        [replies[index]!.json.id],
      )
      assert.equal(json.items[0].departmentId, index === 1 ? department.id : acme.rootDepartmentId)
    }
  })
})
