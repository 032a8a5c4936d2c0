// The OCSP responder and the list of somebody else's authority behind HTTP: it answers, or misbehaves as told.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseCertificate } from '#pki/certificate.ts'
import { issueCrl } from '#pki/crl.ts'
import { certificateId } from '#pki/ocsp-id.ts'
import { issueOcspResponse } from '#pki/ocsp.ts'
import type { RawSigner } from '#pki/raw-signer.ts'

export interface RevocationServer {
  origin: string
  /** What it says about the certificate. */
  status: 'good' | 'revoked'
  /** Which of its two doors answer; the others are out of order. */
  open: ReadonlySet<'ocsp' | 'crl'>
  /** Which doors have been knocked at, in order. */
  asked: ('ocsp' | 'crl')[]
  /** Whose certificates it answers about, once they are made: they carry the server's address. */
  answerFor(issuer: RawSigner, certificate: Buffer): void
  close(): Promise<void>
}

const HOUR_MS = 60 * 60 * 1000

/** Starts on a free port. */
export async function startRevocationServer(clock: () => Date): Promise<RevocationServer> {
  let subject: { issuer: RawSigner; certificate: Buffer } | undefined
  const http = createServer((request, response) => {
    const door = request.url!.endsWith('/ocsp') ? 'ocsp' : 'crl'
    server.asked.push(door)
    request.resume().on('end', () => {
      answer(door, response).catch(() => response.destroy())
    })
  })

  async function answer(door: 'ocsp' | 'crl', response: ServerResponse): Promise<void> {
    if (!server.open.has(door) || subject === undefined) return void response.writeHead(503).end()
    response.end(await (door === 'ocsp' ? makeAnswer(subject) : makeList(subject)))
  }

  const times = () => {
    const thisUpdate = new Date(Math.floor(clock().getTime() / 1000) * 1000)
    return { thisUpdate, nextUpdate: new Date(thisUpdate.getTime() + HOUR_MS) }
  }
  const revocation = () => ({ revokedAt: new Date(clock().getTime() - HOUR_MS), reason: 'keyCompromise' as const })

  function makeAnswer({ issuer, certificate }: { issuer: RawSigner; certificate: Buffer }): Promise<Buffer> {
    const id = certificateId(parseCertificate(certificate), parseCertificate(issuer.certificate))
    const status = server.status === 'good' ? 'good' : revocation()
    return issueOcspResponse(issuer, { responses: [{ id, status, ...times() }], producedAt: times().thisUpdate })
  }

  function makeList({ issuer, certificate }: { issuer: RawSigner; certificate: Buffer }): Promise<Buffer> {
    const { serial } = parseCertificate(certificate)
    const revoked = server.status === 'good' ? [] : [{ serial, ...revocation() }]
    return issueCrl(issuer, { revoked, ...times(), number: 1 })
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: RevocationServer = {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    status: 'good',
    open: new Set(['ocsp', 'crl']),
    asked: [],
    answerFor: (issuer, certificate) => void (subject = { issuer, certificate }),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}
