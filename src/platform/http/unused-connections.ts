import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps account of connections on which nothing has been asked yet. Browsers open them ahead, and a server that stops
 * would wait for them as if something were under way. The answer ends them.
 */
export function watchUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return () => {
    for (const socket of unused) socket.destroy()
  }
}
