// How long it takes to get a 10 MB document out of a JSON body, and to read a small body strictly, each beside the plain
// JSON.parse that it replaces. `node bench/scanner.ts`
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

const DOCUMENT_BYTES = 10_000_000
const CHUNK_BYTES = 65_536

const base64 = randomBytes(DOCUMENT_BYTES).toString('base64')
const bodyWith = (content: string): Buffer =>
  Buffer.from(`{"subject":"x","documents":[{"contentBase64":"${content}"}]}`)
const plain = bodyWith(base64)
const escaped = bodyWith(base64.replaceAll('/', '\\/'))
const urlSafe = bodyWith(base64.replaceAll('/', '_').replaceAll('+', '-'))

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

const folder = await mkdtemp(join(tmpdir(), 'bench-scanner-'))
const store = await openLocalBlobs(folder)

async function scan(body: Buffer, storage: { begin(): Promise<BlobWriter> }): Promise<void> {
  const scanned = await scanJsonBody(Readable.from(arriving(body)), storage)
  await scanned.discard()
}

/** Best of several runs in milliseconds, and the longest time for which nothing else could run. */
async function measure(name: string, work: () => unknown): Promise<void> {
  for (let run = 0; run < 3; run += 1) await work()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let best = Infinity
  delay.enable()
  for (let run = 0; run < 10; run += 1) {
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(cpu)
    best = Math.min(best, performance.now() - startedAt, (user + system) / 1000)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  delay.disable()
  console.log(`${name.padEnd(52)} ${best.toFixed(1).padStart(7)} ms   longest block ${(delay.max / 1e6).toFixed(1)} ms`)
}

function parseWhole(body: Buffer): void {
  const { documents } = JSON.parse(body.toString('utf8')) as { documents: [{ contentBase64: string }] }
  Buffer.from(documents[0].contentBase64, 'base64')
}

function measureSmall(name: string, body: Buffer, read: (body: Buffer) => unknown): void {
  const rounds = 50_000
  for (let run = 0; run < rounds; run += 1) read(body)
  const startedAt = performance.now()
  for (let run = 0; run < rounds; run += 1) read(body)
  console.log(`${name.padEnd(52)} ${(((performance.now() - startedAt) * 1000) / rounds).toFixed(2).padStart(7)} µs`)
}

const small = Buffer.from(
  JSON.stringify({
    subject: 'Contract',
    signatories: Array.from({ length: 4 }, (_, at) => ({
      name: `Person ${at}`,
      email: `person${at}@example.com`,
      isMandatory: true,
      deliveryMethods: ['Email', 'Sms'],
      signatoryGroupSigningOrder: at,
      languageCode: 'sv-SE',
    })),
  }),
)

await measure('JSON.parse and Buffer.from', () => parseWhole(plain))
await measure('scanner', () => scan(plain, nowhere))
await measure('scanner, every slash escaped', () => scan(escaped, nowhere))
await measure('scanner, base64url', () => scan(urlSafe, nowhere))
await measure('scanner, SHA-256 and a file', () => scan(plain, store))
measureSmall(`JSON.parse, ${small.length} bytes`, small, (body) => JSON.parse(body.toString('utf8')) as unknown)
measureSmall(`readJson, ${small.length} bytes`, small, readJson)
await rm(folder, { recursive: true })
