-- Global: what does not work at the moment although the service does, as workers notice it; shown by readiness.
create table trouble (
  name   text primary key,
  detail text not null,
  since  timestamptz not null
);
grant select on trouble to countersign_request;
grant select, insert, update, delete on trouble to countersign_worker;
