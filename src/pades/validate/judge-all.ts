// Judges all signatures and timestamps of a document, in the order in which they prove things about each other:
// document timestamps from the newest to the oldest, then the signatures below them.
import { hash } from 'node:crypto'
import { meterVerifications } from '#pki/algorithms.ts'
import type { SignedData } from '#pki/cms-reader.ts'
import type { Certificate } from '#pki/certificate.ts'
import { formatName } from '#pki/names.ts'
import type { TimestampToken } from '#pki/timestamp.ts'
import { entry, isName, type PdfDict } from '../value.ts'
import { findClaimedTime } from './claimed-time.ts'
import { findCoverage, type CoveredSignature } from './coverage.ts'
import { digestAll, type DigestRequest } from './digests.ts'
import { explainRevisions } from './explain-revisions.ts'
import { Findings } from './findings.ts'
import type { Inventory } from './inventory.ts'
import { findLevel } from './level.ts'
import { isTimestampDict, type Candidate } from './locate.ts'
import type { Memory } from './memory.ts'
import { judgeSteps, readPermissions, type Certification, type Permissions } from './permissions.ts'
import type { Proofs } from './proofs.ts'
import type { CertificateSummary, Level, SignatureReport } from './report.ts'
import { judgeSignature, readSignature } from './signature-judge.ts'
import type { StepResult } from './step.ts'
import type { Store } from './store.ts'
import { judgeToken, readToken } from './timestamp-judge.ts'
import { nameOf, type TrustContext } from './trust.ts'

export interface Judging {
  readonly bytes: Buffer
  readonly inventory: Inventory
  readonly candidates: readonly Candidate[]
  readonly store: Store
  readonly proofs: Proofs
  readonly context: TrustContext
  readonly memory: Memory | undefined
}

/** One signature or timestamp while it is being judged. */
interface Subject {
  readonly candidate: Candidate
  readonly findings: Findings
  readonly kind: 'signature' | 'timestamp'
  readonly dict: PdfDict | undefined
  readonly covered: CoveredSignature | undefined
  readonly permissions: Permissions
  signedData?: SignedData
  token?: TimestampToken
  digest?: Buffer
  changed: SignatureReport['changedAfterwards']
  steps: readonly StepResult[]
  certificate?: Certificate
  path: readonly Certificate[]
  provenTime?: Date
  level?: Level
}

/** A report for each candidate, in their order. */
export async function judgeAll(judging: Judging): Promise<SignatureReport[]> {
  const { bytes, inventory, candidates, memory } = judging
  const subjects: Subject[] = []
  for (const candidate of candidates) subjects.push(await openSubject(candidate, judging))
  readContents(subjects, bytes)
  const first = Math.min(...inventory.signatures.map(({ revision }) => revision))
  judgeChanges(subjects, await explainRevisions(inventory, first, bytes))
  const judgeThem = () => {
    for (const subject of newestFirst(subjects)) judgeTimestamp(subject, judging)
    for (const subject of subjects) judgeOwn(subject, judging)
  }
  meterVerifications(inventory.effort.spendVerification, judgeThem, memory?.verifications)
  return subjects.map((subject) => reportOf(subject, bytes))
}

const NOTHING_LOCKED: Permissions = { certified: undefined, limit: undefined, isLocked: () => false }

async function openSubject(candidate: Candidate, { inventory, bytes }: Judging): Promise<Subject> {
  const findings = new Findings()
  for (const problem of candidate.problems) findings.fail('FORMAT_FAILURE', problem)
  const found = await findCoverage(candidate, inventory, bytes)
  const covered = 'problem' in found ? undefined : found
  if ('problem' in found) findings.fail('FORMAT_FAILURE', found.problem)
  const { dict } = found
  const kind = dict !== undefined && isTimestampDict(dict) ? 'timestamp' : 'signature'
  const permissions = covered === undefined ? NOTHING_LOCKED : await readPermissions(covered)
  if (covered !== undefined && permissions.certified !== undefined) await requireAnnounced(covered, findings)
  return { candidate, findings, kind, dict, covered, permissions, changed: 'unknown', steps: [], path: [] }
}

/** A certification that the catalog does not name is one that viewers do not enforce (12.8.6). */
async function requireAnnounced({ view: { reader }, number }: CoveredSignature, findings: Findings): Promise<void> {
  const permissions = await reader.findDict(await reader.catalog(), 'Perms')
  const named = permissions && entry(permissions, 'DocMDP')
  if (named?.kind === 'ref' && named.number === number) return
  findings.question('SIG_CONSTRAINTS_FAILURE', 'The document does not announce its certification.')
}

/** Parses what each signature holds, and takes the digests of all of them in one pass. */
function readContents(subjects: readonly Subject[], bytes: Buffer): void {
  const requests = new Map<Subject, DigestRequest>()
  for (const subject of subjects) {
    const hash = subject.covered && readContent(subject, subject.covered)
    if (subject.covered !== undefined && hash !== undefined) requests.set(subject, { range: subject.covered, hash })
  }
  const digests = digestAll(bytes, [...requests.values()])
  for (const [subject, request] of requests) subject.digest = digests.get(request) as Buffer
}

function readContent(subject: Subject, { dict, contents }: CoveredSignature) {
  const { findings } = subject
  if (subject.kind === 'signature') {
    const signedData = readSignature(dict, contents, findings)
    if (signedData !== undefined) subject.signedData = signedData
    return signedData?.signer.digestHash
  }
  if (!isDocumentTimestamp(dict)) {
    findings.fail('FORMAT_FAILURE', 'The timestamp is of a kind that is not accepted.')
    return undefined
  }
  const token = readToken(contents, findings)
  if (token !== undefined) subject.token = token
  return token?.info.hash
}

const isDocumentTimestamp = (dict: PdfDict) =>
  isName(entry(dict, 'Type'), 'DocTimeStamp') && isName(entry(dict, 'SubFilter'), 'ETSI.RFC3161')

function judgeChanges(subjects: readonly Subject[], steps: readonly StepResult[]): void {
  const certifications: Certification[] = subjects.flatMap(({ covered, permissions }) =>
    covered === undefined || permissions.certified === undefined
      ? []
      : [{ revision: covered.view.revision.index, level: permissions.certified }],
  )
  for (const subject of subjects) {
    const { covered, permissions, findings } = subject
    if (covered === undefined) continue
    subject.steps = steps.filter(({ revision }) => revision > covered.view.revision.index)
    const about = new Findings()
    judgeSteps({ steps: subject.steps, permissions, certifications }, about)
    findings.absorb(about)
    subject.changed = subject.steps.length === 0 ? 'no' : about.isClean ? 'explained' : 'unexplained'
  }
}

const newestFirst = (subjects: readonly Subject[]) =>
  subjects
    .filter(({ kind, covered }) => kind === 'timestamp' && covered !== undefined)
    .sort((one, other) => revisionOf(other) - revisionOf(one))

const revisionOf = ({ covered }: Subject) => covered?.view.revision.index ?? -1

function judgeTimestamp(subject: Subject, { proofs, context }: Judging): void {
  const { token, digest, findings } = subject
  if (token === undefined || digest === undefined) return
  const revision = revisionOf(subject)
  const provenAt = proofs.findTime(revision)
  const answer = judgeToken(
    { token, digestOf: () => digest, provenAt, isNewest: provenAt === undefined },
    context,
    findings,
  )
  if (answer.authority !== undefined) subject.certificate = answer.authority
  subject.path = answer.path ?? []
  subject.provenTime = answer.time
  if (findings.isClean) proofs.add(revision, answer.time)
}

function judgeOwn(subject: Subject, { proofs, context, store }: Judging): void {
  const { signedData, digest, findings, dict } = subject
  if (signedData === undefined || digest === undefined || dict === undefined) return
  const revision = revisionOf(subject)
  const answer = judgeSignature({ signedData, digest, provenAt: proofs.findTime(revision) }, context, findings)
  if (answer.certificate !== undefined) subject.certificate = answer.certificate
  if (answer.provenTime !== undefined) subject.provenTime = answer.provenTime
  subject.path = answer.trust?.path ?? []
  if (findings.hasFailed) return
  const level = findLevel({ dict, signedData, answer, revision, store, proofs })
  if (level !== undefined) subject.level = level
  else findings.note('The signature does not follow the PAdES baseline.')
}

function reportOf(subject: Subject, bytes: Buffer): SignatureReport {
  const { kind, candidate, findings, level, dict, provenTime, certificate, path, steps, changed } = subject
  const claimedTime = kind === 'signature' && dict !== undefined ? findClaimedTime(dict) : undefined
  return {
    kind,
    fieldName: candidate.fieldName,
    ...findings.result,
    ...(level && { level }),
    ...(certificate && { subject: nameOf(certificate) }),
    ...(claimedTime && { claimedTime }),
    ...(provenTime && { provenTime }),
    coverage: coverageOf(subject, bytes),
    changedAfterwards: changed,
    additions: steps.flatMap(({ additions }) => additions),
    certificates: path.map(summaryOf),
    findings: findings.list,
  }
}

function coverageOf({ covered }: Subject, bytes: Buffer): SignatureReport['coverage'] {
  if (covered === undefined) return { kind: 'none' }
  const { end, view } = covered
  return { kind: end === bytes.length ? 'whole-file' : 'revision', revision: view.revision.index + 1, end }
}

function summaryOf({ subject, issuer, serial, notBefore, notAfter, raw }: Certificate): CertificateSummary {
  const [serialNumber, sha256] = [serial.toString('hex'), hash('sha256', raw)]
  return { subject: format(subject), issuer: format(issuer), serialNumber, notBefore, notAfter, sha256 }
}

function format(name: Buffer): string {
  try {
    return formatName(name)
  } catch {
    return 'unreadable name'
  }
}
