-- How often each subscription key was used, by days in UTC. Written about once a minute for each key, not once a call.
create table subscription_key_usage (
  tenant_id uuid not null,
  key_id    uuid not null,
  day       date not null,
  calls     bigint not null,
  primary key (tenant_id, key_id, day),
  foreign key (tenant_id, key_id) references subscription_key (tenant_id, id)
);
call isolate_by_tenant('subscription_key_usage', 'select, insert, update, delete');
