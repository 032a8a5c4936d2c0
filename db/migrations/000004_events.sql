-- The head of each request's hash chain. Its row lock puts the events of one request into one order.
create table event_chain (
  tenant_id     uuid not null,
  request_id    uuid not null,
  request_kind  text not null check (request_kind in ('signaturerequest', 'sealingrequest')),
  department_id uuid not null,
  last_sequence integer not null,
  first_event   uuid not null, -- The smallest id and the largest: they bound the partitions of the history.
  last_event    uuid not null,
  last_hash     bytea not null check (length(last_hash) = 32),
  last_at       timestamptz not null,
  primary key (tenant_id, request_id, request_kind) -- Callers choose ids, so two kinds may share one.
);
call isolate_by_tenant('event_chain', 'select, insert, update');

-- What happened: appended, never changed, never deleted. Partitioned by id, whose first bits are the time.
create table event (
  tenant_id       uuid not null,
  id              uuid not null,
  request_id      uuid not null,
  request_kind    text not null,
  sequence        integer not null check (sequence > 0),
  type            text not null,
  at              timestamptz not null,
  signatory_id    uuid,
  department_id   uuid not null,
  department_path uuid[] not null, -- As it was when it happened.
  body_hash       bytea not null,
  previous_hash   bytea not null,
  hash            bytea not null,
  primary key (tenant_id, id)
) partition by range (id);
create index event_history on event (tenant_id, request_id, request_kind, sequence);
call isolate_by_tenant('event', 'select, insert');

-- What may have to be erased for a person's sake: the chain holds only a salted hash of it.
create table event_body (
  tenant_id uuid not null,
  event_id  uuid not null,
  salt      bytea not null check (length(salt) = 16),
  body      bytea not null,
  primary key (tenant_id, event_id)
) partition by range (event_id);
call isolate_by_tenant('event_body', 'select, insert, delete');

-- Events that have not yet been handed to the webhooks.
create table outbox (
  tenant_id  uuid not null,
  id         uuid not null,
  bucket     smallint not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index outbox_order on outbox (bucket, id);
call isolate_by_tenant('outbox', 'select, insert, delete');
create policy worker_claims on outbox to countersign_worker using (true) with check (true);

-- The smallest UUID version 7 of a moment: the bound between two partitions.
create function first_id_at(moment timestamptz) returns uuid
  language sql immutable parallel safe
  return (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid;

-- One partition a month, from a month ago to two years ahead; what no partition holds falls into the default one.
-- Called by every migration run. The runtime roles reach partitions only through their parents.
create procedure ensure_event_partitions(today timestamptz)
  language plpgsql as $$
declare
  parent text;
  starts timestamptz;
begin
  foreach parent in array array['event', 'event_body'] loop
    execute format('create table if not exists %I partition of %I default', parent || '_other', parent);
    for starts in
      select generate_series(date_trunc('month', today, 'UTC') - interval '1 month',
                             date_trunc('month', today, 'UTC') + interval '24 months', interval '1 month')
    loop
      begin
        execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
          parent || to_char(starts at time zone 'UTC', '_YYYY_MM'), parent,
          first_id_at(starts), first_id_at(starts + interval '1 month'));
      exception when check_violation then
        null; -- The default partition already holds ids of that month: they stay there.
      end;
    end loop;
  end loop;
end
$$;
call ensure_event_partitions(now());
