// Text that is served as it is: compressed once, kept in memory, and not sent again to whoever has it.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Asset = { type: string; plain: Buffer; gzipped: Buffer; hash: string; cacheControl: string }

const compress = promisify(gzip)
const HASH_LENGTH = 16

/** For a name that changes with the content. */
export const FOR_GOOD = 'public, max-age=31536000, immutable'
/** For a name that stays when the content changes: ask each time. */
export const ASK_EACH_TIME = 'no-cache'

export async function makeAsset(content: string | Buffer, type: string, cacheControl: string): Promise<Asset> {
  const plain = Buffer.from(content)
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, HASH_LENGTH)
  return { type, plain, gzipped: await compress(plain, { level: 9 }), hash, cacheControl }
}

/** Answers with the asset, in the smallest form that the caller can read. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers['accept-encoding'] ?? '')
  const etag = `"${asset.hash}${acceptsGzip ? '-gzip' : ''}"`
  reply.headers({
    'cache-control': asset.cacheControl,
    'content-type': asset.type,
    'x-content-type-options': 'nosniff',
    vary: [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '),
    etag,
  })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  if (!acceptsGzip) return reply.send(asset.plain)
  return reply.header('content-encoding', 'gzip').send(asset.gzipped)
}
