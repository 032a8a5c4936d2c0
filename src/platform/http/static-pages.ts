// The pages for people: built files that are kept for good, and the shell that loads them. The shell is the same for
// every link, and asking for it changes nothing, so that mail scanners may.
import { randomBytes } from 'node:crypto'
import { createReadStream, globSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Stands in the built shell where each answer puts a number of its own. */
export const NONCE_MARK = 'nonce-of-this-answer'
const NONCE_BYTES = 16
const READ_BYTES = 256 * 1024

const FOR_GOOD = 'public, max-age=31536000, immutable'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
}

/** What a page may do: run our scripts, show pictures that it made itself, and talk to this service alone. */
export function pagePolicy(nonce: string, framers: readonly string[] = []): string {
  return [
    "default-src 'none'",
    // Compressed images inside PDF files are decoded by WebAssembly of our own origin.
    `script-src 'self' 'wasm-unsafe-eval' 'nonce-${nonce}'`,
    "worker-src 'self'",
    "frame-src 'self'",
    "connect-src 'self'",
    "img-src 'self' blob: data:",
    "style-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${framers.length === 0 ? "'none'" : framers.join(' ')}`,
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/**
 * The sandbox in which documents are drawn: without an origin, whoever asks for it, so that nothing in a document can
 * reach a cookie, a page or the service. It loads the renderer with its fonts and maps, and no more.
 */
export function paperPolicy(host: string, framers: readonly string[] = []): string {
  // By name: in a worker of a place without an origin, 'self' is nobody.
  const own = /^[\w.:[\]-]{1,255}$/.test(host) ? `http://${host} https://${host}` : "'self'"
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${own} 'wasm-unsafe-eval'`,
    'worker-src blob:',
    `connect-src ${own}`,
    'img-src blob: data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${["'self'", ...framers].join(' ')}`,
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** A worker lives by the policy of its own file, not by that of the page which started it. */
const FILE_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'"

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

type BuiltFile = { path: string; type: string; encodings: ReadonlyMap<'br' | 'gzip' | 'identity', Variant> }
type Variant = { path: string; sizeBytes: number }
type Built = { shells: Readonly<Record<PageName, string>>; files: ReadonlyMap<string, BuiltFile> }

/** Each page and the addresses that it answers at. What follows in the address is the page's own affair. */
const PAGES = {
  sign: ['/sign', '/sign/:token', '/sign/:token/report'],
  paper: ['/sign/paper'],
  verify: ['/verify', '/verify/:code'],
  console: ['/console', '/console/*'],
} as const
type PageName = keyof typeof PAGES
const PAGE_NAMES = Object.keys(PAGES) as PageName[]

export type Pages = {
  folder: string
  /** Which origins may show the signing page of this link or session in a frame. Nobody, where it is not told. */
  listFramers?: (page: {
    token: string | undefined
    headers: Record<string, string | undefined>
  }) => Promise<readonly string[]>
}

/** Serves the built pages from a folder. It is looked at when the first page is asked for. */
export function addPages(app: FastifyInstance, { folder, listFramers = async () => [] }: Pages): void {
  let built: Built | undefined
  const look = () => (built ??= listBuilt(folder))
  const whoMayFrame = (request: FastifyRequest) => {
    const { token } = request.params as { token?: string }
    const headers = request.headers as Record<string, string | undefined>
    // Where nobody can be asked who may, nobody may: the page is worth more than its frame.
    return listFramers({ token, headers }).catch(() => [])
  }

  const sendShell = (name: PageName) => async (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64')
    const framers = name === 'sign' || name === 'paper' ? await whoMayFrame(request) : []
    const policy = name === 'paper' ? paperPolicy(request.headers.host ?? '', framers) : pagePolicy(nonce, framers)
    reply.headers({ ...PAGE_HEADERS, 'content-security-policy': policy })
    return request.method === 'HEAD' ? reply.send() : reply.send(look().shells[name].replaceAll(NONCE_MARK, nonce))
  }
  for (const name of PAGE_NAMES) {
    for (const url of PAGES[name]) app.route({ method: ['GET', 'HEAD'], url, handler: sendShell(name) })
  }
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    // Only names that were found in the folder exist, so no name leads out of it.
    const file = look().files.get(request.params['*'])
    return file === undefined ? reply.callNotFound() : sendFile(request, reply, file)
  })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, encodings }: BuiltFile): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'], encodings)
  const { path, sizeBytes } = encodings.get(encoding)!
  reply.headers({
    'cache-control': FOR_GOOD,
    // The same for everybody, and without credentials: the sandbox has no origin of its own to be let in by.
    'access-control-allow-origin': '*',
    'content-type': type,
    'content-length': sizeBytes,
    'content-security-policy': FILE_POLICY,
    'x-content-type-options': 'nosniff',
    vary: [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '),
  })
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(createReadStream(path, { highWaterMark: READ_BYTES }))
}

/** The smallest form that the browser reads. */
function chooseEncoding(accepted: string | undefined, there: BuiltFile['encodings']): 'br' | 'gzip' | 'identity' {
  const isAccepted = (name: string) =>
    (accepted ?? '').split(',').some((part) => {
      const [word, weight = ''] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/)
      return word === name && Number(weight || 1) > 0
    })
  if (there.has('br') && isAccepted('br')) return 'br'
  return there.has('gzip') && isAccepted('gzip') ? 'gzip' : 'identity'
}

function listBuilt(folder: string): Built {
  const read = (name: PageName) => [name, readFileSync(join(folder, name, 'index.html'), 'utf8')] as const
  const shells = Object.fromEntries(PAGE_NAMES.map(read)) as Built['shells']
  const files = new Map<string, BuiltFile>()
  for (const entry of globSync('**/*', { cwd: join(folder, 'assets'), withFileTypes: true })) {
    if (!entry.isFile() || /\.(br|gz)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(join(folder, 'assets').length + 1).replaceAll('\\', '/')
    files.set(name, describeFile(path))
  }
  return { shells, files }
}

function describeFile(path: string): BuiltFile {
  const encodings = new Map<'br' | 'gzip' | 'identity', Variant>([
    ['identity', { path, sizeBytes: statSync(path).size }],
  ])
  for (const [encoding, ending] of [
    ['br', '.br'],
    ['gzip', '.gz'],
  ] as const) {
    const found = statSync(path + ending, { throwIfNoEntry: false })
    if (found) encodings.set(encoding, { path: path + ending, sizeBytes: found.size })
  }
  return { path, type: TYPES[extname(path)] ?? 'application/octet-stream', encodings }
}
