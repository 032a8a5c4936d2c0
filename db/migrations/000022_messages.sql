-- What people are told. Words, links and codes are made when a message is sent or viewed, and are never stored.
create table message (
  tenant_id     uuid not null,
  id            uuid not null,
  department_id uuid not null,
  kind          text not null check (kind in ('invitation', 'reminder', 'code', 'canceled', 'completed', 'userinvitation')),
  channel       text not null check (channel in ('email', 'sms')),
  language      text not null,
  request_id    uuid,
  signatory_id  uuid,
  user_id       uuid,
  reference_id  uuid, -- What exactly it is about, where the ids above do not tell: the one of several codes.
  state         text not null check (state in ('waiting', 'sent', 'failed', 'outbox', 'dropped')),
  recipient     text, -- The address or number, once it was first tried.
  message_id    text, -- The Message-ID of the e-mail: the same at every try, so that a repeat is known as one.
  attempts      integer not null default 0,
  problem       text, -- Why the last try failed.
  created_at    timestamptz not null,
  modified_at   timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references department (tenant_id, id)
);
-- Ids rise with time: newest first is the primary key read backwards.
create index message_department on message (tenant_id, department_id, id);
create index message_request on message (tenant_id, request_id, id) where request_id is not null;
create index message_outbox on message (tenant_id, id) where state = 'outbox';
call isolate_by_tenant('message', 'select, insert, update');
