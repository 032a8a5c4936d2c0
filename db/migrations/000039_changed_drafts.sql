-- A draft is changed in place: its people and documents give way to others. The service may delete those of drafts and of
-- nothing else, whatever a statement says.
grant delete on signatory, signature_document to countersign_request;

create policy only_of_drafts on signatory as restrictive for delete to countersign_request
  using (exists (select from signature_request r
                  where r.tenant_id = signatory.tenant_id and r.id = signatory.request_id and r.status = 'Draft'));

create policy only_of_drafts on signature_document as restrictive for delete to countersign_request
  using (exists (select from signature_request r
                  where r.tenant_id = signature_document.tenant_id and r.id = signature_document.request_id
                    and r.status = 'Draft'));
