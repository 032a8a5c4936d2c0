create table sealing_request (
  tenant_id          uuid not null,
  id                 uuid not null,
  department_id      uuid not null,
  creator_id         uuid not null,
  creator_name       text,
  template_id        uuid,
  subject            text,
  language_code      text,
  status             text not null check (status in ('Draft', 'Open', 'Closed', 'Canceled', 'Canceling', 'Error', 'Unknown', 'Processing', 'Processed', 'Archiving', 'Archived', 'ArchivingFailed')),
  status_reason      text,
  external_reference text,
  version            integer not null default 1,
  created_at         timestamptz not null,
  modified_at        timestamptz not null,
  finished_at        timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id),
  foreign key (tenant_id, creator_id) references app_user (tenant_id, id)
);
create index sealing_request_newest on sealing_request (tenant_id, created_at desc, id desc);
create index sealing_request_by_state on sealing_request (tenant_id, status, created_at desc, id desc);
create index sealing_request_by_department on sealing_request (tenant_id, department_id, status, created_at desc, id desc);
create index sealing_request_reference on sealing_request (tenant_id, external_reference, created_at desc, id desc)
  where external_reference is not null;
call isolate_by_tenant('sealing_request', 'select, insert, update');

create table sealing_document (
  tenant_id          uuid not null,
  id                 uuid not null,
  request_id         uuid not null,
  position           integer not null,
  document_id        uuid not null, -- What documentURI names now: the sealed file once there is one.
  source_document_id uuid not null,
  file_name          text not null,
  title              text,
  document_type_id   uuid,
  creator_id         uuid not null,
  creator_name       text,
  level_asked        text not null,
  level_reached      text,
  created_at         timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, request_id) references sealing_request (tenant_id, id),
  foreign key (tenant_id, document_id) references stored_document (tenant_id, id),
  foreign key (tenant_id, source_document_id) references stored_document (tenant_id, id)
);
create index sealing_document_request on sealing_document (tenant_id, request_id, position);
call isolate_by_tenant('sealing_document', 'select, insert, update, delete');
