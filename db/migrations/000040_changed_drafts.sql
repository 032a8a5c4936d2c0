-- A draft is changed in place: its people and documents give way to others. They are on nobody's record yet; from the
-- opening on no statement of the service deletes any.
grant delete on signatory, signature_document to countersign_request;
