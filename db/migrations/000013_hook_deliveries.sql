-- What each subscription is to be sent, or was. The id is the event's own, and so the same over all tries and replays.
create table hook_delivery (
  tenant_id       uuid not null,
  subscription_id uuid not null,
  id              uuid not null,
  request_id      uuid not null,
  sequence        integer not null, -- Of the event in its request.
  payload         text not null,    -- Written once, sent byte by byte the same on every try.
  is_test         boolean not null default false,
  state           text not null check (state in ('waiting', 'delivered', 'parked')),
  tries           integer not null default 0,
  tries_before    integer not null default 0, -- Those before the last replay, which begins the schedule anew.
  due_at          timestamptz,      -- Only the first waiting delivery of a request has one; the others wait for it.
  created_at      timestamptz not null,
  finished_at     timestamptz,
  primary key (tenant_id, subscription_id, id),
  check (state = 'waiting' or due_at is null)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index hook_delivery_due on hook_delivery (tenant_id, subscription_id, due_at, id) where due_at is not null;
create index hook_delivery_queue on hook_delivery (tenant_id, subscription_id, request_id, sequence) where state = 'waiting';
call isolate_by_tenant('hook_delivery', 'select, insert, update, delete');

-- Every try, with what came back.
create table hook_attempt (
  tenant_id       uuid not null,
  subscription_id uuid not null,
  delivery_id     uuid not null,
  number          integer not null check (number > 0),
  at              timestamptz not null,
  duration_ms     integer not null,
  status          integer, -- Of the answer, where there was one.
  error           text,    -- Why there was none, or why it does not count.
  answer          text,    -- Its first bytes.
  primary key (tenant_id, subscription_id, delivery_id, number)
);
call isolate_by_tenant('hook_attempt', 'select, insert, delete');
