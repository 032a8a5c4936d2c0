-- All events of a tenant in one order that never changes: an event gets its position when it leaves the outbox, under the
-- lock of the tenant's head. So whoever has read up to a position has missed nothing before it, however late the
-- transaction of an event was committed; an order by id or time could not promise that.
create table event_feed_head (
  tenant_id     uuid primary key,
  last_position bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
call isolate_by_tenant('event_feed_head', 'select, insert, update');

create table event_feed (
  tenant_id     uuid not null,
  position      bigint not null, -- From 1, without gaps.
  event_id      uuid not null,
  department_id uuid not null,   -- The event's own, so that reach is judged before the event is read.
  primary key (tenant_id, position)
);
call isolate_by_tenant('event_feed', 'select, insert');

-- What was handed over before there was a feed. Forced row-level security would hide it from an owner that is no superuser.
alter table event no force row level security;
alter table outbox no force row level security;
alter table event_feed no force row level security;
alter table event_feed_head no force row level security;
insert into event_feed (tenant_id, position, event_id, department_id)
select e.tenant_id, row_number() over (partition by e.tenant_id order by e.at, e.request_id, e.sequence), e.id, e.department_id
  from event e
 where not exists (select from outbox o where o.tenant_id = e.tenant_id and o.id = e.id);
insert into event_feed_head (tenant_id, last_position)
select tenant_id, max(position) from event_feed group by tenant_id;
alter table event force row level security;
alter table outbox force row level security;
alter table event_feed force row level security;
alter table event_feed_head force row level security;
