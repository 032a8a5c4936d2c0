-- Whoever has forgotten a password is sent a message of its own.
alter table message drop constraint message_kind_check;
alter table message add constraint message_kind_check
  check (kind in ('invitation', 'reminder', 'code', 'canceled', 'completed', 'userinvitation', 'passwordreset'));
