-- How far the reading of all stored contents has come, which begins anew each month. Contents are read in the order of their
-- hashes, so a place among them is a place in the round.
create table content_check (
  tenant_id uuid primary key,
  began_at  timestamptz not null, -- The first day of this round, in UTC.
  position  bytea not null        -- Contents up to this hash have been read in this round.
);
call isolate_by_tenant('content_check', 'select, insert, update');

-- Contents that were not what was stored when they were last read. Whole ones leave it.
create table damaged_content (
  tenant_id uuid not null,
  sha256    bytea not null,
  problem   text not null check (problem in ('damaged', 'missing', 'unreadable')),
  found_at  timestamptz not null,
  primary key (tenant_id, sha256)
);
call isolate_by_tenant('damaged_content', 'select, insert, update, delete');
