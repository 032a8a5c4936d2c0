// A small S3 server with one bucket in memory, as strict as the real one where it matters to us: signatures, checksums,
// lengths, conditional writes, ranges, paged listings. It can be told to misbehave.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPayload } from './s3-payload.ts'
import { type Credentials, findSignatureFault } from './s3-signature.ts'

export type Fault =
  | 'slow down' // 503 before anything is done
  | 'lost answer' // the work is done, then the connection breaks
  | 'cut' // the connection breaks in the middle of the answer's body
  | 'short' // the answer's body ends early, with a matching length
  | 'flip' // one bit of the answer's body is wrong
  | 'flip upload' // one bit changes before the server sees it
  | 'whole' // a range is ignored
  | 'hang' // no answer at all
  | { latencyMs: number }

type StoredObject = { bytes: Buffer; modifiedAt: Date; checksumSha256: string | undefined }

export type S3Server = {
  endpoint: string
  bucket: string
  credentials: Credentials
  objects: Map<string, StoredObject>
  /** Each request as `PUT key`, in order. */
  requests: string[]
  /** Called for every request; the fault that it returns happens. */
  fault: (request: { method: string; key: string }) => Fault | undefined
  pageSize: number
  close(): Promise<void>
}

/** Starts a server on a free port of this machine. */
export async function startS3Server(): Promise<S3Server> {
  const http = createServer((request, response) => {
    answer(s3, request, response).catch(() => response.destroy())
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const s3: S3Server = {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    bucket: 'documents',
    credentials: { accessKeyId: 'test-key', secretAccessKey: 'test-secret' },
    objects: new Map(),
    requests: [],
    fault: () => undefined,
    pageSize: 1000,
    async close() {
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
  return s3
}

type Answer = { status: number; headers?: Record<string, string>; body?: Buffer | string }

async function answer(s3: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://s3')
  const method = request.method ?? ''
  const [bucket, ...rest] = decodeURIComponent(url.pathname).slice(1).split('/')
  const key = rest.join('/')
  s3.requests.push(`${method} ${key}`)
  const fault = s3.fault({ method, key })
  if (fault === 'hang') return
  if (typeof fault === 'object') await sleep(fault.latencyMs)
  const done = fault === 'slow down' ? error(503, 'SlowDown') : await handle(s3, request, { bucket, key, url, fault })
  if (fault === 'lost answer') {
    request.resume()
    response.destroy()
    return
  }
  await send(request, response, done, fault)
}

type Call = { bucket: string | undefined; key: string; url: URL; fault: Fault | undefined }

async function handle(s3: S3Server, request: IncomingMessage, { bucket, key, url, fault }: Call): Promise<Answer> {
  const refused = findSignatureFault(request, s3.credentials)
  if (refused !== undefined) return error(403, refused)
  if (bucket !== s3.bucket) return error(404, 'NoSuchBucket')
  if (key === '' && request.method === 'GET') return list(s3, url)
  if (request.method === 'PUT') return put(s3, request, key, fault)
  const object = s3.objects.get(key)
  if (request.method === 'DELETE') {
    s3.objects.delete(key)
    return { status: 204 }
  }
  if (object === undefined) return error(404, 'NoSuchKey')
  return get(object, fault === 'whole' ? undefined : request.headers.range, request.headers['x-amz-checksum-mode'])
}

async function put(s3: S3Server, request: IncomingMessage, key: string, fault: Fault | undefined): Promise<Answer> {
  if (fault === 'flip upload') flipOnArrival(request)
  const payload = await readPayload(request)
  if ('fault' in payload) return error(payload.fault === 'NotImplemented' ? 501 : 400, payload.fault)
  if (request.headers['if-none-match'] === '*' && s3.objects.has(key)) return error(412, 'PreconditionFailed')
  const { bytes, checksumSha256 } = payload
  s3.objects.set(key, { bytes, checksumSha256, modifiedAt: new Date() })
  return { status: 200, headers: { etag: etag(bytes), ...checksumHeader(checksumSha256) } }
}

/** Changes the first chunk of a body, as a broken network card would. */
function flipOnArrival(request: IncomingMessage): void {
  request.prependOnceListener('data', (chunk: Buffer) => {
    chunk[0] = (chunk[0] ?? 0) ^ 1
  })
}

function get(object: StoredObject, range: string | undefined, checksumMode: string | string[] | undefined): Answer {
  const headers = {
    etag: etag(object.bytes),
    'last-modified': object.modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    ...(checksumMode === 'ENABLED' ? checksumHeader(object.checksumSha256) : {}),
  }
  if (range === undefined) return { status: 200, headers, body: object.bytes }
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  const start = Number(first)
  const end = last === '' ? object.bytes.length - 1 : Math.min(Number(last), object.bytes.length - 1)
  if (first === '' || start > end) return error(416, 'InvalidRange')
  const contentRange = `bytes ${start}-${end}/${object.bytes.length}`
  return {
    status: 206,
    headers: { ...headers, 'content-range': contentRange },
    body: object.bytes.subarray(start, end + 1),
  }
}

function list(s3: S3Server, url: URL): Answer {
  const prefix = url.searchParams.get('prefix') ?? ''
  const after = url.searchParams.get('continuation-token') ?? ''
  const keys = [...s3.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = keys.slice(0, s3.pageSize)
  const isTruncated = keys.length > page.length
  const contents = page.map((key) => {
    const object = s3.objects.get(key)
    return `<Contents><Key>${key}</Key><LastModified>${object?.modifiedAt.toISOString()}</LastModified><Size>${object?.bytes.length}</Size></Contents>`
  })
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  const xml = `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: xml }
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers = {}, body = '' }: Answer,
  fault: Fault | undefined,
): Promise<void> {
  const bytes = damaged(Buffer.from(body), fault)
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  if (request.method === 'HEAD') {
    response.end()
  } else if (fault === 'cut') {
    await new Promise((resolve) => response.write(bytes.subarray(0, bytes.length >> 1), resolve))
    response.destroy()
  } else {
    response.end(bytes)
  }
  request.resume()
}

function damaged(bytes: Buffer, fault: Fault | undefined): Buffer {
  if (fault === 'short') return bytes.subarray(0, bytes.length >> 1)
  if (fault !== 'flip' || bytes.length === 0) return bytes
  const copy = Buffer.from(bytes)
  copy[copy.length >> 1] = (copy[copy.length >> 1] ?? 0) ^ 1
  return copy
}

function error(status: number, code: string): Answer {
  return { status, headers: { 'content-type': 'application/xml' }, body: `<Error><Code>${code}</Code></Error>` }
}

const etag = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`

function checksumHeader(checksum: string | undefined): Record<string, string> {
  return checksum === undefined ? {} : { 'x-amz-checksum-sha256': checksum }
}
