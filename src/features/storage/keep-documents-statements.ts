import { json, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export type DocumentRow = {
  id: string
  departmentId: string
  creatorId: string
  sha256: string
  sizeBytes: number
  contentType: string
  fileName: string
  now: Date
}

/** Many documents in one round trip. sha256 travels in hexadecimal: JSON knows no bytes. */
export const insertDocuments = statement({
  name: 'insertDocuments',
  params: { tenantId: uuid, documents: json<DocumentRow[]>() },
  sql: `insert into stored_document (tenant_id, id, department_id, sha256, size_bytes, content_type, file_name, creator_id, created_at)
        select :tenantId, d.id, d."departmentId", decode(d.sha256, 'hex'), d."sizeBytes", d."contentType", d."fileName",
               d."creatorId", d.now
          from json_to_recordset(:documents::json)
            as d (id uuid, "departmentId" uuid, sha256 text, "sizeBytes" bigint, "contentType" text, "fileName" text,
                  "creatorId" uuid, now timestamptz)`,
})
