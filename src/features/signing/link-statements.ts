// A signatory's link is a credential: it is looked up before anything else is known about whoever opens it.
import { uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const deleteLinksOfRequests = statement({
  name: 'deleteLinksOfRequests',
  params: { tenantId: uuid, requestIds: uuids },
  sql: `delete from credential c
         using signatory s
         where s.tenant_id = :tenantId and s.request_id = any(:requestIds)
           and c.tenant_id = s.tenant_id and c.kind = 'link' and c.ref_id = s.id`,
})
