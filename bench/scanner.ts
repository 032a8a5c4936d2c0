// How long it takes to get a 10 MB document out of a JSON body, and to read a small body strictly, each beside the plain
// JSON.parse that it replaces.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import type { BlobWriter } from '#platform/blobs/blob-store.ts'
import { openLocalBlobs } from '#platform/blobs/local-blobs.ts'
import { scanJsonBody } from '#platform/http/body/json-scanner.ts'
import { readJson } from '#platform/http/body/read-json.ts'
import { percent, type Line } from './table.ts'

const DOCUMENT_BYTES = 10_000_000
const CHUNK_BYTES = 65_536

const SMALL_ROUNDS = 50_000

export async function measureScanner(): Promise<Line[]> {
  return [...(await measureDocuments()), measureSmallBodies()]
}

async function measureDocuments(): Promise<Line[]> {
  const base64 = randomBytes(DOCUMENT_BYTES).toString('base64')
  const bodyWith = (content: string) => Buffer.from(`{"subject":"x","documents":[{"contentBase64":"${content}"}]}`)
  const plain = bodyWith(base64)
  const escaped = bodyWith(base64.replaceAll('/', '\\/'))
  const urlSafe = bodyWith(base64.replaceAll('/', '_').replaceAll('+', '-'))
  const folder = await mkdtemp(join(tmpdir(), 'bench-scanner-'))
  try {
    const store = await openLocalBlobs(folder)
    const parsed = await measure(() => parseWhole(plain))
    const scans: [how: string, work: () => Promise<void>][] = [
      ['', () => scan(plain, nowhere)],
      [', every slash escaped', () => scan(escaped, nowhere)],
      [', base64url', () => scan(urlSafe, nowhere)],
      [', with SHA-256 and a file', () => scan(plain, store)],
    ]
    const lines: Line[] = []
    for (const [how, work] of scans) {
      const scanned = await measure(work)
      lines.push({
        what: `a document of 10 MB out of a JSON body${how}`,
        ours: describe(scanned),
        beside: `JSON.parse and Buffer.from: ${describe(parsed)}`,
        ratio: percent(scanned.bestMs / parsed.bestMs),
      })
    }
    return lines
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Throws the bytes away, so that only the scanning is measured. */
const nowhere = {
  async begin(): Promise<BlobWriter> {
    let sizeBytes = 0
    return {
      get sizeBytes() {
        return sizeBytes
      },
      async write(chunk) {
        sizeBytes += chunk.length
      },
      finish: async () => ({ sha256: '', sizeBytes, content: { path: '' }, discard: async () => {} }),
      abort: async () => {},
    }
  },
}

/** The body as a socket delivers it, other events getting their turn between two chunks. */
async function* arriving(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    yield body.subarray(at, at + CHUNK_BYTES)
    await new Promise(setImmediate)
  }
}

async function scan(body: Buffer, storage: { begin(): Promise<BlobWriter> }): Promise<void> {
  const scanned = await scanJsonBody(Readable.from(arriving(body)), storage)
  await scanned.discard()
}

type Measured = { bestMs: number; longestBlockMs: number }

const describe = ({ bestMs, longestBlockMs }: Measured) =>
  `${bestMs.toFixed(1)} ms, longest block ${longestBlockMs.toFixed(1)} ms`

/** The best of several runs, and the longest time for which nothing else could run. */
async function measure(work: () => unknown): Promise<Measured> {
  for (let run = 0; run < 3; run += 1) await work()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let bestMs = Infinity
  delay.enable()
  for (let run = 0; run < 10; run += 1) {
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(cpu)
    bestMs = Math.min(bestMs, performance.now() - startedAt, (user + system) / 1000)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  delay.disable()
  return { bestMs, longestBlockMs: delay.max / 1e6 }
}

function parseWhole(body: Buffer): void {
  const { documents } = JSON.parse(body.toString('utf8')) as { documents: [{ contentBase64: string }] }
  Buffer.from(documents[0].contentBase64, 'base64')
}

function measureSmallBodies(): Line {
  const people = Array.from({ length: 4 }, (_, at) => ({
    name: `Person ${at}`,
    email: `person${at}@example.com`,
    isMandatory: true,
    deliveryMethods: ['Email', 'Sms'],
    signatoryGroupSigningOrder: at,
    languageCode: 'sv-SE',
  }))
  const body = Buffer.from(JSON.stringify({ subject: 'Contract', signatories: people }))
  const parsed = microseconds(() => JSON.parse(body.toString('utf8')) as unknown)
  const strict = microseconds(() => readJson(body))
  return {
    what: `a JSON body of ${body.length} bytes, read strictly`,
    ours: `${strict.toFixed(2)} µs`,
    beside: `JSON.parse ${parsed.toFixed(2)} µs`,
    ratio: percent(strict / parsed),
  }
}

function microseconds(read: () => unknown): number {
  for (let run = 0; run < SMALL_ROUNDS; run += 1) read()
  const startedAt = performance.now()
  for (let run = 0; run < SMALL_ROUNDS; run += 1) read()
  return ((performance.now() - startedAt) * 1000) / SMALL_ROUNDS
}
