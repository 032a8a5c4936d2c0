-- Global: a tenant is one customer organisation.
create table tenant (
  id             uuid primary key,
  name           text not null,
  return_origins text[] not null default '{}',
  settings       jsonb not null default '{}',
  created_at     timestamptz not null
);
grant select, insert, update on tenant to countersign_request, countersign_worker;

-- Global: everything that is looked up before the tenant is known, by the SHA-256 of its whole value.
create table credential (
  kind       text not null check (kind in ('key', 'link', 'session', 'invitation', 'reset', 'provider')),
  hash       bytea not null check (length(hash) = 32),
  tenant_id  uuid not null,
  ref_id     uuid not null,
  expires_at timestamptz,
  primary key (kind, hash)
);
create index credential_owner on credential (tenant_id, kind, ref_id);
grant select, insert, update, delete on credential to countersign_request, countersign_worker;

-- path holds the ids from the root down to the department itself, so reach is one comparison.
create table department (
  tenant_id          uuid not null,
  id                 uuid not null,
  parent_id          uuid,
  path               uuid[] not null,
  name               text not null,
  short_name         text,
  contact_email      text,
  business_id        text,
  external_reference text,
  subscription_tier  text,
  retention_days     integer check (retention_days > 0),
  created_at         timestamptz not null,
  modified_at        timestamptz not null,
  deleted_at         timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_id) references department (tenant_id, id),
  check (path[cardinality(path)] = id)
);
create unique index department_root on department (tenant_id) where parent_id is null;
create unique index department_reference on department (tenant_id, external_reference) where deleted_at is null;
create index department_newest on department (tenant_id, created_at desc, id desc) where deleted_at is null;
create index department_parent on department (tenant_id, parent_id);
create index department_business on department (tenant_id, business_id) where deleted_at is null;
call isolate_by_tenant('department', 'select, insert, update');

-- People with a login, and one service user for each subscription key. email_key is the e-mail in lower case.
create table app_user (
  tenant_id           uuid not null,
  id                  uuid not null,
  department_id       uuid not null,
  kind                text not null check (kind in ('person', 'service')),
  role                text not null,
  first_name          text,
  last_name           text,
  email               text,
  email_key           text,
  phone               text,
  external_reference  text,
  language            text,
  timezone            text,
  password_hash       text,
  tokens_valid_after  timestamptz not null,
  created_at          timestamptz not null,
  modified_at         timestamptz not null,
  deactivated_at      timestamptz,
  deleted_at          timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id)
);
create unique index app_user_email on app_user (tenant_id, email_key) where deleted_at is null;
create index app_user_newest on app_user (tenant_id, created_at desc, id desc) where kind = 'person' and deleted_at is null;
create index app_user_department on app_user (tenant_id, department_id);
call isolate_by_tenant('app_user', 'select, insert, update');

create table subscription_key (
  tenant_id       uuid not null,
  id              uuid not null,
  name            text not null,
  department_id   uuid not null,
  service_user_id uuid not null,
  primary_hash    bytea not null,
  secondary_hash  bytea not null,
  created_at      timestamptz not null,
  rotated_at      timestamptz,
  last_used_at    timestamptz,
  revoked_at      timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id),
  foreign key (tenant_id, service_user_id) references app_user (tenant_id, id)
);
create index subscription_key_department on subscription_key (tenant_id, department_id);
call isolate_by_tenant('subscription_key', 'select, insert, update');

-- Wrong passwords, counted for each login whether or not such a user exists.
create table login_failure (
  tenant_id      uuid not null,
  login_hash     bytea not null,
  window_ends_at timestamptz not null,
  failures       integer not null,
  primary key (tenant_id, login_hash)
);
call isolate_by_tenant('login_failure', 'select, insert, update, delete');

-- Tokens that were logged out before their time.
create table revoked_token (
  tenant_id  uuid not null,
  token_id   uuid not null,
  expires_at timestamptz not null,
  primary key (tenant_id, token_id)
);
call isolate_by_tenant('revoked_token', 'select, insert, delete');

-- Answers to calls that carried an Idempotency-Key, for 24 hours. A body that holds secrets is kept encrypted.
create table idempotent_answer (
  tenant_id    uuid not null,
  caller_id    uuid not null,
  operation    text not null,
  key          text not null,
  fingerprint  bytea not null,
  status       integer,
  body         bytea,
  is_encrypted boolean not null default false,
  created_at   timestamptz not null,
  primary key (tenant_id, caller_id, operation, key)
);
create index idempotent_answer_age on idempotent_answer (tenant_id, created_at);
call isolate_by_tenant('idempotent_answer', 'select, insert, update, delete');
