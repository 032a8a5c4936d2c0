-- An authenticator app beside the password. The secret is encrypted; last_step is the last time step (RFC 6238) whose code
-- was accepted, so that no code is good twice. Without confirmed_at it is only on offer.
create table authenticator_app (
  tenant_id    uuid not null,
  user_id      uuid not null,
  secret       bytea not null,
  last_step    bigint not null default 0,
  created_at   timestamptz not null,
  confirmed_at timestamptz,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id)
);
call isolate_by_tenant('authenticator_app', 'select, insert, update, delete');

-- For whoever has lost the phone: each works once, and only its hash is kept.
create table recovery_code (
  tenant_id uuid not null,
  user_id   uuid not null,
  hash      bytea not null check (length(hash) = 32),
  primary key (tenant_id, user_id, hash),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id)
);
call isolate_by_tenant('recovery_code', 'select, insert, delete');
