// Receivers of webhooks on this machine, with certificates of an authority of their own: they note what comes in and
// answer as they are told, well or badly.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { isIP, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sequence, element, contextTag } from '#pki/der.ts'
import { authorityConstraints, extension, keyUsage } from '#pki/extension-writer.ts'
import { issueCertificate, selfIssuer } from '#pki/issue-certificate.ts'
import { encodeName } from '#pki/names.ts'
import { generateKey, memoryKey } from '#pki/raw-signer.ts'
import { certificatePem } from './openssl.ts'

const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17'
const DAY_MS = 24 * 60 * 60 * 1000

export type ReceiverAuthority = {
  /** A PEM file with the authority's certificate. */
  caFile: string
  /** A certificate and key for these names and addresses. */
  issue(names: string[], options?: { isExpired?: boolean }): Promise<{ cert: string; key: string }>
  remove(): void
}

export async function makeReceiverAuthority(): Promise<ReceiverAuthority> {
  const { privateKey, publicKey } = await generateKey('ES256')
  const name = encodeName([['commonName', 'Receivers of the tests']])
  const issuer = selfIssuer(name, publicKey, memoryKey(privateKey, 'ES256'))
  const span = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) }
  const extensions = [authorityConstraints(), keyUsage('keyCertSign')]
  const root = await issueCertificate({ subject: name, publicKey, ...span, extensions }, issuer)
  const folder = mkdtempSync(join(tmpdir(), 'countersign-receivers-'))
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, certificatePem(root))
  return {
    caFile,
    async issue(names, { isExpired = false } = {}) {
      const pair = await generateKey('ES256')
      const validity = isExpired
        ? { notBefore: new Date(Date.now() - 2 * DAY_MS), notAfter: new Date(Date.now() - DAY_MS) }
        : span
      const subject = encodeName([['commonName', 'Receiver']])
      const leaf = { subject, publicKey: pair.publicKey, ...validity, extensions: [alternativeNames(names)] }
      const certificate = await issueCertificate(leaf, issuer)
      const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' })
      return { cert: certificatePem(certificate), key: String(key) }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function alternativeNames(names: string[]): Buffer {
  const entries = names.map((name) =>
    isIP(name) === 4
      ? element(contextTag(7, 'primitive'), Buffer.from(name.split('.').map(Number)))
      : element(contextTag(2, 'primitive'), Buffer.from(name, 'latin1')),
  )
  return extension(SUBJECT_ALTERNATIVE_NAME, sequence(...entries))
}

export type Received = {
  at: number
  id: string
  path: string
  headers: Record<string, string>
  body: string
}

export type Answering = (request: IncomingMessage, response: ServerResponse, received: Received) => void

export type Receiver = {
  url: string
  port: number
  received: Received[]
  /** Connections that ever reached it. */
  connections: number
  /** The most that were under way at once. */
  mostAtOnce: number
  /** How it answers from now on: a status, or by hand. */
  answer(how: number | Answering): void
  stop(): Promise<void>
}

export type ReceiverOptions = { cert: string; key: string; maxVersion?: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3' }

/** Starts a receiver that answers 200 until it is told otherwise. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  let answering: Answering = (_request, response) => response.writeHead(200).end()
  const sockets = new Set<Socket>()
  let atOnce = 0
  const tls =
    options.maxVersion === 'TLSv1.1'
      ? { ...options, minVersion: 'TLSv1' as const, ciphers: 'DEFAULT@SECLEVEL=0' }
      : options
  const server: Server = createServer(tls, (request, response) => {
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, ++atOnce)
    response.once('close', () => atOnce--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received = describe(request, Buffer.concat(chunks).toString())
      receiver.received.push(received)
      answering(request, response, received)
    })
  })
  server.on('connection', (socket: Socket) => {
    receiver.connections++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `https://localhost:${port}/hook`,
    port,
    received: [],
    connections: 0,
    mostAtOnce: 0,
    answer(how) {
      answering = typeof how === 'function' ? how : (_request, response) => response.writeHead(how).end()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

function describe(request: IncomingMessage, body: string): Received {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  return { at: performance.now(), id: headers['webhook-id'] ?? '', path: request.url ?? '', headers, body }
}
