import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenApiDocument, Operation, Parameter } from '#platform/http/openapi/document.ts'
import { clientFiles } from './client-files.ts'

const inPath = (name: string): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const inQuery = (name: string): Parameter => ({ name, in: 'query', schema: { type: 'string' } })
const jsonBody = (...names: string[]): Operation['requestBody'] => {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  return { required: true, content: { 'application/json': { schema: { type: 'object', properties } } } }
}
const DONE = { description: 'Done.' }
const BYTES = { schema: { type: 'string', format: 'binary' } }

/** The type and the line that an operation becomes. */
function written(path: string, method: string, parts: Partial<Operation>): { type: string; line: string } {
  const operation = {
    operationId: 'doIt',
    summary: 'Do it',
    tags: [],
    security: [],
    responses: { 204: DONE },
    ...parts,
  }
  const document = { paths: { [path]: { [method]: operation } }, components: { schemas: {} } }
  const [[, types], [, operations]] = clientFiles(document as unknown as OpenApiDocument) as [
    [string, string],
    [string, string],
  ]
  return {
    type: /doIt\([\s\S]+?\n(?=}|\n)/.exec(types)?.[0].replaceAll(/\s+/g, ' ').trim() ?? '',
    line: /doIt: '(.*)'/.exec(operations)?.[1] ?? '',
  }
}

describe('clientFiles', () => {
  test('path, query and body become one object; without any of them it may be left out', () => {
    const both = written('/things/{id}', 'patch', { parameters: [inPath('id')], requestBody: jsonBody('name') })
    assert.match(
      both.type,
      /^doIt\(input: { id: string } & { name\?: string }, options\?: CallOptions\): Promise<undefined>$/,
    )
    assert.match(
      written('/things', 'get', { parameters: [inQuery('take')] }).type,
      /^doIt\(input\?: { take\?: string }/,
    )
  })

  test('the line says what is special', () => {
    const key: Parameter = { name: 'Idempotency-Key', in: 'header', schema: {} }
    const content = { 'application/pdf': BYTES }
    assert.equal(written('/a', 'get', { parameters: [inQuery('skip'), inQuery('take')] }).line, 'GET /a @skip,take')
    assert.equal(written('/a/{b}', 'post', { parameters: [inPath('b'), key] }).line, 'POST /a/{b} bodiless')
    assert.equal(written('/a', 'post', { requestBody: jsonBody('c') }).line, 'POST /a once')
    assert.equal(written('/a', 'delete', { parameters: [inQuery('c'), key] }).line, 'DELETE /a query')
    assert.equal(
      written('/a', 'post', { parameters: [key], requestBody: { required: true, content } }).line,
      'POST /a sends-bytes',
    )
    assert.equal(written('/a', 'get', { responses: { 200: { ...DONE, content } } }).line, 'GET /a answers-bytes')
  })

  test('two fields of one name in different places stop it, for one of them would be lost', () => {
    const twice = { parameters: [inPath('id')], requestBody: jsonBody('id') }
    assert.throws(() => written('/a/{id}', 'put', twice), /two inputs of doIt have the same name/)
  })

  test('what only sends a browser on is nothing for a program', () => {
    assert.deepEqual(written('/a', 'get', { responses: { 303: DONE } }), { type: '', line: '' })
  })
})
