// A small remote signing service that speaks the API of the Cloud Signature Consortium, version 2: it checks the access
// token and the PIN, binds an authorisation to the digests that it was asked for, and lets it be used once.
import { constants, createPrivateKey, privateEncrypt, randomBytes, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CscTransport } from '#pki/csc-signer.ts'
import { signP256Digest } from './p256.ts'

export type CscServer = {
  url: string
  /** Posts to the service as a client with the right access token would. */
  post: CscTransport
  /** What was asked, in order. */
  calls: { method: string; body: Record<string, unknown> }[]
  /** It is out of order, and says so to everybody. */
  isAway: boolean
  /** Changes an answer before it goes out, to play a service that misbehaves. */
  spoil: ((method: string, answer: Record<string, unknown>) => Record<string, unknown>) | undefined
  stop(): Promise<void>
}

export type CscCredential = { certificates: Buffer[]; privateKey: KeyObject; pin: string; form: 'der' | 'bare' }

export const ACCESS_TOKEN = 'an access token of the tests'
/** RFC 8017 9.2: what stands before a SHA-256 digest in a PKCS#1 signature. */
const SHA256_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

export async function startCscServer({ certificates, privateKey, pin, form }: CscCredential): Promise<CscServer> {
  const authorisations = new Map<string, string>()
  const methods: Record<string, (body: Record<string, unknown>) => Record<string, unknown>> = {
    'credentials/info': () => ({
      key: { status: 'enabled' },
      cert: { status: 'valid', certificates: certificates.map((certificate) => certificate.toString('base64')) },
    }),
    'credentials/authorize': ({ authData, hashes }) => {
      const given = (authData as { id: string; value: string }[]).find(({ id }) => id === 'PIN')?.value
      if (given !== pin) return { error: 'invalid_pin', error_description: 'The PIN is wrong' }
      const sad = randomBytes(16).toString('base64url')
      authorisations.set(sad, JSON.stringify(hashes))
      return { SAD: sad, expiresIn: 60 }
    },
    'signatures/signHash': ({ SAD, hashes, signAlgo }) => {
      const authorised = authorisations.get(SAD as string)
      authorisations.delete(SAD as string)
      if (authorised !== JSON.stringify(hashes))
        return { error: 'invalid_request', error_description: 'SAD does not cover these hashes' }
      const digest = Buffer.from((hashes as string[])[0]!, 'base64')
      return { signatures: [signDigest(privateKey, digest, signAlgo as string, form).toString('base64')] }
    },
  }
  const server: Server = createServer(async (request, response) => {
    const method = request.url!.replace(/^\/csc\/v2\//, '')
    const body = await readJson(request)
    const isKnown = request.headers.authorization === `Bearer ${ACCESS_TOKEN}`
    if (fake.isAway) return void response.writeHead(503).end()
    fake.calls.push({ method, body })
    const answer = isKnown ? (methods[method]?.(body) ?? { error: 'invalid_request' }) : { error: 'invalid_token' }
    response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(fake.spoil?.(method, answer) ?? answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/csc/v2`
  const fake: CscServer = {
    url,
    calls: [],
    isAway: false,
    spoil: undefined,
    async post(method, body) {
      const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, 'content-type': 'application/json' }
      const response = await fetch(`${url}/${method}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return response.json()
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return fake
}

function signDigest(key: KeyObject, digest: Buffer, algorithm: string, form: 'der' | 'bare'): Buffer {
  if (algorithm === '1.2.840.113549.1.1.11') {
    return privateEncrypt(
      { key: createPrivateKey(key.export({ type: 'pkcs8', format: 'pem' })), padding: constants.RSA_PKCS1_PADDING },
      Buffer.concat([SHA256_INFO, digest]),
    )
  }
  return signP256Digest(key, digest, form)
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
}
