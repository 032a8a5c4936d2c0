-- The runtime roles own nothing, cannot log in and are no superusers: connections start as the owner and take one on.
do $$
declare
  name text;
begin
  foreach name in array array['countersign_request', 'countersign_worker'] loop
    -- Roles belong to the whole server: an administrator or another database of it may have made them already.
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole', name);
      exception when duplicate_object or unique_violation then
        null; -- Made by a migration that runs at the same moment.
      end;
    end if;
    -- On a server of its own the owner is a superuser, who needs no membership to take on a role.
    if not (select rolsuper from pg_roles where rolname = current_user) and not pg_has_role(current_user, name, 'member') then
      execute format('grant %I to %I', name, current_user);
    end if;
  end loop;
end
$$;

grant usage on schema public to countersign_request, countersign_worker;

-- After a transaction the setting is '' and not null, hence nullif: without a tenant nothing is visible.
create function current_tenant() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.tenant', true), '')::uuid;

-- Makes row-level security the backstop of a tenant's table, and grants the runtime roles what they may do with it.
create procedure isolate_by_tenant(target regclass, privileges text)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant_isolation on %s to countersign_request, countersign_worker
       using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', target);
  execute format('grant %s on %s to countersign_request, countersign_worker', privileges, target);
end
$$;
