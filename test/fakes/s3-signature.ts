// AWS Signature Version 4 in the Authorization header, checked the way Amazon's server checks it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type Credentials = { accessKeyId: string; secretAccessKey: string }

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
const MAX_SKEW_MS = 15 * 60 * 1000

/** The S3 error code for a request that is not signed by these credentials; undefined for one that is. */
export function findSignatureFault(request: IncomingMessage, credentials: Credentials): string | undefined {
  const parts = AUTHORIZATION.exec(request.headers.authorization ?? '')
  if (parts === null) return 'AccessDenied'
  const [, accessKeyId, day = '', region = '', signedHeaders = '', signature = ''] = parts
  if (accessKeyId !== credentials.accessKeyId) return 'InvalidAccessKeyId'
  const time = header(request, 'x-amz-date')
  if (!time.startsWith(day) || Math.abs(Date.now() - parseTime(time)) > MAX_SKEW_MS) return 'RequestTimeTooSkewed'
  const unsigned = mustBeSigned(request).filter((name) => !signedHeaders.split(';').includes(name))
  if (unsigned.length > 0) return 'AccessDenied'

  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest(request, signedHeaders))].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${credentials.secretAccessKey}`))
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}

/** The host and everything that S3 gives a meaning. */
function mustBeSigned(request: IncomingMessage): string[] {
  return Object.keys(request.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
}

function canonicalRequest(request: IncomingMessage, signedHeaders: string): string {
  const url = new URL(request.url ?? '/', 'http://s3')
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const headers = signedHeaders
    .split(';')
    .map((name) => `${name}:${header(request, name).trim().replace(/ +/g, ' ')}\n`)
  const payload = header(request, 'x-amz-content-sha256')
  return [request.method, url.pathname, query.join('&'), headers.join(''), signedHeaders, payload].join('\n')
}

function header(request: IncomingMessage, name: string): string {
  return request.headers[name]?.toString() ?? ''
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function parseTime(time: string): number {
  return Date.parse(time.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'))
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
