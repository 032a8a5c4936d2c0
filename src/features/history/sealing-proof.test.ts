import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { historyKeys } from '#features/event/index.ts'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { asWorker, logEverything, writeHistory } from './testing/log.ts'
import { verifyHistory } from './verify-history.ts'

describe('the history of a sealing request', () => {
  let service: TestService
  let acme: TestTenant
  let id: string
  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    const { json } = await acme.asAdministrator('POST', '/sealing/sealingrequest', { subject: 'A seal' })
    id = json.id
    await acme.asAdministrator('PUT', `/sealing/sealingrequest/${id}`, { status: 'Canceled' })
    await logEverything(asWorker(service))
  })
  after(() => service.stop())

  const keys = () => historyKeys(service.platform.keyring).map(({ publicKey }) => publicKey)
  const ask = (what: string, of = id) => acme.asAdministrator('GET', `/event/sealingrequest/${of}/${what}`)

  test('is proved like any other: chain, places in the log, checkpoint', async () => {
    const { status, json } = await ask('proof')
    assert.equal(status, 200)
    const verdict = verifyHistory(json, keys())
    assert.ok(verdict.isIntact, JSON.stringify(verdict))
    assert.ok(verdict.events > 0 && verdict.log?.logged === verdict.events)
    const changed = structuredClone(json)
    changed.items[0].eventType = 'sealingrequestprocessed'
    assert.equal(verifyHistory(changed, keys()).isIntact, false)
  })

  test('is verified by the server as it is stored, and an alteration is noticed', async () => {
    assert.equal((await ask('verification')).json.isIntact, true)
    await service.database.asOwner('update event set type = $2 where request_id = $1 and sequence = 1', [id, 'x'])
    const { isIntact, problem } = (await ask('verification')).json
    assert.equal(isIntact, false)
    assert.match(problem, /1/)
  })

  test('is none of a signature request’s, and none of nobody’s', async () => {
    const signatureRequestId = await writeHistory(service, acme)
    for (const other of [signatureRequestId, newId()]) {
      for (const what of ['proof', 'verification']) {
        const { status, json } = await ask(what, other)
        assert.deepEqual([status, json.code], [400, 2700])
        assert.match(json.message, /no sealing request/)
      }
    }
    assert.equal((await acme.call('GET', `/event/signaturerequest/${id}/proof`)).json.code, 2700)
  })
})
