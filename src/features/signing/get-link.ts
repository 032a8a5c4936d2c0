import { requireReach, type Caller } from '#platform/auth/caller.ts'
import { publicAddress } from '#platform/config/public-address.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { requestNotFound, signatoryNotFound, wrongStatus } from './errors.ts'
import { findFlow, listPeople } from './flow/flow-statements.ts'
import { isRunning } from './flow/flow.ts'
import { linkToken, type LinkOwner } from './links.ts'
import { readReturnUrl } from './return-url.ts'

export type GetLink = {
  caller: Caller
  requestId: string
  signatoryId: string
  returnUrl: string | undefined
  platform: Pick<Platform, 'keyring' | 'config'>
  now: Date
}

/** A signatory's personal link, for delivery by the caller and for embedding. */
export async function getLink(
  tx: Tx,
  { caller, requestId, signatoryId, returnUrl, platform, now }: GetLink,
): Promise<{ url: string }> {
  const { tenantId } = caller
  const flow = await findFlow.maybeOne(tx, { tenantId, requestId })
  if (flow === undefined) throw requestNotFound(requestId)
  await requireReach(tx, caller, flow.departmentId)
  const people = await listPeople.many(tx, { tenantId, requestId })
  const person = people.find(({ id }) => id === signatoryId)
  if (person === undefined) throw signatoryNotFound(signatoryId)
  if (!isRunning(flow, now)) throw wrongStatus(flow.status === 'Open' ? 'expired' : flow.status, 'opened by a link')
  const back = returnUrl === undefined ? undefined : await readReturnUrl(tx, { tenantId, returnUrl })
  const url = linkUrl(platform, { tenantId, signatoryId, generation: person.linkGeneration })
  return { url: back === undefined ? url : `${url}?returnUrl=${encodeURIComponent(back)}` }
}

/** The address that opens the signing page for this person. */
export function linkUrl({ keyring, config }: Pick<Platform, 'keyring' | 'config'>, owner: LinkOwner): string {
  return `${publicAddress(config)}/sign/${linkToken(keyring, owner)}`
}
