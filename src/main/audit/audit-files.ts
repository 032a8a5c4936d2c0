// Looks at every file that was ever signed or sealed here: whether the bytes are the ones that were recorded, and whether
// they would still be published today. One file is in memory at a time, and nothing is written anywhere.
import { createHash } from 'node:crypto'
import { findUnsoundness, trustAnchors } from '#features/certificates/index.ts'
import { listToldFiles } from '#features/event/index.ts'
import { listTenants } from '#features/onboarding/index.ts'
import { countSealedFiles, listSealedFiles } from '#features/sealing/index.ts'
import { countSignedFiles, listEvidenceFiles, listSignedFiles, type SignedFile } from '#features/signing/index.ts'
import { findContents, type StoredContent } from '#features/storage/index.ts'
import { BLOB_CORRUPT_CODE, BLOB_MISSING_CODE } from '#platform/blobs/errors.ts'
import type { Tx } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { isDone, KINDS, type Kind, type Place } from './place.ts'

/** So many rows are asked for at a time. */
const PORTION = 100
/** So many findings are kept for the answer; the others are counted. */
const MOST_FINDINGS = 10_000

type List = (
  tx: Tx,
  portion: { tenantId: string; after: string; before: string; take: number },
) => Promise<SignedFile[]>

const LISTS: Readonly<Record<Kind, List>> = {
  signaturedocument: listSignedFiles,
  evidence: listEvidenceFiles,
  sealingdocument: listSealedFiles,
}

export type Finding = Place & { requestId: string; documentURI: string; problem: string }

export type FilesAudit = {
  /** Files that are what was recorded, and as good as they have to be. */
  sound: number
  /** Earlier revisions of theirs that are still what was recorded. */
  revisions: number
  readBytes: number
  /** Files that were deleted after they had been listed, by whoever may. */
  gone: number
  failures: number
  findings: Finding[]
  /** Where it was stopped; undefined where it came to the end. */
  stoppedAfter: Place | undefined
}

export type AuditFiles = {
  /** Only what was made between these ids. */
  span: { after: string; before: string }
  /** Goes on behind this place. */
  behind?: Place | undefined
  signal?: AbortSignal
  /** So many more of so many files have been looked at. */
  onFiles?: (count: number, total: number) => void
}

/** Judges every file of every tenant, in the order of tenants, kinds and ids. What is wrong is listed, not thrown. */
export async function auditFiles(
  platform: Platform,
  { span, behind, signal, onFiles = () => {} }: AuditFiles,
): Promise<FilesAudit> {
  const audit: FilesAudit = {
    sound: 0,
    revisions: 0,
    readBytes: 0,
    gone: 0,
    failures: 0,
    findings: [],
    stoppedAfter: undefined,
  }
  const tenantIds = await listTenantsBehind(platform, behind)
  const total = await countFiles(platform, tenantIds, span)
  let last = behind
  for (const tenantId of tenantIds) {
    const anchors = await trustAnchors(platform, { tenantId })
    for await (const { kind, file, told } of listFiles(platform, { tenantId, span, behind })) {
      if (signal?.aborted) return { ...audit, stoppedAfter: last ?? { tenantId, kind, id: span.after } }
      await auditFile(platform, { tenantId, kind, file, told, anchors, audit })
      last = { tenantId, kind, id: file.id }
      onFiles(1, total)
    }
  }
  return audit
}

async function listTenantsBehind({ db }: Platform, behind: Place | undefined): Promise<string[]> {
  const tenants = await db.systemTransaction((tx) => listTenants.many(tx, {}))
  const ids = tenants.map(({ id }) => id).toSorted()
  return behind === undefined ? ids : ids.filter((id) => id >= behind.tenantId)
}

/** About: those before the place at which it goes on are counted, too. */
async function countFiles({ db }: Platform, tenantIds: readonly string[], span: AuditFiles['span']): Promise<number> {
  let total = 0
  for (const tenantId of tenantIds) {
    const counts = await db.transaction(tenantId, (tx) =>
      Promise.all([countSignedFiles(tx, { tenantId, ...span }), countSealedFiles(tx, { tenantId, ...span })]),
    )
    total += counts[0] + counts[1]
  }
  return total
}

type Listing = { tenantId: string } & Pick<AuditFiles, 'span' | 'behind'>

async function* listFiles({ db }: Platform, { tenantId, span, behind }: Listing) {
  for (const kind of KINDS) {
    if (isDone({ tenantId, kind }, behind)) continue
    const isHere = behind?.tenantId === tenantId && behind.kind === kind
    for (let after = isHere && behind.id > span.after ? behind.id : span.after; ;) {
      const portion = { tenantId, after, before: span.before, take: PORTION }
      const files = await db.transaction(tenantId, (tx) => listPortion(tx, kind, portion), { seesOneMoment: true })
      yield* files
      if (files.length < PORTION) break
      after = files.at(-1)!.file.id
    }
  }
}

/** Files of a kind, each with the SHA-256 that its history tells of it, if it does. */
async function listPortion(tx: Tx, kind: Kind, portion: Parameters<List>[1]) {
  const files = await LISTS[kind](tx, portion)
  const requestKind = kind === 'sealingdocument' ? ('sealingrequest' as const) : ('signaturerequest' as const)
  const requestIds = files.map(({ requestId }) => requestId)
  const told = await listToldFiles(tx, { tenantId: portion.tenantId, requestKind, requestIds })
  const hashes = kind === 'evidence' ? told.evidence : told.documents
  return files.map((file) => ({ kind, file, told: hashes.get(file.id) }))
}

type OneFile = {
  tenantId: string
  kind: Kind
  file: SignedFile
  /** The SHA-256 by its history; undefined where that does not tell it. */
  told: string | undefined
  anchors: readonly Buffer[]
  audit: FilesAudit
}

async function auditFile(platform: Platform, one: OneFile): Promise<void> {
  const { tenantId, kind, file, audit } = one
  const problem = await findProblem(platform, one)
  if (problem === undefined) {
    audit.sound += 1
  } else if (await isGone(platform, tenantId, file)) {
    audit.gone += 1
  } else {
    const { id, requestId, storedDocumentId: documentURI } = file
    audit.failures += 1
    if (audit.findings.length < MOST_FINDINGS)
      audit.findings.push({ tenantId, kind, id, requestId, documentURI, problem })
  }
}

type Question = Omit<OneFile, 'kind'>

async function findProblem(platform: Platform, question: Question): Promise<string | undefined> {
  const { tenantId, file, told, anchors, audit } = question
  const kept = await findKept(platform, tenantId, file)
  const sha256 = kept.get(file.storedDocumentId)?.sha256
  const now = file.revisions.at(-1)
  const recorded = [file.sha256, now?.sha256].filter((hash) => hash !== undefined)
  if (sha256 === undefined || recorded.some((hash) => !hash.equals(sha256)))
    return 'its request names another file than the store has for it'
  if (told !== undefined && told !== sha256.toString('hex')) return `its history tells of another file, ${told}`
  if (now !== undefined && now.storedDocumentId !== file.storedDocumentId) return 'it is not its newest revision'
  try {
    const bytes = await platform.blobs.read(tenantId, sha256.toString('hex'))
    audit.readBytes += bytes.length
    const { fields, level } = file
    const time = platform.clock.now()
    const unsound = await findUnsoundness(platform, { tenantId, bytes, fields, level, time, anchors, isBulk: true })
    return unsound ?? (await findOtherRevision(platform, { ...question, bytes, kept }))
  } catch (error) {
    if (isAboutContent(error)) return `${error.message} (${(error.cause as Error).message})`
    throw error
  }
}

/** What the store says that each of these documents holds. */
function findKept({ db }: Platform, tenantId: string, { storedDocumentId, revisions }: SignedFile) {
  const documentIds = [storedDocumentId, ...revisions.map((revision) => revision.storedDocumentId)]
  return db.transaction(tenantId, (tx) => findContents(tx, { tenantId, documentIds }))
}

type Beginnings = Question & { bytes: Buffer; kept: ReadonlyMap<string, StoredContent> }

/** Each earlier revision is the beginning of the file as it is now, and is still there as well. */
async function findOtherRevision(
  { blobs }: Platform,
  { tenantId, file, bytes, kept, audit }: Beginnings,
): Promise<string | undefined> {
  const hash = createHash('sha256')
  let hashed = 0
  for (const { storedDocumentId, sha256, sizeBytes } of file.revisions.slice(0, -1)) {
    const name = `its earlier revision ${storedDocumentId}`
    if (!kept.get(storedDocumentId)?.sha256.equals(sha256)) return `${name} is another one than was recorded`
    hash.update(bytes.subarray(hashed, sizeBytes))
    hashed = sizeBytes
    if (!hash.copy().digest().equals(sha256)) return `it does not begin with ${name}`
    await blobs.verify(tenantId, sha256.toString('hex'))
    audit.revisions += 1
    audit.readBytes += sizeBytes
  }
  return undefined
}

/** Whether it is a finding about the content, and not about a storage that does not answer. */
function isAboutContent(error: unknown): error is AppError {
  return error instanceof AppError && [BLOB_CORRUPT_CODE, BLOB_MISSING_CODE].includes(error.code)
}

/** Deleted by its period or with its person, between the listing and the reading. */
async function isGone({ db }: Platform, tenantId: string, { storedDocumentId }: SignedFile): Promise<boolean> {
  const documentIds = [storedDocumentId]
  return (await db.transaction(tenantId, (tx) => findContents(tx, { tenantId, documentIds }))).size === 0
}
