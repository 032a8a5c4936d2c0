import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planFields, type FieldQuestion } from './plan-fields.ts'

const person = (name: string, externalReference: string | null = null) => ({ id: `id-of-${name}`, externalReference })
const question = (changes: Partial<FieldQuestion>): FieldQuestion => ({
  signatories: [person('aino'), person('berit')],
  emptyFields: [],
  placements: [],
  documentIndex: 0,
  pageCount: 2,
  requestId: '01a1dd3a-0000-7000-8000-0000deadbeef',
  ...changes,
})
const fieldsOf = (changes: Partial<FieldQuestion>) => Object.fromEntries(planFields(question(changes)).bySignatory)

describe('where signatures show', () => {
  test('a waiting field belongs to the signatory whose reference is its name, the others follow in order', () => {
    const signatories = [person('aino'), person('berit', 'Landlord'), person('cecilia')]
    const emptyFields = ['Tenant', 'Landlord', 'Witness']
    assert.deepEqual(fieldsOf({ signatories, emptyFields }), {
      'id-of-aino': 'Tenant',
      'id-of-berit': 'Landlord',
      'id-of-cecilia': 'Witness',
    })
  })

  test('whoever finds no waiting field gets a new one, and the seal has its own', () => {
    const { bySignatory, newFields, sealField } = planFields(question({ emptyFields: ['Only'] }))
    assert.equal(bySignatory.get('id-of-aino'), 'Only')
    assert.deepEqual(newFields, [{ name: bySignatory.get('id-of-berit')! }, { name: sealField }])
    assert.equal(new Set([...bySignatory.values(), sealField]).size, 3, 'no two share a field')
  })

  test('a new one stands where the template says, in its document and for its signatory alone', () => {
    const place = { page: 2, x: 10, y: 20, width: 100, height: 40 }
    const placements = [{ documentIndex: 0, signatoryIndex: 1, ...place }]
    const [first, second] = planFields(question({ placements })).newFields
    assert.equal(first?.placement, undefined, 'unseen')
    assert.deepEqual(second, { name: second!.name, page: 2, placement: { x: 10, y: 20, width: 100, height: 40 } })
    const elsewhere = planFields(question({ placements, documentIndex: 1 })).newFields
    assert.ok(elsewhere.every(({ placement }) => placement === undefined))
  })

  test('a page that the document does not have makes it unseen', () => {
    const placements = [{ documentIndex: 0, signatoryIndex: 0, page: 3, x: 0, y: 0, width: 10, height: 10 }]
    assert.equal(planFields(question({ placements })).newFields[0]?.placement, undefined)
  })
})
