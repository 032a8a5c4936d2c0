// The document, the routes and the interface say the same.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { routes } from '#main/routes.ts'
import { ensureWebBuilt } from '#main/web-build.ts'
import { describeApi } from '#platform/http/openapi/describe-api.ts'
import { ADDITION } from '#platform/http/openapi/sub-apis.ts'
import { clientFiles } from '../tools/client/client-files.ts'
import { currentApi, OPENAPI_PATH, writeOpenApi } from '../tools/reference/openapi-file.ts'
import { createDatabase } from './database.ts'
import { databaseEnvironment, startMachine } from './machines.ts'

/** The operations of the interface by number. A slash at the end of a path makes no difference, so none is written. */
const INTERFACE: Record<number, string> = {
  1: 'POST /signing/signaturerequest/{id}/cancel',
  2: 'PUT /metadata/list/{entityType}/{entityId}',
  3: 'GET /metadata/{entityType}/{entityId}',
  4: 'POST /sealing/sealingrequest/{sealingRequestId}/document',
  5: 'GET /sealing/sealingrequest/{sealingRequestId}/document',
  6: 'DELETE /sealing/sealingrequest/{sealingRequestId}/document/{documentId}',
  7: 'PUT /sealing/sealingrequest/{sealingRequestId}',
  8: 'GET /sealing/sealingrequest',
  9: 'GET /documenttemplating/template',
  10: 'GET /onboarding/department',
  11: 'POST /onboarding/department',
  12: 'DELETE /onboarding/department/{id}',
  13: 'GET /user/profile/{id}',
  14: 'POST /onestepsigning/signaturerequest',
  15: 'POST /identity/login',
  16: 'GET /storage/document/{uri}',
  17: 'GET /event/signaturerequest/{signatureRequestId}',
  18: 'PATCH /archiving/signaturerequest/{id}',
  19: 'GET /hooks/v1',
  20: 'POST /hooks/v1/subscription',
  21: 'GET /hooks/v1/subscription',
  22: 'GET /hooks/v1/subscription/{subscriptionId}',
  23: 'DELETE /hooks/v1/subscription/{subscriptionId}',
}

const SUCCESS: Record<number, number[]> = {
  1: [200, 204],
  13: [200, 204],
  14: [202],
  15: [200, 204],
  18: [202],
  20: [202],
  23: [202],
}

const HAS_NO_403 = new Set([10, 11, 12])
const HAS_404 = new Set([22, 23])
const MAY_BE_PUBLIC =
  /^GET \/\w+\/\.well-known\/jwks\.json$|^POST \/console\/(session|password)|^(GET|POST) \/(sign\/(api|strong)|verify\/api|pki|log)\//
const NEEDS_TOKEN = new Set([19, 20, 21, 22, 23])

/** Whoever adds HTML or CSV has people's words to make harmless in it first. */
const ANSWERED_TYPES = [
  '*/*', // A stored document has its own type; it goes out as an attachment.
  'application/json',
  'application/ocsp-response',
  'application/octet-stream',
  'application/pdf',
  'application/pkix-cert',
  'application/pkix-crl',
  'application/zip',
  'text/event-stream',
  'text/plain',
  'text/plain; charset=utf-8',
]

const PAGES = [
  '/console',
  '/console/*',
  '/sign',
  '/sign/paper',
  '/sign/{token}',
  '/sign/{token}/report',
  '/verify',
  '/verify/{code}',
]
/** What the server answers beside its operations. Whoever adds to it says here that no caller needs to know. */
const BESIDE_THE_DOCUMENT = [
  ...['/', '/docs', '/docs/{name}', '/openapi.json', '/assets/*', '/metrics'].map((url) => `GET ${url}`),
  ...['/healthz', '/readyz', ...PAGES].flatMap((url) => [`GET ${url}`, `HEAD ${url}`]),
]

/** Names become methods of clients: a summary names, and the description explains. */
const MOST_WORDS_IN_A_NAME = 5
const wordsIn = (name: string) => name.match(/[A-Z]|^[a-z]/g)!.length

const document = describeApi(routes, { version: '1.0.0' })
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ address: `${method.toUpperCase()} ${path}`, ...operation })),
)
const numbered = operations.flatMap(({ 'x-operation': number, ...operation }) =>
  number === undefined ? [] : [{ number, ...operation }],
)

describe('the OpenAPI document', () => {
  test('the committed file is what the routes say (npm run openapi writes it)', () => {
    assert.equal(readFileSync(OPENAPI_PATH, 'utf8'), writeOpenApi())
  })

  test('the client’s types and methods are what the document says (npm run openapi writes them)', () => {
    for (const [path, text] of clientFiles(currentApi())) assert.equal(readFileSync(path, 'utf8'), text)
  })

  test('every operation of the interface is there under its number, with its method and path', () => {
    const found = numbered.map(({ number, address }) => [number, address.replace(/\/$/, '')])
    assert.deepEqual(Object.fromEntries(found), INTERFACE)
    assert.equal(found.length, Object.keys(INTERFACE).length, 'a number is used twice')
  })

  test('each route of the running server is one operation, and nothing else is but the pages', async () => {
    const registered = await routesOfServer()
    const asOperations = registered.map((route) => route.replaceAll(/:(\w+)/g, '{$1}'))
    const known = [...operations.map(({ address }) => address), ...BESIDE_THE_DOCUMENT]
    assert.deepEqual(asOperations.toSorted(), known.toSorted())
  })

  test('operations of the interface and additions are told apart by tag', () => {
    for (const { address, tags, ...operation } of operations) {
      assert.equal(tags.includes(ADDITION), operation['x-operation'] === undefined, address)
    }
  })

  test('every operation has a name of its own, and every tag a description', () => {
    const ids = operations.map(({ operationId }) => operationId)
    assert.equal(new Set(ids).size, ids.length)
    for (const id of ids) assert.match(id, /^[a-z][A-Za-z0-9]+$/)
    for (const id of ids) assert.ok(wordsIn(id) <= MOST_WORDS_IN_A_NAME, `${id}: shorten the summary, explain below it`)
    const described = new Set(document.tags.map(({ name }) => name))
    for (const { address, tags } of operations)
      assert.ok(
        tags.every((tag) => described.has(tag)),
        address,
      )
  })

  test('the statuses are those of the interface', () => {
    for (const { number, responses, address } of numbered) {
      for (const status of SUCCESS[number] ?? [200]) assert.ok(status in responses, `${address} lacks ${status}`)
      for (const status of [400, 401, 500]) assert.ok(status in responses, `${address} lacks ${status}`)
      assert.equal('403' in responses, !HAS_NO_403.has(number), `403 of ${address}`)
      assert.equal('404' in responses, HAS_404.has(number), `404 of ${address}`)
    }
  })

  test('no operation answers with what a browser would show as a page or a spreadsheet would compute', () => {
    const types = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap((response) => Object.keys((response as { content?: object }).content ?? {})),
    )
    assert.deepEqual([...new Set(types)].toSorted(), ANSWERED_TYPES)
  })

  test('the key is needed everywhere but for public keys, the token on the hooks operations', () => {
    for (const { address, security } of operations) {
      const withKey = security.length > 0 && security.every((credentials) => 'subscriptionKey' in credentials)
      assert.ok(withKey || MAY_BE_PUBLIC.test(address), address)
    }
    for (const { number, security, address } of numbered) {
      const always = security.every((credentials) => 'bearerToken' in credentials)
      assert.equal(always, NEEDS_TOKEN.has(number), address)
    }
  })

  test('what is answered in parts may have no such part, which is said too', () => {
    for (const { address, responses } of operations) assert.equal('206' in responses, '416' in responses, address)
  })

  test('a stored document is described in each of its forms, and so is an upload', () => {
    const find = (wanted: string) => operations.find(({ address }) => address === wanted)!
    const { responses } = find('GET /storage/document/{uri}')
    assert.deepEqual(Object.keys((responses[200] as { content: object }).content), [
      '*/*',
      'text/plain',
      'application/json',
    ])
    const { requestBody } = find('POST /storage/document')
    assert.deepEqual(Object.keys(requestBody!.content), ['application/octet-stream', 'multipart/form-data'])
  })

  test('JSON bodies are offered in both content types', () => {
    for (const { address, requestBody } of numbered.filter((operation) => operation.requestBody !== undefined)) {
      const types = Object.keys(requestBody!.content)
      assert.deepEqual(types, ['application/json', 'application/json-patch+json'], address)
    }
  })

  test('nothing of our own schema words is left in it', () => {
    assert.doesNotMatch(
      JSON.stringify(document),
      /"(eitherInitial|keepsNull|~kind|~optional)"|"format":"(document-content|phone|file-name|language)"/,
    )
  })

  test('every reference leads somewhere', () => {
    for (const [, kind, name] of JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      const parts = document.components[kind as keyof typeof document.components]
      assert.ok(Object.hasOwn(parts, name!), `${kind} ${name}`)
    }
  })
})

/** Every route that a server registers in a process of its own. */
async function routesOfServer(): Promise<string[]> {
  await ensureWebBuilt()
  const database = await createDatabase()
  try {
    const environment = databaseEnvironment(database)
    const server = await startMachine({ part: 'serve', environment, preload: 'test/print-routes.ts' })
    await server.end('SIGTERM')
    return [...server.output().matchAll(/^registered route (.+)$/gm)].map(([, route]) => route!)
  } finally {
    await database.drop()
  }
}
