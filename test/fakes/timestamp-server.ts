// A timestamp authority behind HTTP, as the outside world has them: it answers, or misbehaves as told.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RawSigner } from '#pki/raw-signer.ts'
import { issueTimestamp } from '#pki/timestamp-authority.ts'
import { buildTimestampRequest, parseTimestampRequest } from '#pki/timestamp.ts'

export type TimestampFault =
  | 'unavailable' // 503
  | 'html' // 200 with a page
  | 'silent' // takes the request and never answers
  | 'wrong-digest'
  | 'wrong-nonce'
  | 'broken-signature'

export interface TimestampServer {
  url: string
  /** How it behaves from now on; undefined is well. */
  fault: TimestampFault | undefined
  /** Once it has answered so many more requests it is unavailable; undefined is for ever. */
  answersLeft: number | undefined
  /** How many requests have come. */
  requests: number
  close(): Promise<void>
}

const MAX_REQUEST_BYTES = 64 * 1024

/** Starts an authority on a free port. */
export async function startTimestampServer(signer: RawSigner, clock: () => Date): Promise<TimestampServer> {
  const http = createServer((request, response) => {
    server.requests++
    const isSpent = server.answersLeft !== undefined && server.answersLeft-- <= 0
    const fault = isSpent ? 'unavailable' : server.fault
    answer(request, response, { signer, now: clock(), fault }).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const server: TimestampServer = {
    url: `http://127.0.0.1:${port}/`,
    fault: undefined,
    answersLeft: undefined,
    requests: 0,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

interface Behaviour {
  signer: RawSigner
  now: Date
  fault: TimestampFault | undefined
}

async function answer(request: IncomingMessage, response: ServerResponse, { signer, now, fault }: Behaviour) {
  const query = await readBody(request)
  if (fault === 'silent') return
  if (fault === 'unavailable') {
    response.writeHead(503).end()
    return
  }
  if (fault === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in to the network</html>')
    return
  }
  const reply = await issueTimestamp(misread(query, fault), { signer }, { now })
  response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(spoil(reply, fault))
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_REQUEST_BYTES) throw new Error('The request is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function misread(query: Buffer, fault: TimestampFault | undefined): Buffer {
  if (fault !== 'wrong-digest' && fault !== 'wrong-nonce') return query
  const request = parseTimestampRequest(query)
  const digest = fault === 'wrong-digest' ? Buffer.alloc(request.digest.length, 1) : request.digest
  const nonce = fault === 'wrong-nonce' ? Buffer.alloc(16, 0x55) : request.nonce
  return buildTimestampRequest({ ...request, digest, nonce })
}

function spoil(reply: Buffer, fault: TimestampFault | undefined): Buffer {
  if (fault !== 'broken-signature') return reply
  const spoiled = Buffer.from(reply)
  spoiled[spoiled.length - 1] = (spoiled.at(-1) ?? 0) ^ 1
  return spoiled
}
