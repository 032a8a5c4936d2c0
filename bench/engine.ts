// What a signature costs, beside the limit that the machine sets and beside other libraries in the same run.
// `npm run bench -- engine`; under two minutes. CPU time, not wall time: the machine may be busy with other things.
import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PDF, type Signer } from '@libpdf/core'
import { plainAddPlaceholder } from '@signpdf/placeholder-plain'
import { P12Signer } from '@signpdf/signer-p12'
import { SignPdf } from '@signpdf/signpdf'
import { signPdf, type Level, type Timestamper } from '#pades/sign.ts'
import { bufferSource, openFileSource, type Source } from '#pades/source.ts'
import { makeTestAuthority, TEST_TIME } from '#pades/testing/authority.ts'
import { makePdf } from '#pades/testing/documents.ts'
import { cmsTemplate } from '#pki/cms.ts'
import { signWith } from '#pki/raw-signer.ts'
import { issueTimestamp } from '#pki/timestamp-authority.ts'
import { buildTimestampRequest } from '#pki/timestamp.ts'
import { percent, type Line } from './table.ts'

const SMALL = makePdf({ pages: 8, padding: 4500 })
const MEDIUM = makePdf({ padding: 1_000_000 })
const LARGE_BYTES = 50_000_000

const authority = await makeTestAuthority('ES256')
const embedded = { signer: authority.tsaSigner, template: cmsTemplate(authority.tsaSigner) }

/** The product's own authority in the same process: its tokens need no checks that guard against others. */
const ownTsa: Timestamper = async ({ hash, digest }) => {
  const request = buildTimestampRequest({ hash, digest, nonce: undefined, policy: undefined })
  return tokenIn(await issueTimestamp(request, embedded, { now: TEST_TIME }))
}

/** A response is a SEQUENCE with a header of four bytes, then the status, whose length is its second byte, then the token. */
const tokenIn = (response: Buffer) => response.subarray(6 + (response[5] as number))
const validationData = {
  certificates: [authority.root, authority.signer.certificate, authority.issuing.certificate, authority.tsaCertificate],
  ocsps: [Buffer.alloc(1500, 1), Buffer.alloc(1500, 2)],
  crls: [Buffer.alloc(400, 3)],
}

const ours = (source: Source, level: Level, tsa = ownTsa) =>
  signPdf(source, {
    signer: authority.signer,
    level,
    tsa,
    time: TEST_TIME,
    field: { name: 'Signature' },
    validationData: async () => validationData,
  })

const libpdfSigner: Signer = {
  certificate: new Uint8Array(authority.signer.certificate),
  certificateChain: [authority.issuing.certificate, authority.root].map((certificate) => new Uint8Array(certificate)),
  keyType: 'EC',
  signatureAlgorithm: 'ECDSA',
  sign: async (data) => new Uint8Array(await signWith(authority.signer, Buffer.from(data))),
}

async function libpdf(pdf: Buffer, level: Level): Promise<void> {
  const document = await PDF.load(pdf)
  await document.sign({
    signer: libpdfSigner,
    level,
    timestampAuthority: {
      timestamp: async (digest) => new Uint8Array(await ownTsa({ hash: 'sha256', digest: Buffer.from(digest) })),
    },
    revocationProvider: {
      getOCSP: async () => new Uint8Array(validationData.ocsps[0] as Buffer),
      getCRL: async () => null,
    },
  })
}

/**
 * CPU milliseconds of one call: the best of ten rounds that use `totalMs` of processor together. The first tenth again
 * goes before them, for the compiler. Rounds end by the processor's clock, so that a busy machine makes none of them short.
 */
async function cpuMs(work: () => unknown, totalMs = 1500): Promise<number> {
  const rounds = 10
  await cpuMsOfRound(work, totalMs / rounds)
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) best = Math.min(best, await cpuMsOfRound(work, totalMs / rounds))
  return best
}

async function cpuMsOfRound(work: () => unknown, roundMs: number): Promise<number> {
  const before = process.cpuUsage()
  for (let calls = 1; ; calls++) {
    await work()
    const { user, system } = process.cpuUsage(before)
    const usedMs = (user + system) / 1000
    if (usedMs >= roundMs) return usedMs / calls
  }
}

/** Memory over what the process held before, for a 50 MB file on disk; in a process of its own. */
async function memoryRun(path: string): Promise<void> {
  for (let warm = 0; warm < 50; warm++) await ours(bufferSource(SMALL), 'B-B')
  // Linux then counts the peak anew; elsewhere the peak of the start-up may hide what signing takes.
  if (existsSync('/proc/self/clear_refs')) writeFileSync('/proc/self/clear_refs', '5')
  const before = process.memoryUsage().rss
  const source = await openFileSource(path)
  await ours(source, 'B-B')
  await source.close()
  console.log(peakBytes() - before)
}

function peakBytes(): number {
  if (!existsSync('/proc/self/status')) return process.resourceUsage().maxRSS * 1024
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) * 1024
}

function memoryOverBaseline(path: string): number {
  const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--memory', path], {
    encoding: 'utf8',
  })
  return Number(stdout) / 1024 / 1024
}

/** @signpdf knows only RSA keys in PKCS#12 files. */
function makeP12(folder: string): Buffer | undefined {
  const [key, certificate, p12] = ['key.pem', 'cert.pem', 'id.p12'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const steps = [
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Bench', '-keyout', key, '-out', certificate],
    ['pkcs12', '-export', '-inkey', key, '-in', certificate, '-passout', 'pass:', '-out', p12],
  ]
  return steps.every((args) => spawnSync('openssl', args).status === 0) ? readFileSync(p12) : undefined
}

async function signpdf(pdf: Buffer, p12: Buffer): Promise<void> {
  const withPlaceholder = plainAddPlaceholder({ pdfBuffer: pdf, reason: '', contactInfo: '', name: '', location: '' })
  await new SignPdf().sign(withPlaceholder, new P12Signer(p12))
}

const lines: Line[] = []

function report(what: string, ms: number, more: Omit<Line, 'what' | 'ours'> = {}): void {
  const perSecond = (1000 / ms).toFixed(ms > 100 ? 2 : 0)
  lines.push({ what, ours: `${ms.toFixed(2)} ms of processor, ${perSecond} a core-second`, ...more })
}

async function measureAll(folder: string): Promise<void> {
  const large = makePdf({ padding: LARGE_BYTES })
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rawSign = await cpuMs(() => sign('sha256', Buffer.alloc(32), privateKey), 500)
  report('limit: one P-256 signature by node:crypto', rawSign)
  const rawHash = await cpuMs(() => createHash('sha256').update(large).digest(), 2000)
  report('limit: SHA-256 of 50 MB', rawHash)

  for (const level of ['B-B', 'B-T'] as const)
    report(`sign 7 KB, ${level}`, await cpuMs(() => ours(bufferSource(SMALL), level)))
  const small = await cpuMs(() => ours(bufferSource(SMALL), 'B-LTA'), 3000)
  report('sign 7 KB, B-LTA', small, { goal: 'at least 1,500 a core-second', isMet: 1000 / small >= 1500 })
  const checked = await cpuMs(() => ours(bufferSource(SMALL), 'B-LTA', authority.tsa), 3000)
  report('sign 7 KB, B-LTA, tokens checked', checked)
  report('sign 1 MB, B-LTA', await cpuMs(() => ours(bufferSource(MEDIUM), 'B-LTA')))
  const largeMs = await cpuMs(() => ours(bufferSource(large), 'B-B'), 2000)
  report('sign 50 MB, B-B', largeMs, {
    beside: 'SHA-256 alone',
    ratio: percent(rawHash / largeMs),
    goal: 'at least 90 %',
    isMet: rawHash / largeMs >= 0.9,
  })
  report('sign 50 MB, B-LTA', await cpuMs(() => ours(bufferSource(large), 'B-LTA'), 2000))

  const path = join(folder, 'large.pdf')
  writeFileSync(path, large)
  const file = await openFileSource(path)
  report('sign 50 MB in a file, B-B', await cpuMs(() => ours(file, 'B-B'), 2000))
  await file.close()
  const overMb = memoryOverBaseline(path)
  const memory = { what: 'sign 50 MB in a file: memory', ours: `${overMb.toFixed(1)} MB over the baseline` }
  lines.push({ ...memory, goal: 'below 16 MB', isMet: overMb < 16 })

  report('@libpdf/core, 7 KB, B-B', await cpuMs(() => libpdf(SMALL, 'B-B'), 2000))
  const peer = await cpuMs(() => libpdf(SMALL, 'B-LTA'), 4000)
  const times = {
    ratio: `ours is ${(peer / small).toFixed(0)} times faster`,
    goal: '50 times',
    isMet: peer / small >= 50,
  }
  report('@libpdf/core, 7 KB, B-LTA', peer, times)
  report('@libpdf/core, 1 MB, B-LTA', await cpuMs(() => libpdf(MEDIUM, 'B-LTA'), 3000))
  const p12 = makeP12(folder)
  if (p12 === undefined) lines.push({ what: '@signpdf, 7 KB', ours: 'SKIPPED: openssl is not installed' })
  else report('@signpdf, 7 KB, RSA-2048, below B-B', await cpuMs(() => signpdf(SMALL, p12), 2000))
}

export async function measureEngine(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-engine-'))
  try {
    await measureAll(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
  return lines
}

// A process of its own, because only there the peak of its memory is that of one signature.
if (process.argv[2] === '--memory') await memoryRun(process.argv[3] as string)
