// A stranger's file in, a report out. The file lies in the staging area while it is judged, and nowhere afterwards.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { listTrustAnchors, type TrustAnchor } from '#features/certificates/index.ts'
import type { SignatureReport, ValidationReport } from '#pades/validate/report.ts'
import type { StagedBlob } from '#platform/blobs/blob-store.ts'
import { invalidArgument } from '#platform/errors.ts'
import { stageStream } from '#platform/http/body/stage-stream.ts'
import { unsupportedMediaType } from '#platform/http/edge-errors.ts'
import { hasBody, patient } from '#platform/http/incoming-body.ts'
import type { Platform } from '#platform/platform.ts'
import { notPdf } from './errors.ts'
import { judge } from './judges.ts'

/** Viewers accept the mark anywhere in the first bytes (ISO 32000-1, annex H.3.4.1). */
const MARK = '%PDF-'
const MARK_WITHIN = 1024

/** What a signature adds with its picture, its timestamps and their proofs: about 62 KB by our own authority. */
const SIGNATURE_BYTES = 128 * 1024

export type DocumentToValidate = {
  request: IncomingMessage
  /** Whose imported certificates are trusted besides; nobody's for strangers. */
  tenantId?: string
  now: Date
}

export type Validated = Awaited<ReturnType<typeof validateDocument>>

/** Takes the body in, judges it, and forgets it. */
export async function validateDocument(platform: Platform, { request, tenantId, now }: DocumentToValidate) {
  const staged = await stage(platform, request)
  try {
    const bytes = await readPdf(staged)
    const anchors = await listTrustAnchors(platform, tenantId === undefined ? {} : { tenantId })
    const trustAnchors = anchors.map(({ certificate }) => certificate)
    const report = await judge(bytes, { trustAnchors, time: now })
    return { ...describeReport(report, anchors), sha256: staged.sha256, sizeBytes: staged.sizeBytes }
  } finally {
    await staged.discard()
  }
}

async function stage({ blobs, config }: Platform, request: IncomingMessage): Promise<StagedBlob> {
  const { headers } = request
  if (headers['content-encoding'] !== undefined || /^multipart\//i.test(headers['content-type'] ?? '')) {
    throw unsupportedMediaType('application/pdf')
  }
  if (!hasBody(request)) throw invalidArgument('body', 'is required')
  const { documentBytes, signatories } = config.limits
  // The largest document, signed by everybody and sealed: what we have made ourselves must not be too large for us.
  const maxBytes = documentBytes + (signatories + 1) * SIGNATURE_BYTES
  return stageStream(patient(request), await blobs.begin(), { maxBytes })
}

async function readPdf({ content }: StagedBlob): Promise<Buffer> {
  const bytes = 'bytes' in content ? content.bytes : await readFile(content.path)
  if (!bytes.subarray(0, MARK_WITHIN).includes(MARK)) throw notPdf()
  return bytes
}

/** The report as it goes out: every field there, and for each chain where it ends. */
function describeReport(report: ValidationReport, anchors: readonly TrustAnchor[]) {
  const origins = new Map(anchors.map(({ certificate, origin }) => [fingerprintOf(certificate), origin]))
  const describe = (signature: SignatureReport) => describeSignature(signature, origins)
  const { verdict, validatedAt, revisions, unreadable = null, findings } = report
  return {
    verdict,
    validatedAt: validatedAt.toISOString(),
    revisions,
    unreadable,
    signatures: report.signatures.map(describe),
    timestamps: report.timestamps.map(describe),
    findings,
  }
}

const fingerprintOf = (der: Buffer) => createHash('sha256').update(der).digest('hex')

type Origins = ReadonlyMap<string, TrustAnchor['origin']>

function describeSignature({ coverage, certificates, ...signature }: SignatureReport, origins: Origins) {
  return {
    ...signature,
    subIndication: signature.subIndication ?? null,
    level: signature.level ?? null,
    subject: signature.subject ?? null,
    claimedTime: signature.claimedTime?.toISOString() ?? null,
    provenTime: signature.provenTime?.toISOString() ?? null,
    coverage: { kind: coverage.kind, revision: coverage.revision ?? null, end: coverage.end ?? null },
    chainEndsAt: whereItEnds(certificates.at(-1)?.sha256, origins),
    certificates: certificates.map((certificate) => ({
      ...certificate,
      notBefore: certificate.notBefore.toISOString(),
      notAfter: certificate.notAfter.toISOString(),
    })),
  }
}

function whereItEnds(last: string | undefined, origins: Origins): 'Installation' | 'Trusted' | 'Unknown' {
  const origin = last === undefined ? undefined : origins.get(last)
  if (origin === undefined) return 'Unknown'
  return origin === 'installation' ? 'Installation' : 'Trusted'
}
