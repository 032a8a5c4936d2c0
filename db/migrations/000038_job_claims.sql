-- How often a job was begun without an end being recorded: what ends its process again and again is given up.
alter table job add column claims integer not null default 0;
