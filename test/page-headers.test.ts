// Every page for people comes with headers that leave nothing to the browser's good will.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { describeApi } from '#platform/http/openapi/describe-api.ts'
import { addReference } from '#platform/http/docs-page/add-reference.ts'
import { routes } from '#main/routes.ts'
import { ensureWebBuilt } from '#main/web-build.ts'
import { startService, type TestService } from './service.ts'

const PAGES = ['/sign', '/sign/some-token', '/verify', '/verify/some-code', '/console', '/console/requests/new']

/** The directives of a policy by name. */
function directivesOf(policy: string): Map<string, string[]> {
  return new Map(policy.split('; ').map((part) => [part.split(' ')[0]!, part.split(' ').slice(1)]))
}

describe('the headers of pages', () => {
  let service: TestService

  before(async () => {
    await ensureWebBuilt()
    service = await startService({ COUNTERSIGN_PUBLIC_URL: 'https://sign.example.com' })
  })
  after(() => service.stop())

  for (const path of PAGES) {
    test(`${path}: a strict policy, no frame, no cache, no referrer, no foreign window`, async () => {
      const { status, headers } = await service.call('GET', path)
      assert.equal(status, 200)
      const policy = directivesOf(headers.get('content-security-policy')!)
      assert.deepEqual(policy.get('default-src'), ["'none'"])
      assert.deepEqual(policy.get('object-src'), ["'none'"])
      assert.deepEqual(policy.get('base-uri'), ["'none'"])
      assert.deepEqual(policy.get('frame-ancestors'), ["'none'"])
      assert.deepEqual(policy.get('require-trusted-types-for'), ["'script'"])
      const allowed = [...policy.values()].flat()
      const isOurs = (source: string) =>
        /^('self'|'none'|'script'|'wasm-unsafe-eval'|'nonce-[\w+/=-]+'|blob:|data:)$/.test(source)
      assert.deepEqual(
        allowed.filter((source) => !isOurs(source)),
        [],
      )
      assert.ok(!policy.get('script-src')!.some((source) => ['blob:', 'data:'].includes(source)))
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000; includeSubDomains')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
      assert.match(headers.get('permissions-policy')!, /camera=\(\).*geolocation=\(\).*microphone=\(\)/)
      assert.deepEqual(headers.getSetCookie(), [], 'looking changes nothing')
    })
  }

  test('every answer of the interface: nothing may be run, framed, kept or guessed at', async () => {
    for (const path of ['/nothing', '/identity/me', '/healthz', '/log/key', '/storage/document/x']) {
      const { headers } = await service.call('GET', path)
      assert.match(headers.get('content-security-policy')!, /default-src 'none'; frame-ancestors 'none'/, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      assert.match(headers.get('strict-transport-security')!, /max-age=31536000/, path)
    }
  })

  test('the reference loads our own scripts alone', async () => {
    const app = service.app
    assert.ok(app.hasRoute({ method: 'GET', url: '/sign' }))
    const { default: Fastify } = await import('fastify')
    const server = Fastify()
    addReference(server, { document: describeApi(routes, { version: '1.0.0' }) })
    try {
      const { headers } = await server.inject('/docs')
      const policy = directivesOf(String(headers['content-security-policy']))
      assert.deepEqual(policy.get('script-src'), ["'self'"])
      assert.deepEqual(policy.get('frame-ancestors'), ["'none'"])
      assert.deepEqual(policy.get('connect-src'), ["'self'"])
    } finally {
      await server.close()
    }
  })
})
