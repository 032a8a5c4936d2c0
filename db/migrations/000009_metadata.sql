create table metadata (
  tenant_id    uuid not null,
  entity_type  text not null check (entity_type in ('SignatureRequest', 'Signee', 'Document', 'Archive')),
  entity_id    uuid not null,
  key          text not null,
  value        text not null,
  reference_id uuid,
  modified_at  timestamptz not null,
  primary key (tenant_id, entity_type, entity_id, key)
);
call isolate_by_tenant('metadata', 'select, insert, update, delete');
