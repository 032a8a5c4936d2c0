import { LEVELS } from '#pades/validate/report.ts'
import { count, integer, oneOf, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** Documents that are sealed, by their id, for whoever looks at all of them. */
export const listSealed = statement({
  name: 'listSealedFiles',
  params: { tenantId: uuid, after: uuid, before: uuid, take: integer },
  row: { id: uuid, requestId: uuid, storedDocumentId: uuid, level: oneOf(LEVELS) },
  sql: `select id, request_id as "requestId", sealed_document_id as "storedDocumentId", level_reached as level
          from sealing_document
         where tenant_id = :tenantId and id > :after and id < :before
           and sealed_document_id is not null and level_reached is not null
         order by id
         limit :take`,
})

export const countSealed = statement({
  name: 'countSealedFiles',
  params: { tenantId: uuid, after: uuid, before: uuid },
  row: { files: count },
  sql: `select count(*) as files
          from sealing_document
         where tenant_id = :tenantId and id > :after and id < :before
           and sealed_document_id is not null and level_reached is not null`,
})
