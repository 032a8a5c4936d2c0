-- Who did what, beside the histories of requests: keys, people, departments, certificates, templates, subscriptions,
-- sign-ins. Appended in the transaction of the deed itself; nobody may change or delete a row.
create table activity (
  tenant_id     uuid not null,
  id            uuid not null,
  at            timestamptz not null,
  action        text not null,
  actor_id      uuid not null, -- A person, or the service user of a key.
  key_id        uuid,          -- The key that the call came with, where there was one.
  department_id uuid not null, -- Whoever reaches it reads the row.
  target_type   text not null,
  target_id     uuid not null,
  target_name   text,
  details       jsonb not null default '{}',
  request_id    text,
  primary key (tenant_id, id)
);
-- Ids rise with time: newest first is each of these read backwards.
create index activity_department on activity (tenant_id, department_id, id);
create index activity_actor on activity (tenant_id, actor_id, id);
create index activity_target_type on activity (tenant_id, target_type, id);
create index activity_target on activity (tenant_id, target_id, id);
call isolate_by_tenant('activity', 'select, insert');
