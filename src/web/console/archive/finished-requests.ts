// Finished requests of both kinds in one shape, and what the archive has reported.
import { service, type Answer } from '../service.ts'
import type { Stage } from './archive-words.ts'

export type RequestKind = 'signature' | 'sealing'

export type Finished = {
  id: string
  name: string
  reference: string | null
  reason: string | null
  stage: Stage
  changedAt: string
}

export type FinishedQuery = { kind: RequestKind; stage: Stage; skip: number; take: number }

/** A page of what is in this stage, newest first. */
export async function listFinished({ kind, stage, skip, take }: FinishedQuery) {
  const query = { status: stage, skip, take }
  const { items, total } =
    kind === 'signature' ? await service.listSignatureRequests(query) : await service.listSealingRequests(query)
  const finished = items.map((request): Finished => ({
    id: request.id,
    name: request.subject ?? 'Without a subject',
    reference: request.externalReference,
    reason: 'archivingError' in request ? wordsOf(request.archivingError) : request.statusReason,
    stage,
    changedAt: request.modifiedDate,
  }))
  return { items: finished, total }
}

type ArchivingError = Answer<'readSignatureRequest'>['archivingError']

/** What the archive said about its failure: the most telling of it. */
function wordsOf(error: ArchivingError): string | null {
  return error === null ? null : (error.detail ?? error.name ?? error.code)
}

export type Report = { kind: RequestKind; id: string; stage: Exclude<Stage, 'Closed'>; reason: string }

/** Says how far the archive has come. */
export async function reportArchiving({ kind, id, stage, reason }: Report): Promise<void> {
  if (kind === 'sealing') {
    await service.createOrChangeSealingRequest({ sealingRequestId: id, status: stage })
    return
  }
  const error = stage === 'ArchivingFailed' && reason !== '' ? { error: { detail: reason } } : {}
  await service.setArchivingStatus({ id, status: stage, ...error })
}
