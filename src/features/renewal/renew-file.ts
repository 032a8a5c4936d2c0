// Renewing a file: what proves its newest timestamp today and a new timestamp over all of it, appended in one revision.
// The bytes before stay as they are, so whoever has an older copy still has a beginning of this one.
import { collectValidationData, requireSoundFile, timestamper, UnsoundFile } from '#features/certificates/index.ts'
import { keepContent, loadDocument } from '#features/storage/index.ts'
import { listDocumentTimestamps } from '#pades/document-timestamp.ts'
import { addArchiveTimestamp } from '#pades/sign.ts'
import { bufferSource } from '#pades/source.ts'
import type { Tx } from '#platform/db/database.ts'
import type { JobRun } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { dueBefore, lastsUntil, type Kind } from './plan-renewal.ts'
import { findOnCalendar, KINDS, moveOnCalendar, postponeOnCalendar } from './renewal-statements.ts'

export type RenewedFile = {
  tenantId: string
  id: string
  requestId: string
  /** What it was until now. */
  previousSha256: string
  content: { sha256: string; sizeBytes: number }
  lastsUntil: Date
  now: Date
}

/** Makes a renewed file the current one of its request and says so in its history; answers with its uri. */
export type PublishRenewed = (tx: Tx, file: RenewedFile) => Promise<string>
export type Publishers = Record<Kind, PublishRenewed>

type Named = { tenantId: string; kind: Kind; id: string }

/** Renews the file that the job names, if it is still due. */
export async function renewFile(platform: Platform, job: JobRun, publishers: Publishers): Promise<void> {
  const name = namedBy(job)
  const { tenantId, kind, id } = name
  const due = await platform.db.transaction(tenantId, (tx) => findOnCalendar.maybeOne(tx, name))
  if (due === undefined || due.dueAt > platform.clock.now()) return
  const { requestId, storedDocumentId: previousDocumentId } = due
  const { bytes, sha256: previousSha256 } = await loadDocument(platform, { tenantId, documentId: previousDocumentId })
  const renewed = await stampAnew(platform, { tenantId, bytes })
  // The authority still stamps with the same certificate: one more timestamp would prove nothing for longer.
  if (renewed.lastsUntil <= due.lastsUntil) return postpone(platform, job, { ...name, ...due })
  const content = await keepContent(platform, { tenantId, bytes: renewed.bytes })
  await platform.db.transaction(tenantId, async (tx) => {
    const now = platform.clock.now()
    const { lastsUntil: end } = renewed
    const file = { tenantId, id, requestId, previousSha256, content, lastsUntil: end, now }
    const storedDocumentId = await publishers[kind](tx, file)
    const place = { ...name, previousDocumentId, storedDocumentId, lastsUntil: end, dueAt: dueBefore(end, now) }
    if ((await moveOnCalendar.run(tx, place)) !== 1) throw new Error('the file was renewed by another run')
    await job.finish(tx)
  })
}

async function postpone(platform: Platform, job: JobRun, file: Named & { lastsUntil: Date }): Promise<void> {
  const { tenantId, kind, id, lastsUntil: end } = file
  await platform.db.transaction(tenantId, async (tx) => {
    await postponeOnCalendar.run(tx, { tenantId, kind, id, dueAt: dueBefore(end, platform.clock.now()) })
    await job.finish(tx)
  })
}

function namedBy({ tenantId, payload }: JobRun): Named {
  const kind = KINDS.find((known) => known === payload['kind'])
  if (kind === undefined) throw new Error('the job names no kind of file')
  return { tenantId, kind, id: String(payload['id']) }
}

async function stampAnew(
  platform: Platform,
  { tenantId, bytes }: { tenantId: string; bytes: Buffer },
): Promise<{ bytes: Buffer; lastsUntil: Date }> {
  const now = platform.clock.now()
  const newest = (await listDocumentTimestamps(bufferSource(bytes))).slice(-1)
  const question = { tenantId, certificates: [], timestampTokens: newest, since: now, now }
  const validationData = await collectValidationData(platform, question)
  const revision = await addArchiveTimestamp(bufferSource(bytes), { tsa: timestamper(platform), validationData })
  const renewed = Buffer.concat([bytes, revision])
  const time = platform.clock.now()
  const file = { tenantId, bytes: renewed, fields: [], level: 'B-LTA', time, isBulk: true } as const
  const report = await requireSoundFile(platform, file)
  const doubtful = report.timestamps.find(({ indication }) => indication !== 'TOTAL-PASSED')
  if (doubtful)
    throw new UnsoundFile(`${doubtful.fieldName}: ${doubtful.findings.map(({ message }) => message).join(' ')}`)
  return { bytes: renewed, lastsUntil: lastsUntil(report) }
}
