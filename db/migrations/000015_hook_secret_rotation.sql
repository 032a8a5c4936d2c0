-- While a secret is changed, deliveries are signed with both. And why a subscription does not run, for its owner.
alter table hook_subscription
  add column previous_secret bytea, -- encrypted
  add column previous_secret_until timestamptz,
  add column state_reason text;
