import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { describeApi } from '../openapi/describe-api.ts'
import { API_HEADERS } from '../server.ts'
import { addReference } from './add-reference.ts'

describe('the API reference', () => {
  const document = describeApi([], { version: '1.2.3' })
  const app = Fastify()
  // As on the real server: every answer starts with the headers of the API, which fit no page.
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...API_HEADERS, vary: 'Origin' })
  })
  addReference(app, { document })
  after(() => app.close())

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const listScripts = (page: string) => [...page.matchAll(/<script src="([^"]+)">/g)].map((match) => match[1]!)

  test('the front door leads to it', async () => {
    const { statusCode, headers } = await get('/')
    assert.deepEqual([statusCode, headers.location], [302, '/docs'])
  })

  test('the document is served as it is, and not again to whoever has it', async () => {
    const { body, headers, statusCode } = await get('/openapi.json')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(document)))
    const again = await get('/openapi.json', { 'if-none-match': String(headers.etag) })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
  })

  test('the page lets scripts come from its own origin alone, none of them inside the page', async () => {
    const { body, headers } = await get('/docs')
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-cache')
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'; script-src 'self';/)
    assert.match(policy, /connect-src 'self';.*frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/)
    assert.doesNotMatch(body, /https?:\/\//)
    assert.doesNotMatch(body, /<script>/)
  })

  test('its scripts are named by their content and kept for good, compressed for whoever reads that', async () => {
    const scripts = listScripts((await get('/docs')).body)
    assert.equal(scripts.length, 2)
    for (const address of scripts) {
      assert.match(address, /^\/docs\/(reference|start)-[0-9a-f]{16}\.js$/)
      const plain = await get(address)
      const packed = await get(address, { 'accept-encoding': 'gzip, deflate, br' })
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
      assert.equal(plain.headers['x-content-type-options'], 'nosniff')
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.equal(packed.headers['content-encoding'], 'gzip')
      assert.equal(packed.headers.vary, 'Origin, Accept-Encoding')
      assert.ok(gunzipSync(packed.rawPayload).equals(plain.rawPayload))
    }
  })

  test('gzip that is refused by its weight is not sent', async () => {
    assert.equal(
      (await get('/openapi.json', { 'accept-encoding': 'br, gzip;q=0' })).headers['content-encoding'],
      undefined,
    )
    assert.equal((await get('/openapi.json', { 'accept-encoding': 'gzip;q=0.5' })).headers['content-encoding'], 'gzip')
  })

  test('other names below it are not found', async () => {
    for (const name of ['reference-0000000000000000.js', 'package.json', '..%2fpackage.json']) {
      assert.equal((await get(`/docs/${name}`)).statusCode, 404, name)
    }
  })
})
