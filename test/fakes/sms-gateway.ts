// A small HTTP gateway for text messages that keeps what it is given.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type ReceivedText = { headers: IncomingHttpHeaders; body: unknown }

export type FakeSmsGateway = {
  url: string
  received: ReceivedText[]
  /** Taken one after the other; afterwards every answer is 202. */
  statuses: number[]
  stop(): Promise<void>
}

export async function startSmsGateway(): Promise<FakeSmsGateway> {
  const received: ReceivedText[] = []
  const statuses: number[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body: JSON.parse(body) })
      const status = statuses.shift() ?? 202
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('{"status":"queued"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`,
    received,
    statuses,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
