-- A link to one's copy of a closed request: it lets nobody sign, and the reading strength is asked for all the same.
alter table credential drop constraint credential_kind_check;
alter table credential add constraint credential_kind_check
  check (kind in ('key', 'link', 'session', 'invitation', 'reset', 'provider', 'endedlink', 'console', 'copylink'));

-- Messages name whom they went to. That is forgotten after a while; that they were sent stands in the events.
grant delete on message to countersign_worker;
