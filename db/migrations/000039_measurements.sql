-- Global: what workers measure about the installation as a whole, for the server to tell: it may not look at the jobs and
-- certificates of all tenants itself.
create table measurement (
  name  text primary key,
  value bigint not null
);
grant select on measurement to countersign_request;
grant select, insert, update on measurement to countersign_worker;
