import { takeInvitations } from '#features/abuse/index.ts'
import { actorOf } from '#features/event/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { requireGateway, requireProviders } from './authentication.ts'
import { notReadyToOpen, requestNotFound } from './errors.ts'
import { askToPrepare } from './flow/prepare-documents.ts'
import { insertLinks } from './link-statements.ts'
import { linkHash } from './links.ts'
import type { Opening } from './new-request.ts'
import { countAsked, DEFAULT_LIFETIME_MS, findGap } from './opening-rules.ts'
import { readRequest, type RequestRepresentation } from './read-request.ts'
import { recordMove } from './record-move.ts'
import { lockRequest, openRequest as markOpen } from './request-statements.ts'
import { listDocuments, listSignatories } from './reading-statements.ts'
import { statusAfter } from './signature-request.ts'

export type OpenRequest = { caller: Caller; requestId: string; platform: Opening; now: Date }

/** Makes a Draft ready for its signatories: each has a link from now on. They are told once the documents are prepared. */
export async function openRequest(
  tx: Tx,
  { caller, requestId, platform, now }: OpenRequest,
): Promise<RequestRepresentation> {
  const { tenantId } = caller
  const found = await lockRequest.maybeOne(tx, { tenantId, requestId })
  if (found === undefined) throw requestNotFound(requestId)
  const { departmentId, creatorId, status: from } = found
  await requireReach(tx, caller, departmentId)
  const to = statusAfter(from, 'open')

  const [signatories, documents] = await Promise.all([
    listSignatories.many(tx, { tenantId, requestIds: [requestId] }),
    listDocuments.many(tx, { tenantId, requestIds: [requestId] }),
  ])
  const gap = findGap({ ...found, signatories, documentCount: documents.length }, now)
  if (gap) throw notReadyToOpen(gap.field, gap.expected)
  // The installation may have changed since the draft was made.
  requireProviders({ ...found, signatories }, platform.config)
  requireGateway(found, platform.config)

  const expirationAt = found.expirationAt ?? new Date(now.getTime() + DEFAULT_LIFETIME_MS)
  await markOpen.run(tx, { tenantId, requestId, expirationAt, now })
  const links = signatories.map(({ id, linkGeneration }) => ({
    signatoryId: id,
    hash: linkHash(platform.keyring, { tenantId, signatoryId: id, generation: linkGeneration }).toString('hex'),
  }))
  await insertLinks.run(tx, { tenantId, links, expirationAt })
  await askToPrepare(tx, [{ tenantId, requestId, now }])
  await recordMove(tx, {
    request: { tenantId, requestId, departmentId, creatorId, from, to },
    actor: actorOf(caller),
    cause: { type: 'signaturerequestopened' },
    now,
  })
  const opened = await readRequest(tx, { caller, requestId })
  takeInvitations(tx, platform, { tenantId, amount: countAsked({ ...found, signatories }), now })
  return opened
}
