-- A sealed file waits here until all files of its request are sealed; then document_id names it.
alter table sealing_document add column sealed_document_id uuid;
alter table sealing_document
  add foreign key (tenant_id, sealed_document_id) references stored_document (tenant_id, id);
