import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { readPage } from '#platform/http/paging.ts'
import { countKeys, listKeyRows } from './key-statements.ts'

export type ListKeys = { caller: Caller; query: { skip?: number; take?: number }; now: Date }

/** The living keys of the departments within reach, newest first. Their values are never shown again. */
export async function listKeys(tx: Tx, { caller, query, now }: ListKeys) {
  const page = readPage(query)
  const filter = { tenantId: caller.tenantId, above: caller.isTenantWide ? null : caller.departmentId }
  const { total } = await countKeys.one(tx, filter)
  return { total, items: await listKeyRows.many(tx, { ...filter, ...page, now }) }
}
