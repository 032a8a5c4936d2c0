-- One Merkle log over the events of all tenants. It holds hashes alone, so that nothing of a person is in it.

-- Events that have no place in the log yet: written with each event, taken by the sequencer. An event that commits late
-- appears here late, and so is never passed over.
create table log_queue (
  tenant_id    uuid not null,
  event_id     uuid not null,
  request_id   uuid not null,
  request_kind text not null,
  sequence     integer not null,
  at           timestamptz not null,
  hash         bytea not null check (length(hash) = 32),
  stamp_soon   boolean not null, -- Somebody is about to ask for evidence of it.
  primary key (tenant_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index log_queue_order on log_queue (at, request_id, sequence);
-- What has happened so far. Forced row-level security would hide the events from an owner that is no superuser.
alter table event no force row level security;
insert into log_queue (tenant_id, event_id, request_id, request_kind, sequence, at, hash, stamp_soon)
select tenant_id, id, request_id, request_kind, sequence, at, hash, false from event;
alter table event force row level security;

call isolate_by_tenant('log_queue', 'select, insert, delete');
create policy worker_claims on log_queue to countersign_worker using (true) with check (true);

-- The place of each event in the log, from 0 and without gaps over all tenants, in an order that keeps each request's own.
create table log_entry (
  tenant_id    uuid not null,
  position     bigint not null,
  event_id     uuid not null,
  request_id   uuid not null,
  request_kind text not null,
  sequence     integer not null,
  primary key (tenant_id, position)
);
create index log_entry_request on log_entry (tenant_id, request_id, request_kind, sequence);
call isolate_by_tenant('log_entry', 'select, insert');
create policy worker_claims on log_entry to countersign_worker using (true) with check (true);

-- Global: the tree, in tiles of up to 256 hashes. Only the last tile of each level still grows.
create table log_tile (
  level  smallint not null,
  number bigint not null,
  hashes bytea not null check (length(hashes) between 32 and 8192 and length(hashes) % 32 = 0),
  primary key (level, number)
);
alter table log_tile alter column hashes set storage external; -- Hashes do not compress.
grant select on log_tile to countersign_request;
grant select, insert, update on log_tile to countersign_worker;

-- Global: the end of the log, in its only row. Whoever appends holds it.
create table log_head (
  is_only    boolean primary key default true check (is_only),
  origin     text not null, -- The log's name, for ever.
  size       bigint not null,
  note       text, -- The signed checkpoint of this size.
  signed_at  timestamptz,
  stamp_soon boolean not null default false
);
insert into log_head (origin, size) values ('countersign/' || replace(gen_random_uuid()::text, '-', ''), 0);
grant select on log_head to countersign_request;
grant select, update on log_head to countersign_worker;

-- Global: checkpoints that a timestamp authority has stamped.
create table log_checkpoint (
  size       bigint primary key,
  note       text not null,
  timestamp  bytea not null, -- The token of RFC 3161 over the note.
  stamped_at timestamptz not null
);
grant select on log_checkpoint to countersign_request;
grant select, insert on log_checkpoint to countersign_worker;
