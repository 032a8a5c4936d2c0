import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { readSmallBody } from './incoming-body.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\nContent-Type: application/json\r\n\r\n'

describe('the wait for a body', () => {
  let server: Server

  before(async () => {
    server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  async function receive(sent: string): Promise<{ request: IncomingMessage; sender: Socket }> {
    const sender = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const received = once(server, 'request')
    sender.write(sent)
    const [request] = (await received) as [IncomingMessage]
    return { request, sender }
  }

  test('does not begin for a sender who has gone: nobody would ever end it', async (t) => {
    const { request, sender } = await receive(HEAD)
    request.on('error', () => {})
    sender.destroy()
    await t.waitFor(() => assert.ok(request.destroyed))
    const timers = t.mock.method(globalThis, 'setInterval').mock
    const reading = readSmallBody(request)
    assert.equal(timers.callCount(), 0)
    timers.restore()
    await assert.rejects(reading)
  })

  test('does not begin for a body that is here already', async (t) => {
    const { request, sender } = await receive(`${HEAD}{"a":1}`)
    await t.waitFor(() => assert.ok(request.complete))
    const timers = t.mock.method(globalThis, 'setInterval').mock
    const reading = readSmallBody(request)
    assert.equal(timers.callCount(), 0)
    timers.restore()
    assert.deepEqual((await reading).value, { a: 1 })
    sender.destroy()
  })

  const ends: [how: string, end: (sender: Socket) => void][] = [
    ['with the body', (sender) => sender.write('{"a":1}')],
    ['with the connection', (sender) => sender.destroy()],
  ]
  for (const [how, end] of ends) {
    test(`ends ${how}`, async (t) => {
      const { request, sender } = await receive(HEAD)
      request.on('error', () => {})
      const timers = t.mock.method(globalThis, 'setInterval').mock
      const reading = readSmallBody(request)
      const look = timers.calls[0]!.result!
      timers.restore()
      const ended = t.mock.method(globalThis, 'clearInterval').mock
      end(sender)
      await reading.catch(() => {})
      await t.waitFor(() => assert.ok(ended.calls.some(({ arguments: [timer] }) => timer === look)))
      sender.destroy()
    })
  }
})
