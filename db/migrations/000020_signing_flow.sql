-- How a signature request goes from its opening to its evidence.
alter table signature_request
  add column prepared_at               timestamptz, -- Its documents have their fields; before that nobody is invited.
  add column expiry_reminded_at        timestamptz,
  add column evidence_document_id      uuid,
  add column evidence_json_document_id uuid,
  add foreign key (tenant_id, evidence_document_id) references stored_document (tenant_id, id),
  add foreign key (tenant_id, evidence_json_document_id) references stored_document (tenant_id, id);
create index signature_request_reminder on signature_request (tenant_id, expiration_at)
  where status = 'Open' and expiry_reminded_at is null;

alter table signatory
  add column reminded_at   timestamptz,
  add column language_code text; -- What the person chose on the page; the request's language otherwise.

alter table signature_document add column seal_field text;

-- Every version of a document since it was prepared. Each has the one before as its first bytes.
create table signature_revision (
  tenant_id          uuid not null,
  document_id        uuid not null,
  number             integer not null check (number > 0),
  kind               text not null check (kind in ('prepared', 'signature', 'seal')),
  stored_document_id uuid not null,
  sha256             bytea not null check (length(sha256) = 32),
  size_bytes         bigint not null,
  created_at         timestamptz not null,
  primary key (tenant_id, document_id, number),
  foreign key (tenant_id, document_id) references signature_document (tenant_id, id),
  foreign key (tenant_id, stored_document_id) references stored_document (tenant_id, id)
);
call isolate_by_tenant('signature_revision', 'select, insert');

-- Which field of which document a signatory fills.
create table signature_field (
  tenant_id    uuid not null,
  document_id  uuid not null,
  signatory_id uuid not null,
  name         text not null,
  primary key (tenant_id, document_id, signatory_id),
  foreign key (tenant_id, document_id) references signature_document (tenant_id, id),
  foreign key (tenant_id, signatory_id) references signatory (tenant_id, id)
);
call isolate_by_tenant('signature_field', 'select, insert');

-- A person's confirmation: what was shown, and how the person had been authenticated. One for each signatory.
create table signature_confirmation (
  tenant_id      uuid not null,
  signatory_id   uuid not null,
  request_id     uuid not null,
  session_id     uuid not null,
  documents      jsonb not null, -- id, sha256 and length of each revision as it was shown
  authentication jsonb not null,
  mark           jsonb,
  confirmed_at   timestamptz not null,
  primary key (tenant_id, signatory_id),
  foreign key (tenant_id, signatory_id) references signatory (tenant_id, id)
);
create index signature_confirmation_request on signature_confirmation (tenant_id, request_id);
call isolate_by_tenant('signature_confirmation', 'select, insert, delete');

-- What a key is about to be used for, written down before it is. Planned ones that nobody completed are abandoned.
create table signature_intent (
  tenant_id    uuid not null,
  id           uuid not null,
  request_id   uuid not null,
  document_id  uuid, -- Absent for the evidence.
  signatory_id uuid, -- Absent for the seal.
  certificate  bytea not null,
  policy       text not null,
  digest       bytea not null,
  state        text not null check (state in ('planned', 'used', 'abandoned')),
  created_at   timestamptz not null,
  ended_at     timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, document_id) references signature_document (tenant_id, id)
);
create index signature_intent_request on signature_intent (tenant_id, request_id);
-- A signatory signs a document once, and a document is sealed once.
create unique index signature_intent_used on signature_intent (tenant_id, request_id, document_id, signatory_id) nulls not distinct
  where state = 'used';
call isolate_by_tenant('signature_intent', 'select, insert, update');

-- What proves a signatory's certificate good, collected right after its timestamps; part of every document at the end.
create table signature_proof (
  tenant_id    uuid not null,
  signatory_id uuid not null,
  request_id   uuid not null,
  certificates bytea[] not null,
  ocsps        bytea[] not null,
  crls         bytea[] not null,
  collected_at timestamptz not null,
  primary key (tenant_id, signatory_id),
  foreign key (tenant_id, signatory_id) references signatory (tenant_id, id)
);
create index signature_proof_request on signature_proof (tenant_id, request_id);
call isolate_by_tenant('signature_proof', 'select, insert');

-- What faces the network confirms and reads; signatures, their proofs and the files they are in are the worker's alone.
revoke insert, update on signature_intent, signature_proof, signature_revision, signature_field from countersign_request;
