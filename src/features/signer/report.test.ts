import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { environmentOf, openShell } from '../../../test/command-line.ts'
import type { TestService, TestTenant } from '../../../test/service.ts'
import { requireWholeHistories, typesOfEvents } from '../../../test/signature-requests.ts'
import {
  Browser,
  invite,
  linkOf,
  messagesOf,
  openLink,
  startSigningService,
  untilQuiet,
  untilStatus,
} from '../../../test/signing-flow.ts'

const TWO = [
  { firstName: 'Aino', email: 'aino@example.com' },
  { firstName: 'Bo', email: 'bo@example.com' },
]

describe('reporting a message', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startSigningService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  const tokenOf = async (requestId: string, signatoryId: string) =>
    (await linkOf(acme, requestId, signatoryId)).split('/').pop()!
  const report = (token: string, headers: Record<string, string> = {}) =>
    new Browser(service.url).post('/sign/api/report', { token }, headers)
  const reportsOf = async (requestId: string) =>
    (await typesOfEvents(service, requestId)).filter((type) => type === 'signatoryreported').length
  const kindsTo = async (requestId: string, signatoryId: string) => {
    await untilQuiet(service)
    const messages = await messagesOf(service, requestId)
    return messages.filter((message) => message.signatoryId === signatoryId).map(({ kind }) => kind)
  }

  test('needs the link alone, and counts once, however often and at once it comes', async (t) => {
    const { requestId, signatoryIds } = await invite(acme)
    const token = await tokenOf(requestId, signatoryIds[0]!)
    const warn = t.mock.method(service.platform.log, 'warn', () => {})
    const replies = await Promise.all(Array.from({ length: 10 }, () => report(token)))
    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map(() => 204),
    )
    assert.equal(await reportsOf(requestId), 1)
    assert.equal(warn.mock.callCount(), 1)
    await requireWholeHistories(service)
  })

  test('whoever did hears nothing more of the request; the others do', async () => {
    const { requestId, signatoryIds } = await invite(acme, { signatories: TWO })
    const [aino, bo] = signatoryIds as [string, string]
    await report(await tokenOf(requestId, aino))
    const { json } = await acme.call('POST', `/signing/signaturerequest/${requestId}/remind`)
    assert.deepEqual(json.reminded, [bo])
    await acme.call('POST', `/signing/signaturerequest/${requestId}/cancel`)
    assert.deepEqual(await kindsTo(requestId, aino), ['invitation'])
    assert.deepEqual(await kindsTo(requestId, bo), ['invitation', 'reminder', 'canceled'])
  })

  test('whoever signs after all is told that it is complete', async () => {
    const { requestId, signatoryIds } = await invite(acme)
    await report(await tokenOf(requestId, signatoryIds[0]!))
    const browser = await openLink(service, acme, requestId, signatoryIds[0]!)
    await browser.pageIn('ready')
    await browser.sign()
    await untilStatus(acme, requestId, 'Closed')
    assert.deepEqual(await kindsTo(requestId, signatoryIds[0]!), ['invitation', 'completed'])
  })

  test('works after the request has ended, and while the tenant is stopped', async () => {
    const { requestId, signatoryIds } = await invite(acme)
    const token = await tokenOf(requestId, signatoryIds[0]!)
    await acme.call('POST', `/signing/signaturerequest/${requestId}/cancel`)
    await service.database.asOwner('update tenant set stopped_at = now() where id = $1', [acme.tenantId])
    try {
      assert.equal((await report(token)).status, 204)
    } finally {
      await service.database.asOwner('update tenant set stopped_at = null where id = $1', [acme.tenantId])
    }
    assert.equal(await reportsOf(requestId), 1)
  })

  test('is refused by a wrong link, and from another page than ours; looking at the page reports nothing', async () => {
    const { requestId, signatoryIds } = await invite(acme)
    const token = await tokenOf(requestId, signatoryIds[0]!)
    const wrong = await report('A'.repeat(43))
    assert.deepEqual([wrong.status, wrong.json.code], [400, 2950])
    assert.equal((await report(token, { origin: 'https://evil.example' })).status, 403)
    assert.equal((await report(token, { 'x-countersign-sign': '' })).status, 403)
    for (let look = 0; look < 3; look++) await service.call('GET', `/sign/${token}/report`)
    assert.equal(await reportsOf(requestId), 0)
  })

  test('shows to the tenant’s administrators and to the operator', async () => {
    const loud = await service.createTenant('Loud')
    const { requestId, signatoryIds } = await invite(loud)
    const overview = async () => (await loud.call('GET', '/overview')).json.reports
    assert.deepEqual(await overview(), { amount: 0, latestRequestId: null })
    const link = await linkOf(loud, requestId, signatoryIds[0]!)
    await report(link.split('/').pop()!)
    assert.deepEqual(await overview(), { amount: 1, latestRequestId: requestId })
    const { json } = await openShell(environmentOf(service))('doctor', '--json')
    const found = json.findings.find(({ name }: { name: string }) => name === 'reports')
    assert.match(found.found, new RegExp(`Loud \\(${loud.tenantId}\\), 1 in all`))
    assert.match(found.fix, /tenant stop/)
  })
})
