-- A link that is dead: it opens nothing, but whoever comes with it hears what became of the request.
alter table credential drop constraint credential_kind_check;
alter table credential add constraint credential_kind_check
  check (kind in ('key', 'link', 'session', 'invitation', 'reset', 'provider', 'endedlink'));

-- A signatory's browser, from the exchange of the link on. The cookie's hash is a credential.
create table signer_session (
  tenant_id      uuid not null,
  id             uuid not null,
  signatory_id   uuid not null,
  request_id     uuid not null,
  return_url     text,
  reading_met_at timestamptz,
  signing_met_at timestamptz,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, signatory_id) references signatory (tenant_id, id)
);
create index signer_session_expiry on signer_session (tenant_id, expires_at);
call isolate_by_tenant('signer_session', 'select, insert, update, delete');

-- A one-time code. It is made from its salt and the secret key when it is sent and when it is checked, and never stored.
create table signer_code (
  tenant_id    uuid not null,
  id           uuid not null,
  signatory_id uuid not null,
  session_id   uuid not null,
  purpose      text not null check (purpose in ('reading', 'signing')),
  channel      text not null check (channel in ('email', 'sms')),
  salt         bytea not null check (length(salt) = 32),
  tries        integer not null default 0 check (tries <= 5),
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, signatory_id) references signatory (tenant_id, id)
);
create index signer_code_newest on signer_code (tenant_id, signatory_id, created_at desc);
create index signer_code_age on signer_code (tenant_id, created_at);
call isolate_by_tenant('signer_code', 'select, insert, update, delete');

-- Codes that were tried by one signatory of one request, over all codes: a new code does not set it back.
create table signer_attempt (
  tenant_id    uuid not null,
  signatory_id uuid not null,
  tries        integer not null check (tries between 0 and 15),
  primary key (tenant_id, signatory_id),
  foreign key (tenant_id, signatory_id) references signatory (tenant_id, id)
);
call isolate_by_tenant('signer_attempt', 'select, insert, update');
