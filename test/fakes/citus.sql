-- What `countersign distribute` calls of Citus, with the rules of the real one that can be read from the catalogue. It
-- moves no rows. Written into the catalogue by hand, since there is nothing to install.
insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
values (999999, 'citus', (select oid from pg_roles where rolname = current_user), 'public'::regnamespace, false, 'stand-in');

create schema citus_stand_in;
create table citus_stand_in.pg_dist_partition (logicalrelid regclass primary key, partmethod "char" not null, colocated_with text not null);
create table citus_stand_in.pg_dist_node (groupid int not null, nodename text not null, nodeport int not null, shouldhaveshards boolean not null);
insert into citus_stand_in.pg_dist_node values (0, 'first', 5432, false), (1, 'second', 5432, true);
create table citus_stand_in.worker_answer (question text not null, result text not null);
insert into citus_stand_in.worker_answer values ('%max_prepared_transactions%', 't'), ('%rolcanlogin%', 't');
create table citus_stand_in.called (number serial, call text not null);

create function run_command_on_workers(command text) returns table (nodename text, nodeport int, success boolean, result text)
  language sql as $$
  select n.nodename, n.nodeport, true, a.result
    from citus_stand_in.pg_dist_node n, citus_stand_in.worker_answer a
   where n.groupid <> 0 and command like a.question
$$;

create function create_distributed_function(name text) returns void language plpgsql as $$
begin
  perform name::regprocedure;
  insert into citus_stand_in.called (call) values ('function ' || name);
end
$$;

create function create_distributed_table(target regclass, distribution_column text, colocate_with text) returns void
  language plpgsql as $$
declare
  tenant_column smallint := (select attnum from pg_attribute where attrelid = target and attname = distribution_column);
  fault text;
begin
  select i.indexrelid::regclass::text into fault from pg_index i
   where i.indrelid = target and i.indisunique and not (tenant_column = any(i.indkey::smallint[]));
  if fault is not null then
    raise exception 'cannot create constraint on "%": unique indexes that do not include the partition column (%)', target, fault;
  end if;
  select tgname into fault from pg_trigger where tgrelid = target and not tgisinternal;
  if fault is not null then raise exception 'cannot distribute relation "%" because it has triggers (%)', target, fault; end if;
  select k.conname into fault from pg_constraint k
   where k.conrelid = target and k.contype = 'f' and k.confrelid <> target
     and (not (tenant_column = any(k.conkey))
          or not exists (select from citus_stand_in.pg_dist_partition p where p.logicalrelid = k.confrelid));
  if fault is not null then raise exception 'cannot create foreign key constraint %: relations are not colocated', fault; end if;
  if colocate_with <> 'none' and not exists (
       select from citus_stand_in.pg_dist_partition p where p.logicalrelid = colocate_with::regclass) then
    raise exception 'relation % is not distributed', colocate_with;
  end if;
  insert into citus_stand_in.pg_dist_partition values (target, 'h', colocate_with);
  insert into citus_stand_in.called (call) values ('table ' || target);
end
$$;
