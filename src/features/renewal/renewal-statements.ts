import { integer, json, nullable, oneOf, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const KINDS = ['signaturedocument', 'evidence', 'sealingdocument'] as const

const kind = oneOf(KINDS)
const file = { tenantId: uuid, kind, id: uuid }

export type CalendarRow = {
  id: string
  requestId: string
  departmentId: string
  storedDocumentId: string
  lastsUntil: Date
  dueAt: Date
}

/** A file is put on the calendar once; whoever renews it moves it on. */
export const putOnCalendar = statement({
  name: 'putOnRenewalCalendar',
  params: { tenantId: uuid, kind, files: json<CalendarRow[]>() },
  sql: `insert into archive_renewal
               (tenant_id, kind, id, request_id, department_id, stored_document_id, lasts_until, due_at)
        select :tenantId, :kind, f.id, f."requestId", f."departmentId", f."storedDocumentId", f."lastsUntil", f."dueAt"
          from jsonb_to_recordset(:files::jsonb)
            as f (id uuid, "requestId" uuid, "departmentId" uuid, "storedDocumentId" uuid, "lastsUntil" timestamptz,
                  "dueAt" timestamptz)`,
})

/** Only where nobody else has renewed it meanwhile. */
export const moveOnCalendar = statement({
  name: 'moveOnRenewalCalendar',
  params: { ...file, previousDocumentId: uuid, storedDocumentId: uuid, lastsUntil: time, dueAt: time },
  sql: `update archive_renewal
           set stored_document_id = :storedDocumentId, lasts_until = :lastsUntil, due_at = :dueAt, renewals = renewals + 1
         where tenant_id = :tenantId and kind = :kind and id = :id and stored_document_id = :previousDocumentId`,
})

/** Looked at, and nothing gained yet. */
export const postponeOnCalendar = statement({
  name: 'postponeOnRenewalCalendar',
  params: { ...file, dueAt: time },
  sql: `update archive_renewal set due_at = :dueAt where tenant_id = :tenantId and kind = :kind and id = :id`,
})

export const findOnCalendar = statement({
  name: 'findOnRenewalCalendar',
  params: file,
  row: { requestId: uuid, storedDocumentId: uuid, lastsUntil: time, dueAt: time },
  sql: `select request_id as "requestId", stored_document_id as "storedDocumentId",
               lasts_until as "lastsUntil", due_at as "dueAt"
          from archive_renewal where tenant_id = :tenantId and kind = :kind and id = :id`,
})

export const listDue = statement({
  name: 'listDueRenewals',
  params: { tenantId: uuid, now: time, take: integer },
  row: { kind, id: uuid, dueAt: time },
  sql: `select kind, id, due_at as "dueAt" from archive_renewal
         where tenant_id = :tenantId and due_at <= :now
         order by due_at limit :take`,
})

/** The calendar from its next date on, for departments within reach; all of them where none are named. */
export const listCalendar = statement({
  name: 'listRenewalCalendar',
  params: { tenantId: uuid, departmentIds: nullable(uuids), from: nullable(time), take: integer },
  row: {
    kind,
    id: uuid,
    requestId: uuid,
    departmentId: uuid,
    storedDocumentId: uuid,
    lastsUntil: time,
    dueAt: time,
    renewals: integer,
  },
  sql: `select kind, id, request_id as "requestId", department_id as "departmentId",
               stored_document_id as "storedDocumentId", lasts_until as "lastsUntil", due_at as "dueAt", renewals
          from archive_renewal
         where tenant_id = :tenantId and (:departmentIds::uuid[] is null or department_id = any(:departmentIds))
           and (:from::timestamptz is null or due_at >= :from)
         order by due_at, id limit :take`,
})

export const deleteFromCalendar = statement({
  name: 'deleteFromRenewalCalendar',
  params: { tenantId: uuid, ids: uuids },
  sql: `delete from archive_renewal
         where tenant_id = :tenantId and kind in ('signaturedocument', 'evidence', 'sealingdocument') and id = any(:ids)`,
})
