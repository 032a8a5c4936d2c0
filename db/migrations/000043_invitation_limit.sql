-- How many people a tenant has asked on a day, in UTC. One row a tenant and day: what is counted must not pass a limit, so
-- those who count have to wait for each other; each does so as the last thing before its commit.
create table invitation_count (
  tenant_id uuid not null,
  day       date not null,
  amount    integer not null,
  primary key (tenant_id, day)
) with (fillfactor = 50);
call isolate_by_tenant('invitation_count', 'select, insert, update, delete');

-- When the limit last stood in a tenant's way: written once a day, for the operator who looks over all tenants.
alter table tenant add column invitations_refused_at timestamptz;
