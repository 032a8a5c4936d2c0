import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { readBody } from './read-input.ts'
import { readQuery } from './read-query.ts'
import { DateTime, Email, FileName, Language, Optional, Phone, Text, Type, Uuid, Words } from './schema.ts'

const Person = Type.Object({
  name: Text(5, { minLength: 1 }),
  id: Optional(Uuid()),
  email: Optional(Email()),
  phone: Optional(Phone()),
  since: Optional(DateTime()),
  language: Optional(Language()),
  file: Optional(FileName()),
  age: Optional(Type.Integer({ minimum: 0, maximum: 150 })),
  isMandatory: Optional(Type.Boolean()),
  color: Optional(Words(['Red', 'Green'])),
  tags: Optional(Type.Array(Text(3), { maxItems: 2 })),
  friends: Optional(Type.Array(Type.Object({ email: Email() }))),
})

const read = (fields: object) => readBody(Person, { name: 'Ada', ...fields })

function refusal(fields: object): string {
  try {
    readBody(Person, { name: 'Ada', ...fields })
  } catch (error) {
    assert.ok(error instanceof AppError)
    assert.equal(error.classification, 'InvalidArgument')
    return error.message
  }
  assert.fail('it was accepted')
}

describe('a body', () => {
  test('is handed on with what its schema names and nothing else', () => {
    assert.deepEqual(read({ isAdmin: true, tenantId: 'x' }), { name: 'Ada' })
  })

  test('takes null and the nil UUID for absent', () => {
    assert.deepEqual(read({ id: '00000000-0000-0000-0000-000000000000', email: null, tags: null }), { name: 'Ada' })
  })

  test('has each value in its one written form', () => {
    assert.deepEqual(
      read({
        id: '0190A000-0000-7000-8000-00000000000A',
        phone: '0035 840-123 4567',
        since: '2030-01-31T12:00:00',
        language: 'SV-fi',
        color: 'GREEN',
      }),
      {
        name: 'Ada',
        id: '0190a000-0000-7000-8000-00000000000a',
        phone: '+358401234567',
        since: '2030-01-31T12:00:00.000Z',
        language: 'sv-FI',
        color: 'Green',
      },
    )
  })

  test('reads an offset, and counts an emoji as one character', () => {
    assert.deepEqual(read({ since: '2030-01-31T12:00:00.1234+02:00', name: '🚀🚀🚀🚀🚀' }), {
      name: '🚀🚀🚀🚀🚀',
      since: '2030-01-31T10:00:00.123Z',
    })
  })

  const refusals: [fields: object, message: string][] = [
    [{ name: undefined }, 'name: is required'],
    [{ name: '' }, 'name: must not be empty'],
    [{ name: 'Augusta' }, 'name: must have at most 5 characters'],
    [{ name: 5 }, 'name: must be a text'],
    [{ name: ['Ada'] }, 'name: must be a text'],
    [{ id: 'x' }, 'id: must be a UUID'],
    [{ email: 'ada' }, 'email: must be an e-mail address'],
    [{ email: 'ada@example.com\r\nBcc: x@y.z' }, 'email: must be an e-mail address'],
    [{ email: 'ada\u007f@example.com' }, 'email: must be an e-mail address'],
    [{ phone: '12' }, 'phone: must be a phone number such as +358401234567'],
    [{ since: 'tomorrow' }, 'since: must be a date and time such as 2030-01-31T12:00:00Z'],
    [{ since: '2030-02-30T00:00:00Z' }, 'since: must be a date and time such as 2030-01-31T12:00:00Z'],
    [{ since: '2030-01-01T25:00:00Z' }, 'since: must be a date and time such as 2030-01-31T12:00:00Z'],
    [{ language: 'not a language' }, 'language: must be a language tag such as en, fi or sv-FI'],
    [{ file: '../../etc/passwd' }, 'file: must be a file name without path separators or control characters'],
    [{ file: 'a\nb.pdf' }, 'file: must be a file name without path separators or control characters'],
    [{ age: '5' }, 'age: must be a number'],
    [{ age: 5.5 }, 'age: must be a whole number'],
    [{ age: 151 }, 'age: must lie between 0 and 150'],
    [{ isMandatory: 'true' }, 'isMandatory: must be true or false'],
    [{ isMandatory: 1 }, 'isMandatory: must be true or false'],
    [{ color: 'Blue' }, 'color: must be one of Red, Green'],
    [{ tags: 'a' }, 'tags: must be a list'],
    [{ tags: ['a', 'b', 'c'] }, 'tags: must have at most 2'],
    [{ tags: [null] }, 'tags[0]: must not be null'],
    [{ friends: [{ email: 'a@b.cd' }, { email: 'x' }] }, 'friends[1].email: must be an e-mail address'],
    [{ friends: [{}] }, 'friends[0].email: is required'],
    [{ friends: [[]] }, 'friends[0]: must be an object'],
  ]
  for (const [fields, message] of refusals) {
    test(`is refused: ${message} (${JSON.stringify(fields).slice(0, 60)})`, () => {
      assert.equal(refusal(fields), message)
    })
  }

  test('may spell its names with an initial capital where that is allowed, but not both ways at once', () => {
    const Hook = Type.Object({ uri: Text() }, { eitherInitial: true })
    assert.deepEqual(readBody(Hook, { Uri: 'a' }), { uri: 'a' })
    assert.throws(() => readBody(Hook, { Uri: 'a', uri: 'b' }), /given twice/)
  })

  test('is not fooled by what objects inherit', () => {
    assert.deepEqual(readBody(Type.Object({ constructor: Optional(Text()), toString: Optional(Text()) }), {}), {})
  })
})

describe('a query', () => {
  const Query = Type.Object({
    skip: Optional(Type.Integer({ minimum: 0 })),
    base64: Optional(Type.Boolean()),
    departmentId: Optional(Uuid()),
    name: Optional(Text(10)),
  })

  test('is matched without case, and becomes numbers and booleans', () => {
    assert.deepEqual(readQuery(Query, 'SKIP=5&Base64=True&DepartmentId=0190A000-0000-7000-8000-00000000000A&other=1'), {
      skip: 5,
      base64: true,
      departmentId: '0190a000-0000-7000-8000-00000000000a',
    })
  })

  test('keeps the nil UUID: there it is an id like any other', () => {
    assert.equal(
      readQuery(Query, 'departmentId=00000000-0000-0000-0000-000000000000').departmentId,
      '00000000-0000-0000-0000-000000000000',
    )
  })

  const refusals: [search: string, message: RegExp][] = [
    ['skip=1&skip=2', /skip: is given twice/],
    ['skip=1&SKIP=2', /skip: is given twice/],
    ['skip=1.5', /skip: must be a whole number/],
    ['skip=1e3', /skip: must be a whole number/],
    ['skip=', /skip: must be a whole number/],
    ['skip=-1', /skip: must be at least 0$/],
    ['base64=1', /base64: must be true or false/],
    ['name=%00', /U\+0000/],
    ['name=%ff', /percent-encoded UTF-8/],
    ['name=%', /percent-encoded UTF-8/],
  ]
  for (const [search, message] of refusals) {
    test(`is refused: ${search}`, () => {
      assert.throws(() => readQuery(Query, search), message)
    })
  }
})
