// What the edge does with calls that no honest client sends, held over a real socket.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { sendRaw } from './raw-http.ts'
import { startService, type TestService, type TestTenant } from './service.ts'

describe('the edge', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant()
  })
  after(() => service.stop())

  const put = (raw: string | Buffer, headers: Record<string, string> = {}) =>
    acme.call('PUT', `/sealing/sealingrequest/${newId()}`, undefined, { raw, headers })

  test('reads application/json, application/json-patch+json, and a body without any type', async () => {
    const types: Record<string, string>[] = [
      { 'content-type': 'application/json' },
      { 'content-type': 'application/json; charset=utf-8' },
      { 'content-type': 'application/json-patch+json' },
      { 'content-type': 'APPLICATION/JSON' },
    ]
    for (const headers of types)
      assert.equal((await put('{"subject":"x"}', headers)).status, 200, JSON.stringify(headers))
    const bare = `PUT /sealing/sealingrequest/${newId()} HTTP/1.1\r\nHost: x\r\nOcp-Apim-Subscription-Key: ${acme.key}\r\nContent-Length: 15\r\n\r\n{"subject":"x"}`
    assert.equal((await sendRaw(service.url, bare)).status, 200)
  })

  test('answers 415 to other types, other charsets and encodings', async () => {
    const types: Record<string, string>[] = [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ]
    for (const headers of types) {
      const { status, json } = await put('{"subject":"x"}', headers)
      assert.equal(status, 415, JSON.stringify(headers))
      assert.equal(json.classification, 'InvalidArgument')
    }
  })

  const json = { 'content-type': 'application/json' }
  const deep = (levels: number) => `{"subject":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const hostile: [what: string, body: string | Buffer][] = [
    ['nothing at all', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['a number', '1'],
    ['null', 'null'],
    ['a NUL character', '{"subject":"a\\u0000b"}'],
    ['a NUL in a name', '{"a\\u0000":1}'],
    ['a lone surrogate', '{"subject":"\\ud800"}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x73, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    [
      'an over-long encoding',
      Buffer.concat([Buffer.from('{"subject":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    ],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"subject":"x"}')])],
    ['UTF-16', Buffer.from('{"subject":"x"}', 'utf16le')],
    ['forty levels', deep(40)],
    ['half a million levels', deep(250_000)],
    ['__proto__', '{"__proto__":{"isAdmin":true}}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"isAdmin":true}}}'],
    ['the same name twice', '{"subject":"a","subject":"b"}'],
    ['a number out of range', '{"subject":"a","x":1e400}'],
    ['NaN', '{"subject":NaN}'],
    ['a number for a text', '{"subject":123}'],
    ['a list for a text', '{"subject":["x"]}'],
    ['a text for a UUID', '{"departmentId":"x"}'],
  ]
  for (const [what, body] of hostile) {
    test(`answers 400 to a body of ${what}`, async () => {
      const { status, json: answer, text } = await put(body, json)
      assert.equal(status, 400)
      assert.equal(answer.classification, 'InvalidArgument')
      assert.doesNotMatch(text, /node:|\.ts\b|select |22P0|at Object/i)
      assert.equal(({} as Record<string, unknown>).isAdmin, undefined)
    })
  }

  test('ignores fields that are not the caller’s to set', async () => {
    const { json: made } = await put(
      JSON.stringify({ subject: 'x', id: newId(), version: 99, creationDate: '1999-01-01T00:00:00Z', isAdmin: true }),
      json,
    )
    assert.equal(made.status, 'Draft')
    assert.ok(made.creationDate > '2020')
    assert.equal('isAdmin' in made, false)
  })

  test('answers 413 to a body over its limit, with or without a length, and 413 comes fast', async () => {
    const startedAt = performance.now()
    const big = `{"subject":"${'x'.repeat(1024 * 1024)}"}`
    assert.equal((await put(big, json)).status, 413)
    const chunked = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 20; n++) controller.enqueue(new TextEncoder().encode('x'.repeat(100_000)))
        controller.close()
      },
    })
    const { status } = await acme
      .call('PUT', `/sealing/sealingrequest/${newId()}`, undefined, { raw: chunked, headers: json })
      .catch(() => ({ status: 413 }))
    assert.equal(status, 413)
    assert.ok(performance.now() - startedAt < 8_000)
  })

  test('knows a path with and without its trailing slash, and 404s the rest', async () => {
    for (const path of ['/sealing/sealingrequest', '/sealing/sealingrequest/'])
      assert.equal((await acme.call('GET', path)).status, 200)
    for (const path of ['/nothing', '/sealing', '/SEALING/sealingrequest', '/sealing//sealingrequest']) {
      const { status, json: answer } = await acme.call('GET', path)
      assert.equal(status, 404, path)
      assert.equal(answer.classification, 'EntityNotFound')
    }
  })

  const malformed: [what: string, bytes: string][] = [
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a disguised transfer encoding', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a bad chunk size', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n'],
    ['a header with a line break', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\nb\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['nonsense', 'hello\r\n\r\n'],
  ]
  for (const [what, bytes] of malformed) {
    test(`refuses ${what} and closes the connection`, async () => {
      const { status, text } = await sendRaw(service.url, bytes)
      assert.equal(status, 400)
      assert.match(text, /connection: close/i)
    })
  }

  /** Read in another way than by whoever stands before the service, what follows would be somebody else's request. */
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
  const post = (headers: string, body: string) => `POST /hidden HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`
  const chunked = 'Transfer-Encoding: chunked'
  const ambiguous: [what: string, bytes: string][] = [
    ['a space before the colon', post('Transfer-Encoding : chunked', `0\r\n\r\n${smuggled}`)],
    ['two transfer encodings', post(`${chunked}\r\nTransfer-Encoding: identity`, `0\r\n\r\n${smuggled}`)],
    ['chunks and a length', post(`${chunked}\r\nContent-Length: 5`, `0\r\n\r\n${smuggled}`)],
    ['a length and chunks in one line', post(`Content-Length: 5\n${chunked}`, `0\r\n\r\n${smuggled}`)],
    ['a line feed in a chunk extension', post(chunked, `2;\nxx\r\n0\r\n\r\n${smuggled}`)],
    ['a chunk that ends with a line feed', post(chunked, `2\nab\n0\n\n${smuggled}`)],
    ['line feeds alone', `POST /hidden HTTP/1.1\nHost: x\n${chunked}\n\n0\n\n${smuggled}`],
    ['a folded header', post('Transfer-Encoding:\r\n chunked', `0\r\n\r\n${smuggled}`)],
    ['a folded length', post('Content-Length:\r\n\t0', smuggled)],
    ['a length with a sign', post('Content-Length: +0', smuggled)],
  ]
  for (const [what, bytes] of ambiguous) {
    test(`smuggling: ${what} is refused, and nothing behind it is read`, async () => {
      const { status, text } = await sendRaw(service.url, bytes, { waitMs: 2_000 })
      assert.equal(status, 400, text)
      assert.equal(text.match(/HTTP\/1\.1 \d{3}/g)?.length, 1, text)
      assert.match(text, /connection: close/i)
    })
  }

  test('smuggling would be seen: of two honest requests both are answered', async () => {
    const { text } = await sendRaw(service.url, post(chunked, `0\r\n\r\n${smuggled}`), { waitMs: 2_000 })
    assert.equal(text.match(/HTTP\/1\.1 404/g)?.length, 2, text)
  })

  test('answers 431 to headers without end, 400 or 404 to strange addresses, and stays alive', async () => {
    assert.equal(
      (await sendRaw(service.url, `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`)).status,
      431,
    )
    for (const path of [
      '/user/profile/%zz',
      '/user/profile/%ff',
      `/user/profile/${'a'.repeat(3000)}`,
      '/user/profile/%00',
      '/%2e%2e/%2e%2e',
    ]) {
      const bytes = `GET ${path} HTTP/1.1\r\nHost: x\r\nOcp-Apim-Subscription-Key: ${acme.key}\r\nConnection: close\r\n\r\n`
      const { status, text } = await sendRaw(service.url, bytes)
      assert.ok([400, 404].includes(status), `${path}: ${text}`)
      assert.match(text, /x-request-id: [0-9a-f-]{36}/i, path)
      assert.match(text, /"classification":"(InvalidArgument|EntityNotFound)"/, path)
    }
    assert.equal((await acme.call('GET', `/user/profile/${acme.administratorId}`)).status, 200)
  })

  test('answers 400 to queries that are not what they say: no text, twice the same, a list', async () => {
    const path = '/signing/signaturerequest'
    for (const query of [
      'search=a%00b',
      'search=%ff',
      'search=%c0%ae',
      'search=%ed%a0%80',
      'search=%',
      'search=a&search=b',
      'take=5&take=6',
      'take=1e400',
      'take=-0.5',
      'take=0x10',
      'take=9007199254740993',
      'take=NaN',
      'departmentId=1',
    ]) {
      const { status, text } = await acme.call('GET', `${path}?${query}`)
      assert.equal(status, 400, `${query}: ${text}`)
      assert.match(text, /"classification":"InvalidArgument"/, query)
    }
    for (const name of ['__proto__', '__proto__[x]', 'constructor', 'constructor[prototype][x]']) {
      await acme.call('GET', `${path}?${name}=1`)
      assert.equal(({} as Record<string, unknown>)['x'], undefined, name)
    }
    const header = `GET ${path} HTTP/1.1\r\nHost: x\r\nOcp-Apim-Subscription-Key: a\u0000b\r\n\r\n`
    assert.equal((await sendRaw(service.url, header)).status, 400)
  })

  test('gives every answer a request id and the headers that browsers need', async () => {
    for (const path of ['/nothing', '/sealing/sealingrequest']) {
      const { headers } = await acme.call('GET', path)
      assert.match(headers.get('x-request-id')!, /^[0-9a-f-]{36}$/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
    }
  })

  test('tells how many calls are left, and answers 429 with Retry-After beyond them', async () => {
    const small = await startService({ COUNTERSIGN_RATE_LIMIT: '3' })
    try {
      const tenant = await small.createTenant()
      const call = () => tenant.call('GET', `/user/profile/${tenant.administratorId}`)
      const left = [await call(), await call(), await call()].map((reply) => reply.headers.get('ratelimit-remaining'))
      assert.deepEqual(left, ['2', '1', '0'])
      const refused = await call()
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
    } finally {
      await small.stop()
    }
  })

  test('never echoes a database error', async () => {
    await service.database.asOwner('alter table sealing_request rename column subject to subject_gone')
    try {
      const { status, json: answer, text, headers } = await put('{"subject":"x"}', json)
      assert.equal(status, 500)
      assert.equal(answer.classification, 'InternalError')
      assert.ok(answer.message.includes(headers.get('x-request-id')))
      assert.doesNotMatch(text, /subject_gone|column|42703/)
    } finally {
      await service.database.asOwner('alter table sealing_request rename column subject_gone to subject')
    }
  })
})
