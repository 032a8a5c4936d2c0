-- Deliveries lie in one partition a month and tries in one a week: what is not kept any longer goes with its table, which
-- costs nothing, and leaves nothing to clean up. Whoever is the owner makes them ahead and drops them; the runtime roles
-- reach partitions only through their parents, and each partition is closed by itself as well.

-- Where a partition of this table begins that begins at a moment: ids begin with their time.
create function partition_bound(parent text, moment timestamptz) returns text
  language sql stable
  return (select case a.atttypid when 'uuid'::regtype then first_id_at(moment)::text else moment::text end
            from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
           where p.partrelid = parent::regclass);

-- One partition for each month or week from a moment to another, and one for what falls into none of them.
create procedure make_partitions(parent text, every text, first timestamptz, last timestamptz, storage text default '')
  language plpgsql as $$
declare
  starts timestamptz;
  name text;
  span interval = '1 ' || every;
  options text = case when storage = '' then '' else format('with (%s)', storage) end;
begin
  for starts in
    select null union all
    select generate_series(date_trunc(every, first, 'UTC'), date_trunc(every, last, 'UTC'), span)
  loop
    name = parent || coalesce(to_char(starts at time zone 'UTC', case every when 'month' then '_YYYY_MM' else '_YYYY_MM_DD' end), '_other');
    continue when to_regclass(name) is not null;
    begin
      if starts is null then
        execute format('create table %I partition of %I default %s', name, parent, options);
      else
        execute format('create table %I partition of %I for values from (%L) to (%L) %s', name, parent,
          partition_bound(parent, starts), partition_bound(parent, starts + span), options);
      end if;
      execute format('alter table %I enable row level security, force row level security', name);
    exception when check_violation then
      null; -- The default partition already holds rows of that time: they stay there.
    end;
  end loop;
end
$$;

-- Drops the partitions that hold nothing from this moment on, and what is older in the default one.
create procedure drop_partitions(parent text, before timestamptz)
  language plpgsql as $$
declare
  name text;
  key text = (select quote_ident(a.attname) from pg_partitioned_table p
                join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
               where p.partrelid = parent::regclass);
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = parent::regclass
       and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''(.*)''\)') is not null
       and case (select atttypid from pg_attribute where attrelid = i.inhparent and attname = key)
             when 'uuid'::regtype
             then substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''(.*)''\)')::uuid <= first_id_at(before)
             else substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''(.*)''\)')::timestamptz <= before
           end
  loop
    execute format('drop table %I', name);
  end loop;
  name = parent || '_other';
  if pg_relation_size(name::regclass) > 0 then
    -- Forced row-level security would hide the rows from an owner that is no superuser.
    execute format('alter table %I no force row level security', name);
    execute format('delete from %I where %s < %L', name, key, partition_bound(parent, before));
    execute format('alter table %I force row level security', name);
  end if;
end
$$;

drop procedure ensure_event_partitions(timestamptz);
do $$
declare
  name text;
begin
  for name in select inhrelid::regclass::text from pg_inherits
               where inhparent in ('event'::regclass, 'event_body'::regclass)
  loop
    execute format('alter table %s enable row level security, force row level security', name);
  end loop;
end
$$;

alter table hook_delivery rename to hook_delivery_before;
alter index hook_delivery_pkey rename to hook_delivery_before_pkey;
alter index hook_delivery_due rename to hook_delivery_before_due;
alter index hook_delivery_queue rename to hook_delivery_before_queue;
create table hook_delivery (
  like hook_delivery_before including defaults including constraints,
  primary key (tenant_id, subscription_id, id)
) partition by range (id);
create index hook_delivery_due on hook_delivery (tenant_id, subscription_id, due_at, id) where due_at is not null;
create index hook_delivery_queue on hook_delivery (tenant_id, subscription_id, request_id, sequence) where state = 'waiting';
call make_partitions('hook_delivery', 'month', now() - interval '90 days', now() + interval '1 month',
                     'fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0');
alter table hook_delivery_before no force row level security;
insert into hook_delivery select * from hook_delivery_before;
drop table hook_delivery_before;
call isolate_by_tenant('hook_delivery', 'select, insert, update');

-- By the time of the try itself: one that a replay makes of an old delivery is kept as long as any other.
alter table hook_attempt rename to hook_attempt_before;
alter index hook_attempt_pkey rename to hook_attempt_before_pkey;
create table hook_attempt (
  like hook_attempt_before including defaults including constraints,
  primary key (tenant_id, subscription_id, delivery_id, number, at)
) partition by range (at);
call make_partitions('hook_attempt', 'week', now() - interval '30 days', now() + interval '2 weeks');
alter table hook_attempt_before no force row level security;
insert into hook_attempt select * from hook_attempt_before;
drop table hook_attempt_before;
call isolate_by_tenant('hook_attempt', 'select, insert');
