create table signature_request (
  tenant_id                       uuid not null,
  id                              uuid not null,
  department_id                   uuid not null,
  creator_id                      uuid not null,
  template_id                     uuid,
  subject                         text not null,
  status                          text not null check (status in ('Draft', 'Open', 'Processing', 'Closed', 'Canceled', 'Error', 'Archiving', 'Archived', 'ArchivingFailed')),
  status_reason                   text,
  language_code                   text,
  reading_authentication_strength text not null,
  signing_authentication_strength text not null,
  external_reference              text,
  expiration_at                   timestamptz,
  delivery_methods                text[] not null,
  placements                      jsonb, -- Where signatures show, as the template said when the request was made.
  archiving_error                 jsonb,
  fingerprint                     bytea not null, -- Of the call that made it: the same id with another body is refused.
  created_at                      timestamptz not null,
  modified_at                     timestamptz not null,
  opened_at                       timestamptz,
  finished_at                     timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id),
  foreign key (tenant_id, creator_id) references app_user (tenant_id, id)
);
create index signature_request_newest on signature_request (tenant_id, created_at desc, id desc);
create index signature_request_by_state on signature_request (tenant_id, status, created_at desc, id desc);
create index signature_request_by_department on signature_request (tenant_id, department_id, status, created_at desc, id desc);
create index signature_request_reference on signature_request (tenant_id, external_reference, created_at desc, id desc)
  where external_reference is not null;
create index signature_request_expiry on signature_request (tenant_id, expiration_at) where status = 'Open';
call isolate_by_tenant('signature_request', 'select, insert, update');

create table signatory (
  tenant_id                     uuid not null,
  id                            uuid not null,
  request_id                    uuid not null,
  position                      integer not null,
  first_name                    text,
  last_name                     text,
  email                         text,
  mobile_phone                  text,
  is_mandatory                  boolean not null,
  authentication_area_code      text,
  personal_identifier           text,
  signing_order                 integer not null,
  external_reference            text,
  state                         text not null check (state in ('Waiting', 'Invited', 'Viewed', 'Signed', 'Declined', 'Skipped')),
  link_generation               integer not null default 1,
  invited_at                    timestamptz,
  viewed_at                     timestamptz,
  signed_at                     timestamptz,
  declined_at                   timestamptz,
  decline_reason                text,
  primary key (tenant_id, id),
  foreign key (tenant_id, request_id) references signature_request (tenant_id, id)
);
create index signatory_request on signatory (tenant_id, request_id, position);
call isolate_by_tenant('signatory', 'select, insert, update');

create table signature_document (
  tenant_id          uuid not null,
  id                 uuid not null,
  request_id         uuid not null,
  position           integer not null,
  title              text,
  file_name          text not null,
  document_type_id   uuid,
  external_reference text,
  source_document_id uuid not null,
  document_id        uuid not null, -- The latest revision.
  sha256             bytea not null check (length(sha256) = 32), -- Of the latest revision.
  level_asked        text not null,
  level_reached      text,
  primary key (tenant_id, id),
  foreign key (tenant_id, request_id) references signature_request (tenant_id, id),
  foreign key (tenant_id, source_document_id) references stored_document (tenant_id, id),
  foreign key (tenant_id, document_id) references stored_document (tenant_id, id)
);
create index signature_document_request on signature_document (tenant_id, request_id, position);
call isolate_by_tenant('signature_document', 'select, insert, update');

-- The words by which a request is found. Plain equality keeps its index under row-level security; LIKE would not.
create table signature_request_word (
  tenant_id  uuid not null,
  word       text collate "C" not null,
  created_at timestamptz not null,
  request_id uuid not null,
  primary key (tenant_id, word, created_at, request_id)
);
call isolate_by_tenant('signature_request_word', 'select, insert');
