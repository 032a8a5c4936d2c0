import type { SameKeys } from '../translate.ts'

/** What happened, by the type of the event. */
export const en = {
  signaturerequestcreated: 'Request created',
  signaturerequestchanged: 'Draft changed',
  signaturerequestopened: 'Request opened',
  signaturerequestprepared: 'Documents prepared',
  signaturerequestpreparationfailed: 'Preparing the documents failed',
  signaturerequeststatusupdated: 'Status of the request changed',
  signaturerequestcompleted: 'Request completed',
  signaturerequestcanceled: 'Request canceled',
  signaturerequestdeclined: 'Request ended because somebody declined',
  signaturerequestexpired: 'Request expired',
  signatoryinvited: 'Invited to sign',
  signatoryreminded: 'Reminded',
  signatoryviewed: 'Documents opened',
  signatoryauthenticated: 'Authenticated',
  signatoryauthenticationfailed: 'Authentication failed',
  signatorysigned: 'Signed',
  signatorysigningfailed: 'The signature could not be made; it can be tried again',
  signatorydeclined: 'Declined to sign',
  signatoryskipped: 'Signature not needed any more',
  documentrenewed: 'Document stamped anew for the archive',
  evidencerenewed: 'Evidence stamped anew for the archive',
  signaturerequestdeleted: 'Request deleted',
  signatoryerased: 'Person erased',
  signatorymessagesent: 'Message sent',
  signatorymessagekept: 'Message kept in the outbox',
  signatorymessagefailed: 'Message could not be delivered',
  signatorymessageshown: 'Message shown to an administrator',
  sealingrequestcreated: 'Sealing request created',
  sealingrequeststatusupdated: 'Status of the sealing request changed',
  sealingrequestprocessed: 'Documents sealed',
  sealingrequestfailed: 'Documents could not be sealed',
  subscriptiondisabled: 'Webhook switched off',
} as const

export type EventTexts = SameKeys<typeof en>
