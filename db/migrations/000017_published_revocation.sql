-- Global: what anybody may ask about an authority of ours, found by the identifier of its key, before any tenant is
-- known. All of it is public: certificates, lists and answers that the worker has signed.
create table published_authority (
  key_id          bytea primary key check (length(key_id) = 20),
  tenant_id       uuid, -- Absent for the root.
  certificate     bytea not null,
  crl             bytea,
  crl_number      bigint not null default 0,
  crl_next_update timestamptz
);
create index published_authority_due on published_authority (crl_next_update);
grant select on published_authority to countersign_request;
grant select, insert, update on published_authority to countersign_worker;

-- Global: the latest signed answer about each certificate.
create table published_status (
  issuer_key_id bytea not null,
  serial        bytea not null,
  response      bytea not null,
  next_update   timestamptz not null,
  not_after     timestamptz not null, -- Of the certificate: afterwards nobody renews the answer.
  primary key (issuer_key_id, serial)
);
create index published_status_due on published_status (next_update);
grant select on published_status to countersign_request;
grant select, insert, update, delete on published_status to countersign_worker;
