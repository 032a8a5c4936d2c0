// The validator's front door: one verdict about a whole file. It fails closed: whatever can't be understood, explained
// or proven keeps the file from being valid. It opens no connection and has no clock.
import { meterVerifications } from '#pki/algorithms.ts'
import { parseCertificate, type Certificate } from '#pki/certificate.ts'
import { parseCrl } from '#pki/crl.ts'
import { parseOcspResponse } from '#pki/ocsp.ts'
import type { RevocationData } from '#pki/validation-data.ts'
import { openPdf } from '../reader.ts'
import { PdfRefused } from '../refused.ts'
import { READER_LIMITS, type Effort } from './bounds.ts'
import { isVouchedFor } from './cms-rules.ts'
import { takeInventory, type Inventory } from './inventory.ts'
import { judgeAll } from './judge-all.ts'
import { listCandidates } from './locate.ts'
import type { Memory } from './memory.ts'
import { Proofs } from './proofs.ts'
import type { Finding, SignatureReport, ValidationReport, Verdict } from './report.ts'
import { readStore, type Store } from './store.ts'
import type { TrustContext } from './trust.ts'

export interface ValidationOptions {
  /** Certificates (DER) of the authorities that are trusted, for signatures and timestamps alike. */
  readonly trustAnchors: readonly Buffer[]
  /** The moment as of which to judge. */
  readonly time: Date
  /** Fresh answers (DER) about certificates, where the caller has them; needed below level B-LT. */
  readonly revocation?: { readonly ocsps?: readonly Buffer[]; readonly crls?: readonly Buffer[] }
}

/**
 * Judges a file. Whatever is in the file, the answer is a report; only unreadable options throw. With a memory, what was
 * read and checked for earlier files is not read and checked again; the report is the same.
 */
export async function validatePdf(
  bytes: Buffer,
  options: ValidationOptions,
  memory?: Memory,
): Promise<ValidationReport> {
  const anchors = options.trustAnchors.map((der) => memory?.anchors.read(der) ?? parseCertificate(der))
  const given: RevocationData = {
    ocspResponses: (options.revocation?.ocsps ?? []).map(parseOcspResponse),
    crls: (options.revocation?.crls ?? []).map(parseCrl),
  }
  try {
    return await examine(bytes, { anchors, given, time: options.time, memory })
  } catch (error) {
    return refusal(bytes, options.time, error)
  }
}

interface Given {
  readonly anchors: Certificate[]
  readonly given: RevocationData
  readonly time: Date
  readonly memory: Memory | undefined
}

async function examine(bytes: Buffer, { anchors, given, time, memory }: Given): Promise<ValidationReport> {
  const reader = await openPdf(bytes, READER_LIMITS)
  const inventory = await takeInventory(reader)
  const candidates = await listCandidates(inventory)
  const revisions = inventory.views.length
  if (candidates.length === 0) return unsigned(bytes, time, revisions)
  const store = await readStore(inventory.views, memory)
  const proofs = new Proofs()
  const context = contextOf({ anchors, given, time, memory }, { store, proofs, effort: inventory.effort })
  const reports = await judgeAll({ bytes, inventory, candidates, store, proofs, context, memory })
  const findings = meterVerifications(inventory.effort.spendVerification, () =>
    judgeStore(store, proofs, context, inventory),
  )
  return {
    verdict: verdictOf(reports, findings),
    validatedAt: time,
    revisions,
    signatures: reports.filter(({ kind }) => kind === 'signature'),
    timestamps: reports.filter(({ kind }) => kind === 'timestamp'),
    findings,
  }
}

interface Surveyed {
  readonly store: Store
  readonly proofs: Proofs
  readonly effort: Effort
}

function contextOf({ anchors, given, time }: Given, { store, proofs, effort }: Surveyed): TrustContext {
  const existedBy = (raw: Buffer) => {
    const revision = store.since.get(raw)
    return (revision === undefined ? undefined : proofs.findTime(revision)) ?? time
  }
  const embedded = { ocspResponses: store.ocspResponses, crls: store.crls }
  const data = {
    ocspResponses: [...given.ocspResponses, ...store.ocspResponses],
    crls: [...given.crls, ...store.crls],
  }
  return {
    anchors,
    known: store.certificates,
    data,
    embedded,
    now: time,
    effort,
    answers: new Map(),
    vouched: new Set(),
    existedBy,
  }
}

const doubt = (message: string): Finding => ({ weight: 'doubt', message })

/** A store that no timestamp covers could have been changed by anybody, so it must at least hold together. */
function judgeStore(store: Store, proofs: Proofs, context: TrustContext, { views }: Inventory): Finding[] {
  if (store.unreadable > 0) return [doubt('Some of the validation data in the document cannot be read.')]
  if (proofs.findTime(views.length - 1) !== undefined) return []
  const isSound = store.certificates.every((certificate) => isVouchedFor(certificate, context))
  return isSound ? [] : [doubt('A certificate in the validation data of the document cannot be checked.')]
}

/** Valid only if somebody signed and nothing at all is wrong or in doubt. */
function verdictOf(reports: readonly SignatureReport[], findings: readonly Finding[]): Verdict {
  if (reports.some(({ indication }) => indication === 'TOTAL-FAILED')) return 'invalid'
  if (reports.some(({ indication }) => indication !== 'TOTAL-PASSED') || findings.length > 0) return 'indeterminate'
  // Anybody can have a file stamped; a timestamp says when, not who.
  return reports.some(({ kind }) => kind === 'signature') ? 'valid' : 'unsigned'
}

const MARK = Buffer.from('/ByteRange')

function unsigned(bytes: Buffer, time: Date, revisions: number): ValidationReport {
  const isHiding = bytes.includes(MARK)
  return {
    verdict: isHiding ? 'invalid' : 'unsigned',
    validatedAt: time,
    revisions,
    signatures: [],
    timestamps: [],
    findings: isHiding
      ? [{ weight: 'failure', message: 'The file holds traces of a signature that it does not show.' }]
      : [{ weight: 'note', message: 'Nobody has signed this document.' }],
  }
}

/** What is refused as it stands may be fine in itself, but can't be judged; what is damaged is not what was signed. */
const UNJUDGED = new Set(['encrypted', 'hybrid', 'too-large', 'too-complex', 'unsupported'])

function refusal(bytes: Buffer, time: Date, error: unknown): ValidationReport {
  const isUnjudged = !(error instanceof PdfRefused) || UNJUDGED.has(error.reason)
  const isEncrypted = error instanceof PdfRefused && error.reason === 'encrypted'
  const message = error instanceof PdfRefused ? error.message : 'This file could not be judged.'
  return {
    verdict: isUnjudged ? 'indeterminate' : 'invalid',
    validatedAt: time,
    revisions: 0,
    unreadable: isEncrypted ? 'encrypted' : isUnjudged ? 'unsupported' : 'damaged',
    signatures: [],
    timestamps: [],
    findings: [
      { weight: isUnjudged ? 'doubt' : 'failure', message },
      ...(bytes.includes(MARK) ? [{ weight: 'note', message: 'It seems to carry a signature.' } as const] : []),
    ],
  }
}
