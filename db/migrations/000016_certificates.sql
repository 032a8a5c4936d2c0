-- Global: the installation's own root, its timestamp signer and the responder for both. They belong to no tenant.
create table installation_certificate (
  id          uuid primary key,
  kind        text not null check (kind in ('root', 'timestamp', 'responder')),
  certificate bytea not null,
  base_url    text, -- Where its revocation is published, as the certificate says.
  not_after   timestamptz not null,
  created_at  timestamptz not null
);
create index installation_certificate_newest on installation_certificate (kind, created_at desc, id desc);
grant select on installation_certificate to countersign_request;
grant select, insert on installation_certificate to countersign_worker;

-- Global: their private keys, encrypted. The worker alone ever sees them.
create table installation_key (
  certificate_id uuid primary key references installation_certificate (id),
  algorithm      text not null,
  sealed         bytea not null
);
grant select, insert, update on installation_key to countersign_worker;

-- A tenant's certificates: its issuing authority with its responder, the seals of its departments, and the one that was
-- made for each signing. A seal that is being imported has none yet.
create table certificate (
  tenant_id         uuid not null,
  id                uuid not null,
  kind              text not null check (kind in ('issuing', 'responder', 'seal', 'signatory')),
  origin            text not null check (origin in ('issued', 'pkcs12', 'pem')),
  state             text not null check (state in ('Pending', 'Active', 'Failed', 'Replaced', 'Revoked')),
  state_reason      text,
  department_id     uuid, -- Whose seal it is.
  request_id        uuid, -- For which signature request it was made.
  issuer_key_id     bytea, -- The authority of ours that answers for it; absent for what others have issued.
  serial            bytea,
  certificate       bytea,
  chain             bytea[] not null default '{}',
  base_url          text,
  not_before        timestamptz,
  not_after         timestamptz,
  created_at        timestamptz not null,
  revoked_at        timestamptz,
  revocation_reason text,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id),
  check (state not in ('Active', 'Replaced') or certificate is not null),
  check ((state = 'Revoked') = (revoked_at is not null)),
  check ((kind = 'seal') = (department_id is not null))
);
create index certificate_seal on certificate (tenant_id, department_id, created_at desc, id desc) where kind = 'seal';
create index certificate_authority on certificate (tenant_id, kind, created_at desc, id desc)
  where kind in ('issuing', 'responder');
create index certificate_revoked on certificate (tenant_id, issuer_key_id, revoked_at) where state = 'Revoked';
create unique index certificate_serial on certificate (tenant_id, serial, issuer_key_id);
create index certificate_request on certificate (tenant_id, request_id) where request_id is not null;
call isolate_by_tenant('certificate', 'select, insert, update');

-- Their private keys, encrypted. Written out instead of called, because the server must not reach them.
create table certificate_key (
  tenant_id      uuid not null,
  certificate_id uuid not null,
  algorithm      text not null,
  sealed         bytea not null,
  primary key (tenant_id, certificate_id),
  foreign key (tenant_id, certificate_id) references certificate (tenant_id, id)
);
alter table certificate_key enable row level security;
alter table certificate_key force row level security;
create policy tenant_isolation on certificate_key to countersign_worker
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
grant select, insert, update, delete on certificate_key to countersign_worker;
