import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { fetchBytes, OutboundError, type BytesRequest } from './fetch-bytes.ts'

describe('small answers from outside', () => {
  let server: Server
  let origin: string
  const asked: string[] = []

  before(async () => {
    server = createServer((request, response) => {
      asked.push(request.url!)
      if (request.url === '/echo') request.pipe(response)
      else if (request.url === '/redirect') response.writeHead(302, { location: '/echo' }).end()
      else if (request.url === '/large') response.end(Buffer.alloc(2000))
      else if (request.url === '/endless') setInterval(() => response.write('x'), 5).unref()
      else if (request.url !== '/silent') response.writeHead(503).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const ask = (path: string, more: Partial<BytesRequest> = {}) =>
    fetchBytes({
      url: origin + path,
      method: 'GET',
      isChosenByOperator: true,
      timeoutMs: 60_000,
      mostBytes: 1000,
      ...more,
    })

  test('a body goes there and comes back', async () => {
    const body = Buffer.from('hello')
    assert.deepEqual(await ask('/echo', { method: 'POST', body }), body)
  })

  const refusals: [what: string, path: string, message: RegExp, timeoutMs?: number][] = [
    ['another status', '/broken', /status 503/],
    ['a redirect is not followed', '/redirect', /status 302/],
    ['more than the limit', '/large', /more than 1000 bytes/],
    ['no answer', '/silent', /did not answer in time/, 300],
    ['an answer without end', '/endless', /in time|more than/, 300],
  ]
  for (const [what, path, message, timeoutMs = 60_000] of refusals) {
    test(`refused: ${what}`, async () => {
      await assert.rejects(
        ask(path, { timeoutMs }),
        (error) => error instanceof OutboundError && message.test(error.message),
      )
    })
  }

  test('refused: nobody listens, and a scheme that is not spoken', async () => {
    await assert.rejects(ask('', { url: 'http://127.0.0.1:1/' }), OutboundError)
    await assert.rejects(ask('', { url: 'file:///etc/hostname' }), OutboundError)
  })

  test('an address that is not the operator’s must be public; nothing is sent to any other', async () => {
    const before = asked.length
    const { port } = server.address() as AddressInfo
    for (const url of [
      `${origin}/echo`,
      `http://localhost:${port}/echo`,
      `http://[::1]:${port}/`,
      'http://10.0.0.1/',
    ]) {
      await assert.rejects(ask('', { url, isChosenByOperator: false }), OutboundError)
    }
    assert.equal(asked.length, before)
  })
})
