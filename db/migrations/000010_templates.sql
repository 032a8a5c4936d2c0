create table document_template (
  tenant_id        uuid not null,
  id               uuid not null,
  department_id    uuid not null,
  name             text not null,
  document_id      uuid not null, -- templateUri
  document_type_id uuid,
  language         text,
  created_at       timestamptz not null,
  modified_at      timestamptz not null,
  deleted_at       timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id),
  foreign key (tenant_id, document_id) references stored_document (tenant_id, id)
);
create index document_template_newest on document_template (tenant_id, created_at desc, id desc) where deleted_at is null;
call isolate_by_tenant('document_template', 'select, insert, update');

-- Presets for signature and sealing requests.
create table request_template (
  tenant_id     uuid not null,
  id            uuid not null,
  kind          text not null check (kind in ('signature', 'sealing')),
  department_id uuid not null,
  name          text not null,
  fields        jsonb not null,
  created_at    timestamptz not null,
  modified_at   timestamptz not null,
  deleted_at    timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id)
);
create index request_template_newest on request_template (tenant_id, created_at desc, id desc) where deleted_at is null;
call isolate_by_tenant('request_template', 'select, insert, update');
