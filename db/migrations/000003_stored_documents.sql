-- A document that the service keeps. Its id is its uri; the bytes lie in the blob store under their SHA-256.
create table stored_document (
  tenant_id     uuid not null,
  id            uuid not null,
  department_id uuid not null,
  sha256        bytea not null check (length(sha256) = 32),
  size_bytes    bigint not null check (size_bytes >= 0),
  content_type  text not null,
  file_name     text not null,
  creator_id    uuid not null,
  created_at    timestamptz not null,
  purge_at      timestamptz, -- Set while nothing uses it.
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id)
);
create index stored_document_content on stored_document (tenant_id, sha256);
create index stored_document_purge on stored_document (tenant_id, purge_at) where purge_at is not null;
call isolate_by_tenant('stored_document', 'select, insert, update, delete');
