-- When each lasting file has to be stamped anew. Its newest timestamp proves it only as long as the certificate behind
-- the timestamp can be believed.
create table archive_renewal (
  tenant_id          uuid not null,
  kind               text not null check (kind in ('signaturedocument', 'evidence', 'sealingdocument')),
  id                 uuid not null, -- The document of a request; of the evidence, the request itself.
  request_id         uuid not null,
  department_id      uuid not null,
  stored_document_id uuid not null,
  lasts_until        timestamptz not null,
  due_at             timestamptz not null,
  renewals           integer not null default 0,
  primary key (tenant_id, kind, id),
  foreign key (tenant_id, stored_document_id) references stored_document (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id)
);
create index archive_renewal_due on archive_renewal (tenant_id, due_at);
create index archive_renewal_department on archive_renewal (tenant_id, department_id, due_at);
call isolate_by_tenant('archive_renewal', 'select, insert, update');
-- Files are made and renewed where the keys are.
revoke insert, update on archive_renewal from countersign_request;

alter table signature_revision drop constraint signature_revision_kind_check;
alter table signature_revision add constraint signature_revision_kind_check
  check (kind in ('prepared', 'signature', 'seal', 'renewal'));
