// The kinds of event that can be subscribed to, what each means and what its deliveries hold. The first three are the
// interface's own, field by field; the others are ours and keep to the same families.

const REQUEST_DATA = {
  SignatureRequestId: 'uuid',
  TenantId: 'uuid',
  DepartmentId: 'uuid',
  CreatorId: 'uuid',
}
const SIGNATORY_DATA = { SignatoryId: 'uuid', ...REQUEST_DATA }
const STATUS_DATA = { ...REQUEST_DATA, Status: 'string', PreviousStatus: 'string' }
const SEALING_DATA = { SealingRequestId: 'uuid', TenantId: 'uuid', DepartmentId: 'uuid', CreatorId: 'uuid' }
const SUBSCRIPTION_DATA = { SubscriptionId: 'uuid', TenantId: 'uuid', DepartmentId: 'uuid', CreatorId: 'uuid' }

type EventKind = { description: string; data: Record<string, string> }

export const EVENT_KINDS = {
  signaturerequestcompleted: {
    description: 'The signature request has been completed: it is Closed, and its sealed files can be fetched.',
    data: REQUEST_DATA,
  },
  signatorysigned: { description: 'The signatory signed the request.', data: SIGNATORY_DATA },
  signaturerequeststatusupdated: {
    description: 'The signature request went from one status to another.',
    data: STATUS_DATA,
  },
  signaturerequestcreated: { description: 'A signature request was created.', data: REQUEST_DATA },
  signaturerequestopened: {
    description: 'The signature request was opened to its signatories.',
    data: REQUEST_DATA,
  },
  signaturerequestcanceled: { description: 'The signature request was canceled.', data: REQUEST_DATA },
  signaturerequestexpired: {
    description: 'The signature request was not signed before its expiration date.',
    data: REQUEST_DATA,
  },
  signaturerequestdeclined: {
    description: 'A mandatory signatory declined, which ended the signature request.',
    data: REQUEST_DATA,
  },
  signatoryinvited: { description: 'The signatory was invited to sign.', data: SIGNATORY_DATA },
  signatoryviewed: { description: 'The signatory opened the documents.', data: SIGNATORY_DATA },
  signatoryauthenticated: { description: 'The signatory proved who they are.', data: SIGNATORY_DATA },
  signatorydeclined: { description: 'The signatory declined to sign.', data: SIGNATORY_DATA },
  sealingrequestprocessed: {
    description: 'Every document of the sealing request is sealed and can be fetched.',
    data: SEALING_DATA,
  },
  subscriptiondisabled: {
    description: 'A subscription was disabled: its receiver is gone, or failed for five days.',
    data: SUBSCRIPTION_DATA,
  },
  sealingrequestfailed: { description: 'A document of the sealing request could not be sealed.', data: SEALING_DATA },
} as const satisfies Record<string, EventKind>

export type EventType = keyof typeof EVENT_KINDS

export const EVENT_TYPES = Object.keys(EVENT_KINDS) as EventType[]

export function isSubscribable(type: string): type is EventType {
  return Object.hasOwn(EVENT_KINDS, type)
}

/** All kinds as the interface lists them. */
export function listSupportedHooks() {
  return EVENT_TYPES.map((eventType) => ({
    eventType,
    description: EVENT_KINDS[eventType].description,
    payloadSchema: { EventType: 'string', Timestamp: 'date-time', EventData: EVENT_KINDS[eventType].data },
  }))
}
