-- In which tenants an e-mail address is known, by the hash of its compared form: whoever signs in to the console names
-- no tenant. Global, because it is asked before the tenant is known; it holds no address.
create table login_place (
  email_hash bytea not null check (length(email_hash) = 32),
  tenant_id  uuid not null,
  user_id    uuid not null,
  primary key (email_hash, tenant_id)
);
create index login_place_user on login_place (tenant_id, user_id);
grant select, insert, update, delete on login_place to countersign_request, countersign_worker;

-- Kept by the database itself, so that no way of changing a user can forget it.
create function keep_login_place() returns trigger
  language plpgsql as $$
begin
  delete from login_place where tenant_id = new.tenant_id and user_id = new.id;
  if new.kind = 'person' and new.email_key is not null and new.deleted_at is null then
    insert into login_place (email_hash, tenant_id, user_id)
    values (sha256(convert_to(new.email_key, 'UTF8')), new.tenant_id, new.id)
    on conflict (email_hash, tenant_id) do update set user_id = excluded.user_id;
  end if;
  return null;
end
$$;
create trigger keep_login_place after insert or update of kind, email_key, deleted_at on app_user
  for each row execute function keep_login_place();

-- The owner sees no rows of a table whose isolation is forced, except for this moment.
alter table app_user no force row level security;
insert into login_place (email_hash, tenant_id, user_id)
  select sha256(convert_to(email_key, 'UTF8')), tenant_id, id
    from app_user
   where kind = 'person' and email_key is not null and deleted_at is null;
alter table app_user force row level security;

-- A person's browser that has signed in to the console. The cookie's hash is a credential.
alter table credential drop constraint credential_kind_check;
alter table credential add constraint credential_kind_check
  check (kind in ('key', 'link', 'session', 'invitation', 'reset', 'provider', 'endedlink', 'console'));

create table console_session (
  tenant_id    uuid not null,
  id           uuid not null,
  user_id      uuid not null,
  agent        text not null, -- What the browser calls itself, so that its owner knows it again.
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at   timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id)
);
create index console_session_user on console_session (tenant_id, user_id, created_at desc);
create index console_session_expiry on console_session (tenant_id, expires_at);
call isolate_by_tenant('console_session', 'select, insert, update, delete');
