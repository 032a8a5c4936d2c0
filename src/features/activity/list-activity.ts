import type { Static } from 'typebox'
import { departmentsToList } from '#platform/auth/departments-to-list.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { readPage } from '#platform/http/paging.ts'
import { NIL_UUID } from '#platform/ids.ts'
import { listActivities } from './activity-statements.ts'
import type { ActivityQuery } from './schemas.ts'

/** Who did what in the departments within reach, newest first. */
export async function listActivity(tx: Tx, { caller, query }: { caller: Caller; query: Static<typeof ActivityQuery> }) {
  const rows = await listActivities.many(tx, {
    tenantId: caller.tenantId,
    departmentIds: (await departmentsToList(tx, { caller, departmentId: query.departmentId })) ?? null,
    actorId: query.actorId ?? null,
    targetType: query.targetType ?? null,
    targetId: query.targetId ?? null,
    from: query.from === undefined ? null : new Date(query.from),
    to: query.to === undefined ? null : new Date(query.to),
    before: query.before ?? null,
    take: readPage(query).take,
  })
  return { items: rows.map(describe) }
}

/** Whoever types commands on the machine itself is nobody's user: the id is nil, and the name says where it was done. */
function describeActor({ actorId, actorName, isKey }: Pick<Row, 'actorId' | 'actorName' | 'isKey'>) {
  if (actorId === NIL_UUID) return { kind: 'commandline', id: actorId, name: 'Command line' } as const
  return { kind: isKey ? 'key' : 'user', id: actorId, name: actorName } as const
}

type Row = Awaited<ReturnType<typeof listActivities.one>>

function describe({ actorId, actorName, isKey, targetType, targetId, targetName, ...rest }: Row) {
  return {
    ...rest,
    actor: describeActor({ actorId, actorName, isKey }),
    target: { type: targetType, id: targetId, name: targetName },
  }
}
