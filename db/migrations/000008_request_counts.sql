-- How many requests there are, so that no listing ever counts its table. Slots keep parallel writers apart.
create table request_count (
  tenant_id     uuid not null,
  kind          text not null check (kind in ('signaturerequest', 'sealingrequest')),
  department_id uuid not null,
  status        text not null,
  slot          smallint not null,
  amount        bigint not null,
  primary key (tenant_id, kind, department_id, status, slot)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
call isolate_by_tenant('request_count', 'select, insert, update');
