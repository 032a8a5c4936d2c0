-- Whoever does not know the sender reports the message, once. Who did gets no more messages of that request.
alter table signatory add column reported_at timestamptz;
create index signatory_reported on signatory (tenant_id, reported_at desc) where reported_at is not null;

-- The same for the operator, who looks over all tenants.
alter table tenant
  add column reported_at timestamptz,
  add column reports bigint not null default 0;
