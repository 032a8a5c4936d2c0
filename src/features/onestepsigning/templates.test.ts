import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { CREATE, pdf } from '../../../test/signature-requests.ts'

describe('one-step signing with a template', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  const read = async (id: string) => (await acme.call('GET', `/signing/signaturerequest/${id}`)).json

  async function addTemplate(fields: Record<string, unknown>): Promise<string> {
    const body = { kind: 'signature', name: 'A template', fields }
    const { status, json, text } = await acme.call('POST', '/documenttemplating/requesttemplate', body)
    assert.equal(status, 200, text)
    return json.id
  }

  test('fills in what the payload leaves out, and lists are replaced whole', async () => {
    const placement = { documentIndex: 0, signatoryIndex: 0, page: 1, x: 10, y: 20, width: 100, height: 40 }
    const signatureRequestTemplateId = await addTemplate({
      subject: 'From the template',
      status: 'Open',
      externalReference: 'T-1',
      signingAuthenticationStrength: 'none',
      deliveryMethods: ['Link'],
      signatories: [{ lastName: 'One' }, { lastName: 'Two' }],
      placements: [placement],
    })
    const documents = [{ contentBase64: pdf() }]
    const first = await acme.call('POST', CREATE, { signatureRequestTemplateId, documents })
    assert.equal(first.status, 202, first.text)
    const filled = await read(first.json.id)
    assert.equal(filled.subject, 'From the template')
    assert.equal(filled.status, 'Open')
    assert.equal(filled.signatureRequestTemplateId, signatureRequestTemplateId)
    assert.equal(filled.signingAuthenticationStrength, 'None')
    assert.deepEqual(filled.deliveryMethods, ['Link'])
    assert.equal(filled.signatories.length, 2)
    const rows = await service.database.asOwner('select placements from signature_request where id = $1', [filled.id])
    assert.deepEqual(rows, [{ placements: [placement] }])

    const signatories = [{ lastName: 'Three' }]
    const second = await acme.call('POST', CREATE, {
      signatureRequestTemplateId,
      subject: 'Mine',
      status: 'Draft',
      signatories,
    })
    const own = await read(second.json.id)
    assert.equal(own.subject, 'Mine')
    assert.equal(own.status, 'Draft')
    assert.equal(own.signatories.length, 1)
    assert.equal(own.externalReference, 'T-1')
  })

  test('is held to the same rules as the payload', async () => {
    const signatureRequestTemplateId = await addTemplate({ subject: 'S', signingAuthenticationStrength: 'Strong' })
    const { status, json } = await acme.call('POST', CREATE, { signatureRequestTemplateId })
    assert.equal(status, 400)
    assert.match(json.message, /^signingAuthenticationStrength: Strong needs/)
  })

  test('that has gone does not change the answer to a call that was made before', async () => {
    const signatureRequestTemplateId = await addTemplate({ subject: 'S' })
    const body = { id: newId(), signatureRequestTemplateId }
    assert.equal((await acme.call('POST', CREATE, body)).status, 202)
    await acme.call('DELETE', `/documenttemplating/requesttemplate/${signatureRequestTemplateId}`)
    assert.deepEqual((await acme.call('POST', CREATE, body)).json, { id: body.id })
    assert.equal((await acme.call('POST', CREATE, { ...body, id: newId() })).json.classification, 'ReferenceConstraint')
  })
})
