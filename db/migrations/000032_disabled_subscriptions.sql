-- That a subscription was disabled is an event, in a history of the subscription's own, and a message to its owner.
alter table event_chain drop constraint event_chain_request_kind_check,
  add constraint event_chain_request_kind_check check (request_kind in ('signaturerequest', 'sealingrequest', 'subscription'));
alter table message drop constraint message_kind_check,
  add constraint message_kind_check check (kind in (
    'invitation', 'reminder', 'code', 'canceled', 'completed', 'userinvitation', 'passwordreset', 'webhookdisabled'));
