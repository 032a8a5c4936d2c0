import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { startService } from '../../../test/service.ts'

describe('a server that stops', () => {
  test('does not wait for connections on which nothing was asked', { timeout: 180_000 }, async () => {
    const service = await startService()
    const { port } = service.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    const closed = once(socket, 'close')
    const startedAt = performance.now()
    await service.stop()
    await closed
    assert.ok(performance.now() - startedAt < 30_000, 'a connection that is waited for lasts for a minute')
  })
})
