// Takes the body of a call off the wire: bounded in size, in kind and in patience.
import type { IncomingMessage } from 'node:http'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { bodyTooLarge } from './body/errors.ts'
import { scanJsonBody, type BodyLimits, type ScannedBody } from './body/json-scanner.ts'
import { readJson } from './body/read-json.ts'
import { piecesOf } from './body/stage-stream.ts'
import { DocumentContent } from './document-content.ts'
import { bodyTooSlow, unsupportedMediaType } from './edge-errors.ts'

const JSON_TYPES = /^(application\/json|application\/json-patch\+json)\s*(;.*)?$/i
const MIB = 1024 * 1024
export const SMALL_BODY_BYTES = MIB

const GRACE_MS = 15_000
const LEAST_BYTES_PER_SECOND = 16 * 1024
const LOOK_EVERY_MS = 1_000

export type IncomingBody = { value: unknown; discard(): Promise<void> }

/** JSON of at most one MiB; undefined where there is no body at all. */
export async function readSmallBody(request: IncomingMessage): Promise<IncomingBody> {
  requireJson(request)
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of piecesOf(patient(request))) {
    sizeBytes += chunk.length
    if (sizeBytes > SMALL_BODY_BYTES) throw bodyTooLarge('The body', SMALL_BODY_BYTES)
    chunks.push(chunk)
  }
  const value = sizeBytes === 0 ? undefined : readJson(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
  return { value, discard: async () => {} }
}

/** JSON with documents in it: their bytes are staged on the way, and stand in the value as `DocumentContent`. */
export async function readDocumentsBody(
  request: IncomingMessage,
  blobs: BlobStore,
  limits: BodyLimits,
): Promise<IncomingBody> {
  requireJson(request)
  if (!hasBody(request)) return { value: undefined, discard: async () => {} }
  const scanned = await scanJsonBody(patient(request), blobs, limits)
  return { value: withDocuments(scanned.value, scanned), discard: () => scanned.discard() }
}

export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
}

function requireJson({ headers }: IncomingMessage): void {
  const type = headers['content-type']
  const isJson = type === undefined || type === '' || JSON_TYPES.test(type)
  const isUtf8 = type === undefined || !/charset\s*=/i.test(type) || /charset\s*=\s*"?utf-?8"?/i.test(type)
  if (!isJson || !isUtf8 || headers['content-encoding'] !== undefined) {
    throw unsupportedMediaType('application/json or application/json-patch+json in UTF-8')
  }
}

function withDocuments(value: unknown, scanned: ScannedBody): unknown {
  if (Array.isArray(value)) return value.map((item) => withDocuments(item, scanned))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const staged = name === 'contentBase64' && typeof item === 'string' ? scanned.documents.get(item) : undefined
      return [name, staged ? new DocumentContent(staged) : withDocuments(item, scanned)]
    }),
  )
}

/** The same request, cut off when its body comes slower than any honest line sends it. */
export function patient(request: IncomingMessage): IncomingMessage {
  // Nothing more will come: all of it is here, or the sender has gone, and then nobody would ever end the wait.
  if (request.complete || request.destroyed) return request
  const { socket } = request
  const before = socket.bytesRead
  let waitedMs = 0
  const look = setInterval(() => {
    // Bytes that lie ready are waiting for us: that is not the sender's fault.
    if (request.readableLength === 0) waitedMs += LOOK_EVERY_MS
    const allowedMs = GRACE_MS + ((socket.bytesRead - before) / LEAST_BYTES_PER_SECOND) * 1000
    if (waitedMs > allowedMs) request.destroy(bodyTooSlow())
  }, LOOK_EVERY_MS)
  const stop = () => clearInterval(look)
  request.once('end', stop).once('close', stop)
  return request
}
