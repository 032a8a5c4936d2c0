-- What is to be done later, written in the transaction that wants it. A worker serves the buckets that it has leased.
create table job (
  tenant_id  uuid not null,
  id         uuid not null,
  bucket     smallint not null check (bucket between 0 and 63),
  queue      text not null,
  payload    jsonb not null,
  key        text, -- Jobs with the same key run one after the other, in order.
  run_at     timestamptz not null,
  attempt    integer not null default 0,
  state      text not null default 'waiting' check (state in ('waiting', 'dead')),
  last_error text,
  created_at timestamptz not null,
  primary key (tenant_id, id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index job_due on job (bucket, run_at, id) where state = 'waiting';
create index job_key on job (tenant_id, queue, key) where state = 'waiting' and key is not null;
create index job_dead on job (tenant_id, created_at) where state = 'dead';
call isolate_by_tenant('job', 'select, insert, update, delete');
create policy worker_claims on job to countersign_worker using (true) with check (true);

-- Global: which worker serves which bucket. The generation fences a worker that comes back too late.
create table bucket_lease (
  bucket     smallint primary key check (bucket between 0 and 63),
  owner      uuid,
  generation bigint not null default 0,
  expires_at timestamptz not null default '-infinity'
);
insert into bucket_lease (bucket) select generate_series(0, 63);
grant select on bucket_lease to countersign_request;
grant select, update on bucket_lease to countersign_worker;

-- Global: which workers are alive, so that each knows its share of the buckets.
create table worker (
  id      uuid primary key,
  seen_at timestamptz not null
);
grant select on worker to countersign_request;
grant select, insert, update, delete on worker to countersign_worker;

-- Global: when each recurring task last ran.
create table schedule (
  name        text primary key,
  last_run_at timestamptz not null
);
grant select on schedule to countersign_request;
grant select, insert, update on schedule to countersign_worker;
