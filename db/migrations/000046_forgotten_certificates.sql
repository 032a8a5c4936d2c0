-- A signatory's certificate bears a name. It goes with the request that it was made for.
grant delete on certificate to countersign_worker;
