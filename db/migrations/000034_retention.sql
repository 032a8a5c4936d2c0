-- A request whose time is over goes with all that hangs on it. Its events stay; only what they tell is erased.
alter table signatory drop constraint signatory_tenant_id_request_id_fkey,
  add foreign key (tenant_id, request_id) references signature_request (tenant_id, id) on delete cascade;
alter table signature_document drop constraint signature_document_tenant_id_request_id_fkey,
  add foreign key (tenant_id, request_id) references signature_request (tenant_id, id) on delete cascade;
alter table signature_revision drop constraint signature_revision_tenant_id_document_id_fkey,
  add foreign key (tenant_id, document_id) references signature_document (tenant_id, id) on delete cascade;
alter table signature_field
  drop constraint signature_field_tenant_id_document_id_fkey,
  drop constraint signature_field_tenant_id_signatory_id_fkey,
  add foreign key (tenant_id, document_id) references signature_document (tenant_id, id) on delete cascade,
  add foreign key (tenant_id, signatory_id) references signatory (tenant_id, id) on delete cascade;
alter table signature_confirmation drop constraint signature_confirmation_tenant_id_signatory_id_fkey,
  add foreign key (tenant_id, signatory_id) references signatory (tenant_id, id) on delete cascade;
alter table signature_intent drop constraint signature_intent_tenant_id_document_id_fkey,
  add foreign key (tenant_id, document_id) references signature_document (tenant_id, id) on delete cascade;
alter table signature_proof drop constraint signature_proof_tenant_id_signatory_id_fkey,
  add foreign key (tenant_id, signatory_id) references signatory (tenant_id, id) on delete cascade;
alter table signer_session drop constraint signer_session_tenant_id_signatory_id_fkey,
  add foreign key (tenant_id, signatory_id) references signatory (tenant_id, id) on delete cascade;
alter table signer_code drop constraint signer_code_tenant_id_signatory_id_fkey,
  add foreign key (tenant_id, signatory_id) references signatory (tenant_id, id) on delete cascade;
alter table signer_attempt drop constraint signer_attempt_tenant_id_signatory_id_fkey,
  add foreign key (tenant_id, signatory_id) references signatory (tenant_id, id) on delete cascade;
alter table signer_identification drop constraint signer_identification_tenant_id_signatory_id_fkey,
  add foreign key (tenant_id, signatory_id) references signatory (tenant_id, id) on delete cascade;
alter table sealing_document drop constraint sealing_document_tenant_id_request_id_fkey,
  add foreign key (tenant_id, request_id) references sealing_request (tenant_id, id) on delete cascade;
-- Those who are looked for when somebody else goes.
create index signature_field_signatory on signature_field (tenant_id, signatory_id);
create index signature_intent_document on signature_intent (tenant_id, document_id) where document_id is not null;
create index signer_session_signatory on signer_session (tenant_id, signatory_id);

-- By department and end, for the daily look.
create index signature_request_finished on signature_request (tenant_id, department_id, finished_at)
  where status in ('Closed', 'Archived', 'Canceled');
create index sealing_request_finished on sealing_request (tenant_id, department_id, finished_at)
  where status in ('Closed', 'Archived', 'Canceled');

-- Only the worker forgets.
grant delete on signature_request, signature_request_word, signature_intent, sealing_request, archive_renewal, message
  to countersign_worker;

-- A person is found by the address, whatever its case. A stored column, because row-level security lets no expression
-- use an index.
alter table signatory add column email_key text generated always as (lower(email)) stored;
create index signatory_email on signatory (tenant_id, email_key) where email_key is not null;
grant delete on signature_request_word to countersign_request;
