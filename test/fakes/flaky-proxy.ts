// A proxy on the way to the service that has bad days: it loses calls, loses answers, is busy or keeps silent, as it is
// told, one trouble for each call that comes in.
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Trouble =
  | 'none'
  /** The connection ends before the service has heard anything. */
  | 'call lost'
  /** The service has done it, and its answer never arrives. */
  | 'answer lost'
  /** The connection stays open, and nothing comes. */
  | 'silence'
  /** An answer of the proxy's own. */
  | { status: number; headers?: Record<string, string>; body?: string }

export type Passed = { method: string; path: string; headers: IncomingMessage['headers'] }

export type FlakyProxy = {
  url: string
  /** What arrived at the proxy, in order. */
  passed: Passed[]
  /** What happens to the calls that come next; after the last, they pass. */
  plan(...troubles: Trouble[]): void
  /** Ends every connection at once. */
  cut(): void
  stop(): Promise<void>
}

/** Starts a proxy in front of the service at `target`. */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  let troubles: Trouble[] = []
  const passed: Passed[] = []
  const server = createServer((request, response) => {
    passed.push({ method: request.method!, path: request.url!, headers: request.headers })
    meet(troubles.shift() ?? 'none', { target, request, response })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    plan(...planned) {
      troubles = planned
    },
    cut: () => server.closeAllConnections(),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Exchange = { target: string; request: IncomingMessage; response: ServerResponse }

function meet(trouble: Trouble, exchange: Exchange): void {
  const { request, response } = exchange
  if (trouble === 'silence') return
  if (trouble === 'call lost') return void request.socket.destroy()
  if (trouble === 'none' || trouble === 'answer lost') return pass(exchange, trouble === 'answer lost')
  request.resume()
  request.on('end', () => response.writeHead(trouble.status, trouble.headers).end(trouble.body))
}

function pass({ target, request, response }: Exchange, losesAnswer: boolean): void {
  const { method, url, headers } = request
  const onward = forward(target + url!, { method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
    if (losesAnswer) {
      answer.resume()
      return answer.on('end', () => request.socket.destroy())
    }
    response.writeHead(answer.statusCode!, answer.headers)
    return answer.pipe(response)
  })
  onward.on('error', () => request.socket.destroy())
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}
