-- Every creation paid for three look-ups that can't fail. Nobody may delete a department or a user, so a reference to one
-- can break only at its birth; and there the statement that makes a request reads its department and holds it, and a user
-- is known from the call itself. What hangs on a request or on a stored file keeps its foreign keys: those do get deleted.
alter table signature_request
  drop constraint signature_request_tenant_id_department_id_fkey,
  drop constraint signature_request_tenant_id_creator_id_fkey;
alter table stored_document drop constraint stored_document_tenant_id_department_id_fkey;
