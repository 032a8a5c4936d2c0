-- Events leave the outbox in an order that keeps each request's own: an event's time is never before that of the one
-- that precedes it, and events of the same moment are ordered by their number. Ids of one millisecond come in no order.
alter table outbox add column request_id uuid, add column sequence integer;
update outbox o set request_id = e.request_id, sequence = e.sequence
  from event e where e.tenant_id = o.tenant_id and e.id = o.id;
alter table outbox alter column request_id set not null, alter column sequence set not null;
drop index outbox_order;
create index outbox_order on outbox (bucket, created_at, request_id, sequence);
alter table outbox set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
