// The built signing page: how large it is, what it is served with, and that it understands the service's refusals.
import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import * as signing from '#features/signing/errors.ts'
import * as signer from '#features/signer/errors.ts'
import { LANGUAGES } from '#i18n/languages.ts'
import { ensureWebBuilt, hashWebSources, STAMP_FILE, WEB_FOLDER } from '#main/web-build.ts'
import { API_HEADERS } from '#platform/http/server.ts'
import { addPages, pagePolicy, paperPolicy } from '#platform/http/static-pages.ts'
import { REFUSALS } from '../../src/web/sign/signer-api.ts'

const MOST_FIRST_LOAD_BYTES = 20_000

describe('the signing page', () => {
  const app = Fastify({ exposeHeadRoutes: false })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...API_HEADERS, vary: 'Origin' })
  })
  addPages(app, { folder: WEB_FOLDER })
  before(() => ensureWebBuilt())
  after(() => app.close())

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const shell = async () => (await get('/sign')).body
  const listEntries = (page: string) =>
    [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!)

  test('the first load, in any language and without the PDF renderer, is less than 20 KB', async () => {
    const page = await shell()
    const entries = listEntries(page).map((address) => sizeOf(address))
    const start = brotliCompressSync(page).length + sum(entries)
    for (const language of LANGUAGES) {
      const [words] = globSync(`assets/${language}-*.js`, { cwd: WEB_FOLDER })
      const whole = start + sizeOf(`/${words}`)
      assert.ok(whole < MOST_FIRST_LOAD_BYTES, `${language}: ${whole} bytes`)
    }
    assert.equal(entries.length, 2, 'one script and one style sheet, nothing preloaded beside them')
  })

  test('what is built says what it was built from', () => {
    assert.equal(readFileSync(join(WEB_FOLDER, STAMP_FILE), 'utf8'), hashWebSources())
  })

  test('every link gets the same page, with exactly these headers and a number of its own', async () => {
    const { statusCode, headers, body } = await get('/sign/some-token')
    assert.equal(statusCode, 200)
    const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))![1]!
    assert.deepEqual(
      {
        policy: headers['content-security-policy'],
        type: headers['content-type'],
        cache: headers['cache-control'],
        referrer: headers['referrer-policy'],
        sniff: headers['x-content-type-options'],
        opener: headers['cross-origin-opener-policy'],
        resource: headers['cross-origin-resource-policy'],
      },
      {
        policy: pagePolicy(nonce),
        type: 'text/html; charset=utf-8',
        cache: 'no-store',
        referrer: 'no-referrer',
        sniff: 'nosniff',
        opener: 'same-origin',
        resource: 'same-origin',
      },
    )
    assert.match(String(headers['permissions-policy']), /camera=\(\).*geolocation=\(\).*microphone=\(\)/)
    const other = await get('/sign/another-token')
    const otherNonce = /'nonce-([^']+)'/.exec(String(other.headers['content-security-policy']))![1]!
    assert.notEqual(nonce, otherNonce)
    assert.equal(body.replaceAll(nonce, ''), other.body.replaceAll(otherNonce, ''))
    assert.doesNotMatch(body, /some-token/)
  })

  test('the policy lets in our own scripts alone, and no frame around us', () => {
    assert.equal(
      pagePolicy('N'),
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'nonce-N'; worker-src 'self'; frame-src 'self'; " +
        "connect-src 'self'; " +
        "img-src 'self' blob: data:; style-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; " +
        "object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    )
  })

  test('the sandbox for documents is one for whoever opens it, and loads our renderer alone', async () => {
    const { headers } = await get('/sign/paper', { host: 'sign.example.com' })
    assert.equal(
      headers['content-security-policy'],
      "sandbox allow-scripts; default-src 'none'; " +
        "script-src http://sign.example.com https://sign.example.com 'wasm-unsafe-eval'; worker-src blob:; " +
        'connect-src http://sign.example.com https://sign.example.com; img-src blob: data:; font-src data:; ' +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'",
    )
    assert.match(paperPolicy('evil; script-src *'), /script-src 'self' /)
  })

  test('the page holds no script and no style of its own, and names no other place', async () => {
    const page = await shell()
    assert.doesNotMatch(page, /<style|style=|javascript:|https?:\/\//)
    for (const [, attributes, text] of page.matchAll(/<script([^>]*)>([^<]*)/g)) {
      assert.match(attributes!, /src="\/assets\//)
      assert.equal(text, '')
    }
  })

  test('mail scanners that only ask for the headers get them', async () => {
    const { statusCode, body } = await app.inject({ method: 'HEAD', url: '/sign/some-token' })
    assert.deepEqual([statusCode, body], [200, ''])
  })

  test('files are kept for good, and come compressed as the browser likes it', async () => {
    const [script] = listEntries(await shell()) as [string]
    const plain = await get(script)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(plain.headers['x-content-type-options'], 'nosniff')
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(plain.headers.vary, 'Origin, Accept-Encoding')
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
    ] as const) {
      const packed = await get(script, { 'accept-encoding': accepted })
      assert.equal(packed.headers['content-encoding'], encoding)
      assert.ok(unpack[encoding](packed.rawPayload).equals(plain.rawPayload))
    }
  })

  test('no name leads out of the folder', async () => {
    for (const name of [
      '../built-from.txt',
      '..%2fbuilt-from.txt',
      '%2e%2e/built-from.txt',
      '/etc/passwd',
      '',
      'x.js',
    ]) {
      assert.equal((await get(`/assets/${name}`)).statusCode, 404, name)
    }
  })

  test('the interpreter for scripts inside documents is not shipped', () => {
    assert.deepEqual(globSync('**/*{quickjs,sandbox}*', { cwd: WEB_FOLDER }), [])
  })

  test('the page knows the service’s refusals by their codes', () => {
    assert.deepEqual(REFUSALS, {
      linkNotFound: signer.linkNotFound().code,
      sessionNeeded: signer.sessionNeeded().code,
      notAuthenticated: signer.notAuthenticated('signing').code,
      wrongCode: signer.wrongCode(1).code,
      codeNotUsable: signer.codeNotUsable().code,
      tooManyTries: signer.tooManyTries().code,
      tooManyCodes: signer.tooManyCodes().code,
      shownAgain: signing.shownAgain().code,
      providerAway: signer.identityProviderAway(undefined).code,
    })
  })
})

function sizeOf(address: string): number {
  return statSync(`${join(WEB_FOLDER, address)}.br`).size
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
