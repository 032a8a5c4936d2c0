// What anybody may ask about an authority of ours. Everything was signed earlier, in the worker; nothing is signed here.
import type { Readable } from 'node:stream'
import { PkiError } from '#pki/errors.ts'
import { parseOcspRequest } from '#pki/ocsp-request.ts'
import { ocspError } from '#pki/ocsp.ts'
import type { Tx } from '#platform/db/database.ts'
import { Answer } from '#platform/http/route.ts'
import { findAuthority, findStatus } from './publish-statements.ts'

const MOST_REQUEST_BYTES = 16 * 1024
const CACHE = 'public, max-age=300'

/** An authority's certificate or its list; 204 where there is no such authority. */
export async function answerAuthority(tx: Tx, keyId: string, what: 'certificate' | 'crl'): Promise<Answer | undefined> {
  const found = await findAuthority.maybeOne(tx, { keyId: Buffer.from(keyId, 'hex') })
  const body = found?.[what]
  if (body === undefined || body === null) return undefined
  const type = what === 'crl' ? 'application/pkix-crl' : 'application/pkix-cert'
  return new Answer(200, body, { 'content-type': type, 'cache-control': CACHE })
}

/** The signed answer about the first certificate that a request asks about (RFC 6960, RFC 5019). */
export async function answerStatus(tx: Tx, keyId: string, request: Buffer): Promise<Answer> {
  const serial = readSerial(request)
  if (serial === undefined) return asOcsp(ocspError('malformedRequest'), 'no-store')
  const found = await findStatus.maybeOne(tx, { issuerKeyId: Buffer.from(keyId, 'hex'), serial })
  // RFC 5019 2.2.3: whoever has no authoritative answer says so, unsigned.
  if (found === undefined) return asOcsp(ocspError('unauthorized'), 'no-store')
  return asOcsp(found.response, CACHE)
}

const asOcsp = (body: Buffer, cache: string) =>
  new Answer(200, body, { 'content-type': 'application/ocsp-response', 'cache-control': cache })

function readSerial(request: Buffer): Buffer | undefined {
  try {
    return parseOcspRequest(request).ids[0]?.serial
  } catch (error) {
    if (error instanceof PkiError) return undefined
    throw error
  }
}

/** The body of a POST, or nothing where it is longer than any request is. */
export async function readRequest(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_REQUEST_BYTES) return Buffer.alloc(0)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
