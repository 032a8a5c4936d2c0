-- A signatory's way to an identity provider and back. What binds the answer to the question is made from the id and the
-- secret key; only the hash of the state is here, so that it can be found again.
create table signer_identification (
  tenant_id    uuid not null,
  id           uuid not null,
  signatory_id uuid not null,
  session_id   uuid not null,
  purpose      text not null check (purpose in ('reading', 'signing')),
  area_code    text not null,
  state_hash   bytea not null check (length(state_hash) = 32),
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, signatory_id) references signatory (tenant_id, id)
);
create unique index signer_identification_state on signer_identification (tenant_id, state_hash);
create index signer_identification_newest on signer_identification (tenant_id, signatory_id, created_at desc);
create index signer_identification_age on signer_identification (tenant_id, created_at);
call isolate_by_tenant('signer_identification', 'select, insert, update, delete');

-- What the provider vouched for, as it goes into the confirmation.
alter table signer_session
  add column reading_identity jsonb,
  add column signing_identity jsonb;
