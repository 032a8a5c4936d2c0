-- A tenant whose account is abused is stopped by the operator: while this is set its keys, logins, sessions and links open
-- nothing, and nothing is sent in its name. Asked wherever a credential is looked up, so that one row ends them all at once.
alter table tenant add column stopped_at timestamptz;
