-- Passkeys beside the password (WebAuthn): the public half of a key that lies in somebody's device. counter is the last
-- use that the device has told; one that does not rise comes from a copy.
create table passkey (
  tenant_id     uuid not null,
  id            uuid not null,
  user_id       uuid not null,
  credential_id bytea not null check (length(credential_id) between 1 and 1023),
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null, -- How browsers reach the device, as they have told.
  name          text not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, credential_id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id)
);
create index passkey_user on passkey (tenant_id, user_id, created_at);
call isolate_by_tenant('passkey', 'select, insert, update, delete');

-- What a device is asked to sign: good once, for one person, for minutes. A new passkey also binds it to the session (or
-- token) that asked; signing in has none yet.
create table passkey_challenge (
  tenant_id  uuid not null,
  challenge  bytea not null check (length(challenge) = 32),
  user_id    uuid not null,
  session_id uuid,
  expires_at timestamptz not null,
  primary key (tenant_id, challenge),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id)
);
create index passkey_challenge_user on passkey_challenge (tenant_id, user_id, expires_at);
create index passkey_challenge_expiry on passkey_challenge (tenant_id, expires_at);
call isolate_by_tenant('passkey_challenge', 'select, insert, delete');
