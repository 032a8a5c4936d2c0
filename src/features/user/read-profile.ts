import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { findProfile } from './user-statements.ts'

/** A user's profile; undefined where the id names nobody in the caller's tenant. */
export async function readProfile(tx: Tx, { caller, userId }: { caller: Caller; userId: string }) {
  const profile = await findProfile.maybeOne(tx, { tenantId: caller.tenantId, userId })
  if (profile === undefined) return undefined
  await requireReach(tx, caller, profile.departamentId)
  return profile
}
