import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldText, typeText } from './type-text.ts'

describe('typeText', () => {
  const cases: [what: string, schema: object, text: string][] = [
    ['a text', { type: 'string', format: 'uuid' }, 'string'],
    ['a whole number', { type: 'integer' }, 'number'],
    ['one of some words', { type: 'string', enum: ['a', "it's"] }, String.raw`'a' | 'it\'s'`],
    ['one word alone', { const: 'true' }, "'true'"],
    ['a text or nothing', { type: ['string', 'null'] }, 'string | null'],
    ['a word or nothing', { type: ['string', 'null'], enum: ['a', null] }, "'a' | null"],
    ['a thing with a name', { $ref: '#/components/schemas/Signatory' }, 'Signatory'],
    ['a thing or nothing', { anyOf: [{ $ref: '#/x/Thing' }, { type: 'null' }] }, 'Thing | null'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'string[]'],
    ['a list of choices', { type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    ['a list of whatever', { type: 'array' }, 'unknown[]'],
    ['names and texts', { type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
    ['names and whatever', { type: 'object' }, 'Record<string, unknown>'],
    ['an object without fields', { type: 'object', properties: {} }, 'Record<string, never>'],
    ['anything', {}, 'unknown'],
  ]
  for (const [what, schema, text] of cases) {
    test(`${what} is ${text}`, () => assert.equal(typeText(schema as Record<string, unknown>), text))
  }

  test('an object has its fields, those that need not be there with a question mark', () => {
    const properties = {
      id: { type: 'string' },
      'odd-name': { type: 'object', properties: { a: { type: 'boolean' } } },
    }
    const text = typeText({ type: 'object', required: ['id'], properties })
    assert.equal(text, "{\n  id: string\n  'odd-name'?: {\n    a?: boolean\n  }\n}")
  })

  test('the type of refusals does not hide the language’s own', () => {
    assert.equal(typeText({ $ref: '#/components/schemas/Error' }), 'ErrorBody')
  })

  test('a type that it does not know stops it', () => {
    assert.throws(() => typeText({ type: 'tuple' }), /no type for tuple/)
  })
})

describe('fieldText', () => {
  test('what is said of a field can not end the comment', () => {
    const schema = { type: 'string', description: 'Any */ text\nin two lines' }
    const text = fieldText({ name: 'a', isRequired: true, schema, indent: '' })
    assert.equal(text.indexOf('*/'), text.indexOf(' */\n') + 1)
    assert.equal(text.split('\n').length, 3)
  })
})
