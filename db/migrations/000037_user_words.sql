-- The words by which people are found: of their names and e-mail addresses, in lower case and without accents. Searched
-- words go through the same function, so they meet.
create function words_of(content text) returns setof text
  language sql immutable as $$
  select distinct left(found[1], 64)
    from regexp_matches(regexp_replace(normalize(lower(content), NFKD), '[\u0300-\u036F]', '', 'g'),
                        '[[:alnum:]]+', 'g') as found
$$;

create table app_user_word (
  tenant_id uuid not null,
  word      text collate "C" not null,
  user_id   uuid not null,
  primary key (tenant_id, word, user_id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id)
);
create index app_user_word_user on app_user_word (tenant_id, user_id);

-- The owner sees no rows of a table whose isolation is forced, except for this moment.
alter table app_user no force row level security;
insert into app_user_word (tenant_id, word, user_id)
  select u.tenant_id, word, u.id
    from app_user u, words_of(concat_ws(' ', u.first_name, u.last_name, u.email)) as word
   where u.kind = 'person' and u.deleted_at is null;
alter table app_user force row level security;

call isolate_by_tenant('app_user_word', 'select, insert, delete');
