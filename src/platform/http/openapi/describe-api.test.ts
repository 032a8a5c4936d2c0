import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { route, type Route } from '../route.ts'
import { DocumentContent, FileName, Int32, Nothing, Nullable, Optional, Phone, Type, Uuid, Words } from '../schema.ts'
import { describeApi } from './describe-api.ts'
import { operationIdOf } from './describe-operation.ts'
import { describeSchema } from './describe-schema.ts'

const shape = (schema: object) => describeSchema(schema, new Map())

function makeRoute(changes: Partial<Route> = {}): Route {
  return {
    ...route({
      method: 'PUT',
      url: '/storage/thing/:id',
      summary: 'Change a thing',
      tag: 'Storage',
      permission: 'document:write',
      params: Type.Object({ id: Uuid('Id of the thing.') }),
      query: Type.Object({ search: Optional(Type.String({ description: 'Words to look for.' })) }),
      body: Type.Object({ name: Type.String() }),
      response: { 200: Type.Object({ id: Uuid() }), 204: Nothing },
      handle: async () => undefined,
    }),
    ...changes,
  }
}

const describeOne = (changes?: Partial<Route>) =>
  Object.values(Object.values(describeApi([makeRoute(changes)], { version: '1.0.0' }).paths)[0]!)[0]!

describe('describeSchema', () => {
  const cases: [what: string, schema: object, expected: object][] = [
    [
      'a text or null has two types',
      Nullable(Type.String({ maxLength: 5 })),
      { type: ['string', 'null'], maxLength: 5 },
    ],
    [
      'a word or null has null among its words',
      Nullable(Words(['Draft', 'Open'])),
      { type: ['string', 'null'], enum: ['Draft', 'Open', null] },
    ],
    [
      'a record has one schema for all names',
      Type.Record(Type.String(), Type.Integer()),
      {
        type: 'object',
        additionalProperties: { type: 'integer' },
      },
    ],
    ['the range of an int32 goes without saying', Int32(), { type: 'integer', format: 'int32' }],
    [
      'a narrower range does not',
      Type.Integer({ format: 'int32', minimum: 0, maximum: 500 }),
      { type: 'integer', format: 'int32', minimum: 0, maximum: 500 },
    ],
    ['a value that null removes may be null', Type.String({ keepsNull: true }), { type: ['string', 'null'] }],
  ]
  for (const [what, schema, expected] of cases) test(what, () => assert.deepEqual(shape(schema), expected))

  test('formats of ours become standard keywords and words', () => {
    assert.equal(shape(DocumentContent())['contentEncoding'], 'base64')
    for (const schema of [DocumentContent(), Phone(), FileName()]) assert.ok(!('format' in shape(schema)))
    assert.match(String(shape(Phone())['description']), /phone number/)
  })

  test('either initial letter is told in words', () => {
    const described = shape(Type.Object({ uri: Type.String() }, { eitherInitial: true }))
    assert.match(String(described['description']), /initial letter/)
    assert.ok(!('eitherInitial' in described))
  })

  test('a schema with a title is shared, and its title can not be taken by another', () => {
    const shared = new Map()
    const thing = Type.Object({ id: Uuid() }, { title: 'Thing' })
    assert.deepEqual(describeSchema(thing, shared), { $ref: '#/components/schemas/Thing' })
    assert.deepEqual(describeSchema(Nullable(thing), shared), {
      anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }],
    })
    assert.throws(() => describeSchema(Type.Object({}, { title: 'Thing' }), shared), /title Thing/)
  })

  test('a keyword that it does not know is refused, not passed on', () => {
    assert.throws(() => shape(Type.String({ shoutsBack: true })), /shoutsBack/)
  })
})

describe('describeApi', () => {
  test('names are made from summaries', () => {
    assert.equal(operationIdOf({ summary: 'Cancel a signature request' }), 'cancelSignatureRequest')
    assert.equal(operationIdOf({ summary: 'List requests, newest first' }), 'listRequests')
    assert.equal(operationIdOf({ summary: 'Add, change or remove a key’s name' }), 'addChangeOrRemoveKeyName')
  })

  test('parameters carry their place and their description', () => {
    const { parameters } = describeOne()
    assert.deepEqual(parameters, [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'Id of the thing.',
        schema: { type: 'string', format: 'uuid' },
      },
      { name: 'search', in: 'query', required: false, description: 'Words to look for.', schema: { type: 'string' } },
      { $ref: '#/components/parameters/IdempotencyKey' },
    ])
  })

  test('a refusal is shown where it can happen', () => {
    const statuses = (changes: Partial<Route>) => Object.keys(describeOne(changes).responses).map(Number)
    const reading = { method: 'GET', body: undefined } as unknown as Partial<Route>
    assert.deepEqual(statuses({}), [200, 204, 400, 401, 403, 408, 413, 415, 429, 500, 503])
    assert.deepEqual(statuses(reading), [200, 204, 400, 401, 403, 429, 500, 503])
    assert.deepEqual(
      statuses({ ...reading, errorStatuses: { forbidden: 401, notFound: 404 } }),
      [200, 204, 400, 401, 404, 429, 500, 503],
    )
  })

  test('answers without a body have no content, bytes have their type', () => {
    const bytes = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })
    const { responses } = describeOne({ response: { 200: bytes, 204: Nothing }, responseType: 'application/zip' })
    assert.ok('content' in responses[200]! && 'application/zip' in responses[200].content!)
    assert.ok(!('content' in responses[204]!))
  })

  test('a streamed body shows its type', () => {
    const body = Type.Unsafe<Buffer>({ type: 'string', format: 'binary', contentMediaType: 'application/pdf' })
    assert.deepEqual(Object.keys(describeOne({ bodyKind: 'stream', body }).requestBody!.content), ['application/pdf'])
  })

  test('login takes no repeats, and no token', () => {
    const login = describeOne({ permission: 'identity:login', ignoresIdempotencyKey: true })
    assert.deepEqual(login.security, [{ subscriptionKey: [] }])
    assert.ok(!JSON.stringify(login.parameters).includes('IdempotencyKey'))
  })

  test('a public operation needs nothing, and refuses nobody who does not call too often', () => {
    const open = describeOne({ isPublic: true, response: { 200: Type.Object({}) } })
    assert.deepEqual(open.security, [])
    assert.deepEqual(Object.keys(open.responses), ['200', '400', '408', '413', '415', '500', '503'])
    const bounded = describeOne({ isPublic: true, callsPerMinute: 60, response: { 200: Type.Object({}) } })
    assert.ok('429' in bounded.responses)
  })

  test('what signatories call asks for their session, in the words of every other refusal', () => {
    const open = describeOne({ isPublic: true, permission: 'signer:self', response: { 200: Type.Object({}) } })
    assert.deepEqual(open.security, [])
    assert.ok(['401', '403', '429'].every((status) => status in open.responses))
  })

  test('two operations with one name, one place or an unknown tag are refused', () => {
    const describeAll = (...all: Route[]) => describeApi(all, { version: '1.0.0' })
    assert.throws(() => describeAll(makeRoute(), makeRoute({ method: 'POST' })), /called changeThing/)
    assert.throws(() => describeAll(makeRoute(), makeRoute({ summary: 'Replace a thing' })), /two operations are at/)
    assert.throws(() => describeAll(makeRoute({ tag: 'Elsewhere' })), /tag Elsewhere/)
  })
})
