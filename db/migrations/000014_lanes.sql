-- One lane a subscription, whatever waits in it: a receiver that is down costs one row, not one for each delivery.
-- Whoever changes what waits in a lane holds its row. The worker sees the lanes of all tenants, to find those due.
create table lane (
  tenant_id       uuid not null,
  subscription_id uuid not null,
  bucket          smallint not null check (bucket between 0 and 63),
  is_running      boolean not null default true,  -- False while the subscription is paused or disabled.
  due_at          timestamptz,                    -- When there is something to send; null for nothing.
  allowed         integer not null default 1 check (allowed between 1 and 10), -- How many may be under way at once.
  failures        integer not null default 0,     -- In a row.
  trips           integer not null default 0,     -- How often it was closed since it last ran well.
  closed_until    timestamptz,                    -- Nothing is tried before.
  failing_since   timestamptz,                    -- Nothing but failures since.
  primary key (tenant_id, subscription_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index lane_due on lane (bucket, due_at) where due_at is not null;
call isolate_by_tenant('lane', 'select, insert, update, delete');
create policy worker_claims on lane to countersign_worker using (true) with check (true);
