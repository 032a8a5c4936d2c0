// The body of an upload, with every check that S3 makes of it: declared length, signed hash, checksums in headers or, in
// the aws-chunked encoding of today's clients, in trailers.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'

export type Payload = { bytes: Buffer; checksumSha256: string | undefined } | { fault: string }

/** Reads an upload and gives its bytes, or the S3 error code by which it is refused. */
export async function readPayload(request: IncomingMessage): Promise<Payload> {
  const raw = await buffer(request)
  const declared = request.headers['content-length'] ?? raw.length // absent with Transfer-Encoding: chunked
  if (raw.length !== Number(declared)) return { fault: 'IncompleteBody' }
  const signed = String(request.headers['x-amz-content-sha256'])
  if (signed.startsWith('STREAMING-')) return readChunked(raw, signed, request)
  if (signed !== 'UNSIGNED-PAYLOAD' && signed !== digest(raw).toString('hex')) {
    return { fault: 'XAmzContentSHA256Mismatch' }
  }
  return checked(raw, checksumsIn(request.headers))
}

/** Only the unsigned form with trailers; the signed form is not written by any client that we use. */
function readChunked(raw: Buffer, signed: string, request: IncomingMessage): Payload {
  if (signed !== 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') return { fault: 'NotImplemented' }
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = raw.indexOf('\r\n', at)
    const size = Number.parseInt(raw.toString('latin1', at, lineEnd), 16)
    if (lineEnd === -1 || Number.isNaN(size)) return { fault: 'IncompleteBody' }
    at = lineEnd + 2
    if (size === 0) break
    chunks.push(raw.subarray(at, at + size))
    at += size + 2
  }
  const bytes = Buffer.concat(chunks)
  if (bytes.length !== Number(request.headers['x-amz-decoded-content-length'])) return { fault: 'IncompleteBody' }
  const trailers = raw
    .toString('latin1', at)
    .split('\r\n')
    .filter((line) => line.includes(':'))
  const entries = trailers.map((line) => [
    line.slice(0, line.indexOf(':')).trim(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  const announced = String(request.headers['x-amz-trailer'])
  const found = Object.fromEntries(entries) as Record<string, string>
  return found[announced] === undefined ? { fault: 'MalformedTrailerError' } : checked(bytes, checksumsIn(found))
}

const ALGORITHMS: Record<string, (bytes: Buffer) => Buffer> = {
  sha256: digest,
  sha1: (bytes) => createHash('sha1').update(bytes).digest(),
  crc32: (bytes) => {
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(bytes))
    return sum
  },
}

function checked(bytes: Buffer, checksums: [algorithm: string, value: string][]): Payload {
  for (const [algorithm, value] of checksums) {
    const sum = ALGORITHMS[algorithm]
    if (sum === undefined) return { fault: 'NotImplemented' }
    if (sum(bytes).toString('base64') !== value) return { fault: 'BadDigest' }
  }
  return { bytes, checksumSha256: checksums.find(([algorithm]) => algorithm === 'sha256')?.[1] }
}

function checksumsIn(headers: Record<string, string | string[] | undefined>): [string, string][] {
  const prefix = 'x-amz-checksum-'
  return Object.entries(headers)
    .filter(([name]) => name.startsWith(prefix) && name !== `${prefix}algorithm` && name !== `${prefix}mode`)
    .map(([name, value]) => [name.slice(prefix.length), String(value)])
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
