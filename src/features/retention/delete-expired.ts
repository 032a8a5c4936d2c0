// Requests whose time is over. One transaction for each: either all of a request is gone or nothing of it, and its history
// says so in the same moment. The bytes follow.
import { forgetMessages } from '#features/messages/index.ts'
import { forgetMetadata } from '#features/metadata/index.ts'
import { listRetention } from '#features/onboarding/index.ts'
import { forgetRenewals } from '#features/renewal/index.ts'
import * as sealing from '#features/sealing/index.ts'
import * as signing from '#features/signing/index.ts'
import { purgeUploads } from '#features/storage/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 200

type Purge = { tenantId: string; now: Date }
type Kept = { departmentId: string; days: number }
type Finished = typeof signing | typeof sealing

/** Deletes what a tenant's departments do not keep any longer. Answers with how many requests are gone. */
export async function deleteExpired(platform: Platform, { tenantId, now }: Purge): Promise<number> {
  const departments = await platform.db.transaction(tenantId, (tx) => listRetention.many(tx, { tenantId }))
  let gone = 0
  for (const kept of departments) {
    for (const kind of [signing, sealing]) gone += await deleteOf(platform, kind, { ...kept, tenantId, now })
  }
  if (gone > 0) await purgeUploads(platform, { tenantId, now })
  return gone
}

async function deleteOf(platform: Platform, kind: Finished, of: Kept & Purge): Promise<number> {
  const { tenantId, departmentId, days, now } = of
  const before = new Date(now.getTime() - days * DAY_MS)
  let gone = 0
  for (;;) {
    const ids = await platform.db.transaction(tenantId, (tx) =>
      kind.listFinishedRequests(tx, { tenantId, departmentId, before, take: BATCH }),
    )
    for (const requestId of ids) {
      const isGone = await platform.db.transaction(tenantId, (tx) => forget(tx, kind, { ...of, requestId }))
      if (isGone) gone += 1
    }
    if (ids.length < BATCH) return gone
  }
}

async function forget(tx: Tx, kind: Finished, of: Kept & Purge & { requestId: string }): Promise<boolean> {
  const { tenantId, requestId, days: retentionDays, now } = of
  const ids = await kind.forgetRequest(tx, { tenantId, requestId, retentionDays, now })
  if (ids.length === 0) return false
  await forgetRenewals(tx, { tenantId, ids })
  await forgetMessages(tx, { tenantId, requestId })
  await forgetMetadata(tx, { tenantId, entityIds: ids })
  return true
}
