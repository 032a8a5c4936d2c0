import { nullable, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const insertDepartment = statement({
  name: 'insertDepartment',
  params: {
    tenantId: uuid,
    id: uuid,
    parentId: nullable(uuid),
    path: uuids,
    name: text,
    shortName: nullable(text),
    contactEmail: nullable(text),
    businessId: nullable(text),
    externalReference: nullable(text),
    subscriptionTier: nullable(text),
    now: time,
  },
  sql: `insert into department (tenant_id, id, parent_id, path, name, short_name, contact_email, business_id,
                                external_reference, subscription_tier, created_at, modified_at)
        values (:tenantId, :id, :parentId, :path, :name, :shortName, :contactEmail, :businessId,
                :externalReference, :subscriptionTier, :now, :now)`,
})
