// Receivers of webhooks in a process of their own: many that answer at once, and one that never does.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

type Order = { cert: string; key: string; receivers: number }

process.on('disconnect', () => process.exit())
process.once('message', (order) => void start(order as Order))

async function start({ cert, key, receivers }: Order): Promise<void> {
  const answering = Array.from({ length: receivers }, () =>
    createServer({ cert, key, keepAlive: true }, (request, response) => {
      request.resume().once('end', () => response.writeHead(204).end())
    }),
  )
  const dead = createServer({ cert, key }, () => {})
  const ports = await Promise.all(
    [...answering, dead].map(
      (server) =>
        new Promise<number>((resolve) => {
          server.keepAliveTimeout = 60_000
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
        }),
    ),
  )
  process.send!({ ports: ports.slice(0, -1), deadPort: ports.at(-1) })
}
