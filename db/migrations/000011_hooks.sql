-- Who is to be told what. Secrets and header values are encrypted; only the names of headers are readable.
create table hook_subscription (
  tenant_id      uuid not null,
  id             uuid not null,
  event_type     text not null,
  uri            text not null,
  description    text,
  header_names   text[] not null,
  headers        bytea, -- encrypted JSON
  secret         bytea not null, -- encrypted
  department_id  uuid not null,
  subdepartments boolean not null,
  creator_id     uuid not null,
  state          text not null check (state in ('active', 'paused', 'disabled')),
  created_at     timestamptz not null,
  disabled_at    timestamptz,
  deleted_at     timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id)
);
create index hook_subscription_match on hook_subscription (tenant_id, event_type, department_id) where deleted_at is null;
create index hook_subscription_newest on hook_subscription (tenant_id, created_at desc, id desc) where deleted_at is null;
call isolate_by_tenant('hook_subscription', 'select, insert, update');
