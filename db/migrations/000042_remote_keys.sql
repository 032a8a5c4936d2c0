-- The key of a seal may lie with a remote signing service. The row of its key then holds the name that the operator gave
-- it, sealed like a key.
alter table certificate drop constraint certificate_origin_check;
alter table certificate
  add constraint certificate_origin_check check (origin in ('issued', 'pkcs12', 'pem', 'remote')) not valid;
alter table certificate validate constraint certificate_origin_check;
