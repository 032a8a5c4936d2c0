// Written by `npm run openapi` from docs/api/openapi.json. Changes belong into the routes and their schemas.
import type { CallOptions, Content } from '../call.ts'

export type Activity = {
  id: string
  timestamp: string
  action: 'tenant.changed' | 'tenant.stopped' | 'tenant.resumed' | 'department.created' | 'department.changed' | 'department.moved' | 'department.deleted' | 'user.created' | 'user.changed' | 'user.deactivated' | 'user.reactivated' | 'user.invited' | 'user.passwordset' | 'user.factoradded' | 'user.factorremoved' | 'user.factorreset' | 'user.passkeyadded' | 'user.passkeyremoved' | 'user.signedin' | 'user.signinfailed' | 'user.signedout' | 'subscriptionkey.created' | 'subscriptionkey.rotated' | 'subscriptionkey.revoked' | 'certificate.created' | 'certificate.revoked' | 'documenttemplate.created' | 'documenttemplate.changed' | 'documenttemplate.deleted' | 'requesttemplate.created' | 'requesttemplate.changed' | 'requesttemplate.deleted' | 'subscription.created' | 'subscription.deleted' | 'subscription.paused' | 'subscription.resumed' | 'subscription.rotated' | 'subscription.tested' | 'subscription.replayed' | 'message.viewed'
  actor: {
    kind: 'user' | 'key' | 'commandline'
    id: string
    name: string | null
  }
  target: {
    type: 'tenant' | 'department' | 'user' | 'subscriptionkey' | 'certificate' | 'documenttemplate' | 'requesttemplate' | 'subscription' | 'message'
    id: string
    name: string | null
  }
  departmentId: string
  /** For instance which fields were changed; never their values. */
  details: Record<string, unknown>
  /** The X-Request-Id of the call. */
  requestId: string | null
}

export type AddAuthenticatorAppBody = {
  /** The caller’s own, once more. */
  password: string
}

export type AddDocumentToSealingRequestBody = {
  /** The uri of a stored document. */
  documentURI: string
  /** Without path separators and control characters. */
  fileName?: string
  title?: string
  documentTypeId?: string
  creatorId?: string
  creatorName?: string
}

export type AddPasskeyBody = {
  /** By which its owner knows the device again. */
  name: string
  /** What navigator.credentials.create answered with, by its toJSON(). */
  credential: {
    id: string
    response: {
      clientDataJSON: string
      attestationObject: string
      transports?: string[]
    }
  }
}

export type AdditionAfterSignature = {
  /** Counted from 1. */
  revision: number
  kind: 'signature' | 'timestamp' | 'validation-data' | 'empty-field' | 'form-filling' | 'metadata' | 'extensions'
  message: string
}

export type AskForNewPasskeyBody = {
  /** The caller’s own, once more. */
  password: string
}

export type AskForNewPasswordBody = {
  /** The e-mail address that a link is sent to. */
  login: string
}

export type AuthenticationChoices = {
  /** That signatories can be asked for here. */
  strengths: ('None' | 'Email' | 'Sms' | 'Strong')[]
  deliveryMethods: ('Email' | 'Sms' | 'Link')[]
  /** Of the configured identity providers, for a signatory’s authenticationAreaCode. */
  areaCodes: string[]
}

export type Authority = {
  subject: string
  issuer: string
  /** In hexadecimal. */
  serialNumber: string
  /** Of the certificate, in hexadecimal. */
  sha256: string
  notBefore: string
  notAfter: string
  /** Its name at GET /pki/{keyId}/authority.cer. */
  keyId: string
}

export type Base64Document = {
  fileName: string
  contentType: string
  contentBase64: string
}

export type CancelSignatureRequestBody = {
  /** Becomes the request’s statusReason. */
  reason?: string
  /** Addition: cancels only while the request has this status, for instance Draft. */
  onlyFrom?: 'Draft' | 'Open' | 'Processing' | 'Closed' | 'Canceled' | 'Error' | 'Archiving' | 'Archived' | 'ArchivingFailed'
}

export type CertificateInUse = {
  kind: 'root' | 'timestamp' | 'responder' | 'issuing' | 'seal' | 'signatory'
  subject: string
  /** Whose seal it is. */
  departmentId: string | null
  expirationDate: string
  /** False for what was imported: a person has to bring the next one. */
  renewsItself: boolean
}

export type ChangeDepartmentBody = {
  name?: string
  shortName?: string
  contactEmail?: string
  businessId?: string
  externalReference?: string
  subscriptionTier?: string
  /** Addition: where the department hangs; the caller’s own department by default. */
  parentDepartmentId?: string
  /** Days after which finished requests are erased. Without it, or 0: as the department above says; where none says anything, they are kept. */
  retentionDays?: number
}

export type ChangeDocumentTemplateBody = {
  name?: string
  departmentId?: string
  documentTypeId?: string
  /** A BCP 47 language tag such as en, fi or sv-FI. */
  language?: string
  /** The uri of a stored document. */
  templateUri?: string
  /** Document content encoded as Base64. */
  contentBase64?: string
  /** Without path separators and control characters. */
  fileName?: string
}

export type ChangeDraftBody = {
  subject?: string
  status?: 'Draft' | 'Open'
  /** A BCP 47 language tag such as en, fi or sv-FI. */
  languageCode?: string
  departmentId?: string
  /** Fills in whatever the payload leaves out. */
  signatureRequestTemplateId?: string
  /** None, Email (or Low, Basic, Weak), Sms (or Medium, Substantial) or Strong (or High, Eid). */
  readingAuthenticationStrength?: string
  /** None, Email (or Low, Basic, Weak), Sms (or Medium, Substantial) or Strong (or High, Eid). */
  signingAuthenticationStrength?: string
  externalReference?: string
  expirationDate?: string
  /** Email, Sms, Link. */
  deliveryMethods?: string[]
  signatories?: NewSignatory[]
  documents?: NewSignatureDocument[]
}

export type ChangeMetadataBody = {
  metadata: {
    key: string
    /** null removes the key. */
    value: string | null
  }[]
  referenceId?: string
  departmentId?: string
  creatorId?: string
}

export type ChangePasswordBody = {
  currentPassword: string
  newPassword: string
}

export type ChangeRequestTemplateBody = {
  kind?: 'signature' | 'sealing'
  name?: string
  departmentId?: string
  /** Preset top-level fields of a one-step signature request (with `placements`), or of a sealing request. They fill in what a request leaves out; lists are replaced whole. A placement covers at most 125,000 square points. */
  fields?: Record<string, unknown>
}

export type ChangeTenantBody = {
  name?: string
  /** The https origins to which a signatory may be sent back, and which may frame the signing page. */
  returnOrigins?: string[]
  /** Whether certificates of signatories name their personal identifier. */
  personalIdentifierInCertificates?: boolean
}

export type ChangeUserBody = {
  role?: string
  firstName?: string
  lastName?: string
  /** A phone number such as +358401234567; spaces, hyphens and a leading 00 are read as well. */
  phone?: string
  externalReference?: string
  /** A BCP 47 language tag such as en, fi or sv-FI. */
  language?: string
  timezone?: string
  email?: string
  departmentId?: string
  /** False deactivates the user, true takes that back. */
  isActive?: boolean
}

export type ChooseLanguageBody = {
  /** A BCP 47 language tag such as en, fi or sv-FI. */
  language: string
}

export type ConfirmAuthenticatorAppBody = {
  /** That the app shows now. */
  code: string
}

export type CreateDepartmentBody = {
  department: {
    name: string
    shortName?: string
    contactEmail?: string
    businessId?: string
    externalReference?: string
    subscriptionTier?: string
    /** Addition: where the department hangs; the caller’s own department by default. */
    parentDepartmentId?: string
    users?: {
      role?: string
      firstName?: string
      lastName?: string
      /** A phone number such as +358401234567; spaces, hyphens and a leading 00 are read as well. */
      phone?: string
      externalReference?: string
      /** A BCP 47 language tag such as en, fi or sv-FI. */
      language?: string
      timezone?: string
      email: string
    }[]
  }
}

export type CreateDocumentTemplateBody = {
  name: string
  departmentId?: string
  documentTypeId?: string
  /** A BCP 47 language tag such as en, fi or sv-FI. */
  language?: string
  /** The uri of a stored document. */
  templateUri?: string
  /** Document content encoded as Base64. */
  contentBase64?: string
  /** Without path separators and control characters. */
  fileName?: string
}

export type CreateInvitationBody = {
  /** Sends it to the user by e-mail as well. */
  deliver?: boolean
}

export type CreateOrChangeSealingRequestBody = {
  /** Must be the caller’s own. */
  tenantId?: string
  departmentId?: string
  creatorId?: string
  creatorName?: string
  sealingRequestTemplateId?: string
  subject?: string
  /** A BCP 47 language tag such as en, fi or sv-FI. */
  languageCode?: string
  status?: 'Draft' | 'Open' | 'Closed' | 'Canceled' | 'Canceling' | 'Error' | 'Unknown' | 'Processing' | 'Processed' | 'Archiving' | 'Archived' | 'ArchivingFailed'
  externalReference?: string
}

export type CreateRequestTemplateBody = {
  kind: 'signature' | 'sealing'
  name: string
  departmentId?: string
  /** Preset top-level fields of a one-step signature request (with `placements`), or of a sealing request. They fill in what a request leaves out; lists are replaced whole. A placement covers at most 125,000 square points. */
  fields: Record<string, unknown>
}

export type CreateSealCertificateBody = {
  /** Whose seal it becomes; by default that of the caller’s department. */
  departmentId?: string
  /** true: the service makes the key and issues the certificate. */
  generate?: boolean
  /** A PKCS #12 file (.p12, .pfx) encoded as Base64. */
  pkcs12?: string
  /** Certificate, chain and private key as PEM text. */
  pem?: string
  /** The name of a key with a remote signing service that the operator has set up for the tenant. */
  remoteKey?: string
  /** Of the file or the key, where it has one. */
  password?: string
}

export type CreateSealingRequestBody = {
  /** Must be the caller’s own. */
  tenantId?: string
  departmentId?: string
  creatorId?: string
  creatorName?: string
  sealingRequestTemplateId?: string
  subject?: string
  /** A BCP 47 language tag such as en, fi or sv-FI. */
  languageCode?: string
  status?: 'Draft' | 'Open' | 'Closed' | 'Canceled' | 'Canceling' | 'Error' | 'Unknown' | 'Processing' | 'Processed' | 'Archiving' | 'Archived' | 'ArchivingFailed'
  externalReference?: string
}

export type CreateSignatureRequestBody = {
  /** Chosen by the caller: the same call again then gets the same answer, for ever. */
  id?: string
  subject?: string
  status?: 'Draft' | 'Open'
  /** A BCP 47 language tag such as en, fi or sv-FI. */
  languageCode?: string
  creatorId?: string
  departmentId?: string
  /** Fills in whatever the payload leaves out. */
  signatureRequestTemplateId?: string
  /** None, Email (or Low, Basic, Weak), Sms (or Medium, Substantial) or Strong (or High, Eid). */
  readingAuthenticationStrength?: string
  /** None, Email (or Low, Basic, Weak), Sms (or Medium, Substantial) or Strong (or High, Eid). */
  signingAuthenticationStrength?: string
  externalReference?: string
  expirationDate?: string
  /** Email, Sms, Link. */
  deliveryMethods?: string[]
  signatories?: NewSignatory[]
  documents?: NewSignatureDocument[]
}

/** Each name may also be written with the other case of its initial letter. */
export type CreateSubscriptionBody = {
  eventType: 'signaturerequestcompleted' | 'signatorysigned' | 'signaturerequeststatusupdated' | 'signaturerequestcreated' | 'signaturerequestopened' | 'signaturerequestcanceled' | 'signaturerequestexpired' | 'signaturerequestdeclined' | 'signatoryinvited' | 'signatoryviewed' | 'signatoryauthenticated' | 'signatorydeclined' | 'sealingrequestprocessed' | 'subscriptiondisabled' | 'sealingrequestfailed'
  /** Receives deliveries; HTTPS. */
  uri: string
  description?: string
  headers?: Record<string, string>
  /** Without it: everything within the caller’s reach. */
  departmentId?: string
  subdepartments?: boolean
}

export type CreateSubscriptionKeyBody = {
  name: string
  departmentId?: string
}

export type CreateUserBody = {
  role?: string
  firstName?: string
  lastName?: string
  /** A phone number such as +358401234567; spaces, hyphens and a leading 00 are read as well. */
  phone?: string
  externalReference?: string
  /** A BCP 47 language tag such as en, fi or sv-FI. */
  language?: string
  timezone?: string
  email: string
  departmentId?: string
}

export type DeclineToSignBody = {
  /** Of the signatory that the page was shown to. */
  signatoryId?: string
  reason: string
}

/** Each name may also be written with the other case of its initial letter. */
export type DeleteDepartmentBody = {
  ForceDelete?: boolean
}

export type Delivery = {
  /** The webhook-id of every try; the id of the event. */
  id: string
  requestId: string
  sequence: number
  state: 'waiting' | 'delivered' | 'parked'
  isTest: boolean
  /** As it is sent, byte by byte. */
  payload: string
  createdAt: string
  nextTryAt: string | null
  finishedAt: string | null
  tries: DeliveryTry[]
}

export type DeliveryTry = {
  number: number
  at: string
  durationMs: number
  status: number | null
  /** Why there was no answer, or why it does not count. */
  error: string | null
  /** The first 1,024 bytes of the answer. */
  answer: string | null
  request: {
    method: string
    uri: string
    headers: Record<string, string>
  }
}

export type Department = {
  id: string
  name: string
  shortName: string | null
  contactEmail: string | null
  businessId: string | null
  externalReference: string | null
  tenantId: string
  parentDepartmentId: string | null
}

export type DocumentTemplate = {
  id: string
  name: string
  templateUri: string
  departmentId: string
  documentTypeId: string | null
  language: string | null
}

export type EnterOneTimeCodeBody = {
  purpose: 'reading' | 'signing'
  /** Six digits. */
  code: string
}

export type ErasePersonBody = {
  /** Of the person, whatever its case. */
  email: string
}

export type ErrorBody = {
  code: number
  classification: 'InvalidArgument' | 'EntityNotFound' | 'UniqueConstraint' | 'ReferenceConstraint' | 'AuthenticationError' | 'AuthorizationError' | 'UserInactiveError' | 'InvalidOperation' | 'InternalError'
  message: string | null
}

export type ExchangePersonalLinkForSessionBody = {
  /** The last part of the personal link. */
  token: string
  /** From the link’s query, where it has one. */
  returnUrl?: string
  /** The page stands in a frame of another site. */
  isFramed?: boolean
}

export type FeedEvent = {
  /** Also the webhook-id of its deliveries. */
  id: string
  eventType: string
  timestamp: string
  requestKind: 'signaturerequest' | 'sealingrequest' | 'subscription'
  /** Of the signature request, sealing request or subscription that it happened to. */
  requestId: string
  sequenceNumber: number
  departmentId: string
  signatoryId: string | null
  actor: {
    kind: 'user' | 'key' | 'signatory' | 'system'
    id: string | null
  } | null
  data: Record<string, unknown> | null
  /** True where actor and data were erased. */
  erased: boolean
  /** What a webhook carries; null for kinds that can not be subscribed to. */
  payload: {
    EventType: string
    Timestamp: string
    EventData: Record<string, unknown>
  } | null
}

export type FeedPage = {
  items: FeedEvent[]
  /** Ask after this for what comes next, also where this page is empty. */
  cursor: string
  /** False where this page ends with what has happened until now. */
  hasMore: boolean
}

export type GoToIdentityProviderBody = {
  purpose: 'reading' | 'signing'
}

export type HistoryEvent = {
  id: string
  sequenceNumber: number
  eventType: string
  timestamp: string
  actor: {
    kind: 'user' | 'key' | 'signatory' | 'system'
    id: string | null
  } | null
  signatoryId: string | null
  data: Record<string, unknown> | null
  /** True where actor, data, salt and body were erased; the chain still holds. */
  erased: boolean
  /** Hash of this event, in hexadecimal. */
  hash: string
  /** Hash of the event before, in hexadecimal. */
  previousHash: string
  /** SHA-256 of salt and body, in hexadecimal. */
  bodyHash: string
  /** Base64. */
  salt: string | null
  /** The bytes behind actor and data, in Base64. */
  body: string | null
}

export type HistoryPage = {
  tenantId: string
  requestId: string
  items: HistoryEvent[]
  /** Null on the last page. */
  continuationToken: string | null
  /** On the last page: the signed end of the history, so that cutting it short is noticed. */
  head: {
    sequence: number
    /** Hash of the last event, in hexadecimal. */
    hash: string
    /** Ed25519, in Base64. */
    signature: string
    keyId: string
    keys: {
      kty: string
      crv: string
      x: string
      kid: string
      use: string
      alg: string
    }[]
  } | null
}

export type HistoryProof = {
  tenantId: string
  requestId: string
  items: ProvedEvent[]
  /** Null on the last page. */
  continuationToken: string | null
  /** On the last page: the signed end of the history, so that cutting it short is noticed. */
  head: {
    sequence: number
    /** Hash of the last event, in hexadecimal. */
    hash: string
    /** Ed25519, in Base64. */
    signature: string
    keyId: string
    keys: {
      kty: string
      crv: string
      x: string
      kid: string
      use: string
      alg: string
    }[]
  } | null
  log: {
    /** How many events the checkpoint covers. */
    size: number
    /** A signed note: name, size and root of the log. */
    checkpoint: string
    /** Token of RFC 3161 over the checkpoint, in Base64. */
    timestamp: string | null
    stampedAt: string | null
    knownEvents: number
    waitingEvents: number
  } | null
}

export type HistoryVerification = {
  isIntact: boolean
  /** What is wrong, where it is not intact. */
  problem: string | null
  eventCount: number | null
  erasedCount: number | null
  loggedCount: number | null
  /** How many events the checkpoint covers. */
  logSize: number | null
  stampedAt: string | null
  /** Name of the timestamp authority. */
  stampedBy: string | null
}

export type Invitation = {
  /** For POST /identity/password; good for one use. */
  token: string
  expiresAt: string
}

export type LogInBody = {
  /** The user’s e-mail address, in any case. */
  login: string
  password: string
  /** Must be the subscription key’s tenant. */
  tenantId?: string
  /** The department to act for: the user’s own, which is the default, or one below it. */
  departmentId?: string
  /** Of the authenticator app, or a recovery code, where the user has a second factor. */
  code?: string
}

export type LogOutBody = {
  /** Ends every token and session of the user, not only this one. */
  everywhere?: boolean
}

export type Me = {
  id: string
  role: string
  isAdministrator: boolean
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  externalReference: string | null
  language: string | null
  timezone: string | null
  tenantId: string
  /** Name of the tenant. */
  organisation: string
  /** Name of the department that the token acts for. */
  departmentName: string
  /** The department that the token acts for. */
  departmentId: string
  /** The department that the user belongs to. */
  homeDepartmentId: string
}

export type Message = {
  id: string
  kind: 'invitation' | 'reminder' | 'code' | 'canceled' | 'completed' | 'userinvitation' | 'passwordreset' | 'webhookdisabled'
  channel: 'email' | 'sms'
  state: 'waiting' | 'sent' | 'failed' | 'outbox' | 'dropped'
  /** The address or number, once sending it was first tried. */
  recipient: string | null
  language: string
  signatureRequestId: string | null
  signatoryId: string | null
  userId: string | null
  departmentId: string
  attempts: number
  /** Why the last try failed. */
  problem: string | null
  createdAt: string
  modifiedAt: string
  /** Of an e-mail. */
  subject: string | null
  text: string
  /** Of an e-mail. */
  html: string | null
  /** The link in the message. */
  url: string | null
  /** The one-time code in the message. */
  code: string | null
}

export type MessageSummary = {
  id: string
  kind: 'invitation' | 'reminder' | 'code' | 'canceled' | 'completed' | 'userinvitation' | 'passwordreset' | 'webhookdisabled'
  channel: 'email' | 'sms'
  state: 'waiting' | 'sent' | 'failed' | 'outbox' | 'dropped'
  /** The address or number, once sending it was first tried. */
  recipient: string | null
  language: string
  signatureRequestId: string | null
  signatoryId: string | null
  userId: string | null
  departmentId: string
  attempts: number
  /** Why the last try failed. */
  problem: string | null
  createdAt: string
  modifiedAt: string
}

export type MetadataEntry = {
  key: string
  entityId: string
  entityType: 'SignatureRequest' | 'Signee' | 'Document' | 'Archive'
  referenceId: string | null
  value: string
}

export type NewSignatory = {
  firstName?: string
  lastName?: string
  email?: string
  /** A phone number such as +358401234567; spaces, hyphens and a leading 00 are read as well. */
  mobilePhone?: string
  isMandatory?: boolean
  authenticationAreaCode?: string
  personalIdentifier?: string
  signatoryGroupSigningOrder?: number
  externalReference?: string
}

export type NewSignatureDocument = {
  title?: string
  /** Without path separators and control characters. */
  fileName?: string
  documentTypeId?: string
  externalReference?: string
  /** Document content encoded as Base64. */
  contentBase64: string
}

export type Overview = {
  signatureRequests: {
    draft: number
    open: number
    processing: number
    error: number
    archivingFailed: number
  }
  sealingRequests: {
    error: number
  }
  invitations: {
    /** People whom the organisation has invited or reminded today, in UTC. */
    today: number
    /** As many as it may; null where there is no limit. */
    perDay: number | null
    /** When more were refused today for the first time. */
    refusedDate: string | null
  } | null
  reports: {
    /** People who reported a message as unwanted within the last seven days; at most 1000. */
    amount: number
    /** The signature request of the newest report. */
    latestRequestId: string | null
  } | null
  messages: {
    /** Among the newest thousand. */
    failed: number
    /** Waiting to be read by an administrator, because nothing sends them; at most 1000. */
    outbox: number
  } | null
  webhooks: {
    active: number
    paused: number
    disabled: number
    /** Of the active ones: nothing but failures at the moment. */
    failing: number
  } | null
  jobs: {
    /** At most 1000. */
    due: number
    /** Given up; at most 1000. */
    dead: number
    /** How long the oldest of what is due has waited. */
    lagSeconds: number
  } | null
  services: ServiceHealth[] | null
  certificates: CertificateInUse[] | null
}

export type OwnDepartment = {
  id: string
  name: string
  parentDepartmentId: string | null
}

export type Passkey = {
  id: string
  name: string
  creationDate: string
  lastUsedDate: string | null
}

export type PasskeyOffer = {
  rp: {
    id: string
    name: string
  }
  user: {
    id: string
    name: string
    displayName: string
  }
  challenge: string
  pubKeyCredParams: {
    type: string
    alg: number
  }[]
  /** Milliseconds. */
  timeout: number
  excludeCredentials: {
    type: string
    id: string
    transports: string[]
  }[]
  authenticatorSelection: {
    residentKey: string
    userVerification: string
  }
  attestation: string
}

export type PasskeyRequest = {
  rpId: string
  challenge: string
  /** Milliseconds. */
  timeout: number
  allowCredentials: {
    type: string
    id: string
    transports: string[]
  }[]
  userVerification: string
}

export type ProvedEvent = {
  id: string
  sequenceNumber: number
  eventType: string
  timestamp: string
  actor: {
    kind: 'user' | 'key' | 'signatory' | 'system'
    id: string | null
  } | null
  signatoryId: string | null
  data: Record<string, unknown> | null
  /** True where actor, data, salt and body were erased; the chain still holds. */
  erased: boolean
  /** Hash of this event, in hexadecimal. */
  hash: string
  /** Hash of the event before, in hexadecimal. */
  previousHash: string
  /** SHA-256 of salt and body, in hexadecimal. */
  bodyHash: string
  /** Base64. */
  salt: string | null
  /** The bytes behind actor and data, in Base64. */
  body: string | null
  /** Its place in the log, from 0; null while it waits for one. */
  logPosition: number | null
  /** RFC 6962 2.1.1: hashes in Base64, beginning beside the leaf. */
  inclusionProof: string[] | null
}

export type RemoveAuthenticatorAppBody = {
  /** The caller’s own, once more. */
  password: string
}

export type RemovePasskeyBody = {
  /** The caller’s own, once more. */
  password: string
}

export type Renewal = {
  kind: 'signaturedocument' | 'evidence' | 'sealingdocument'
  /** The document; of the evidence, its request. */
  id: string
  requestId: string
  departmentId: string
  /** The newest revision. */
  documentURI: string
  /** When the certificate behind its newest timestamp ends. */
  lastsUntil: string
  /** When it is stamped anew. */
  dueAt: string
  /** How often it has been renewed. */
  renewals: number
}

/** Each name may also be written with the other case of its initial letter. */
export type ReplayDeliveriesBody = {
  from: string
  to?: string
  /** Also what arrived already. */
  includeDelivered?: boolean
}

export type ReportMessageAsUnwantedBody = {
  /** The token of the personal link, as for a session. */
  token: string
}

export type RequestTemplate = {
  id: string
  kind: 'signature' | 'sealing'
  name: string
  departmentId: string
  /** Preset top-level fields of a one-step signature request (with `placements`), or of a sealing request. They fill in what a request leaves out; lists are replaced whole. A placement covers at most 125,000 square points. */
  fields: Record<string, unknown>
  creationDate: string
  modifiedDate: string
}

export type RotateSubscriptionKeyBody = {
  which: 'primary' | 'secondary'
}

export type SealCertificate = {
  id: string
  departmentId: string
  state: 'Pending' | 'Active' | 'Failed' | 'Replaced' | 'Revoked'
  stateReason: string | null
  origin: 'issued' | 'pkcs12' | 'pem' | 'remote'
  subject: string | null
  issuer: string | null
  /** In hexadecimal. */
  serialNumber: string | null
  /** Of the certificate, in hexadecimal. */
  sha256: string | null
  notBefore: string | null
  notAfter: string | null
  creationDate: string
  revocationDate: string | null
}

export type SealingDocument = {
  id: string
  documentURI: string
  sourceDocumentURI: string
  fileName: string
  title: string | null
  documentTypeId: string | null
  creatorId: string
  creatorName: string | null
}

export type SealingRequest = {
  id: string
  tenantId: string
  departmentId: string
  creatorId: string
  creatorName: string | null
  sealingRequestTemplateId: string | null
  subject: string | null
  languageCode: string | null
  status: 'Draft' | 'Open' | 'Closed' | 'Canceled' | 'Canceling' | 'Error' | 'Unknown' | 'Processing' | 'Processed' | 'Archiving' | 'Archived' | 'ArchivingFailed'
  statusReason: string | null
  externalReference: string | null
  creationDate: string
  modifiedDate: string
}

export type SendOneTimeCodeBody = {
  purpose: 'reading' | 'signing'
}

export type ServiceHealth = {
  name: 'mail' | 'sms' | 'timestamps' | 'log' | 'identityprovider' | 'storage'
  state: 'Working' | 'Failing' | 'NotConfigured'
  /** What it said when it last failed, or which one it is. */
  detail: string | null
  sinceDate: string | null
}

export type SetArchivingStatusBody = {
  status: 'Archiving' | 'Archived' | 'ArchivingFailed'
  /** Only with ArchivingFailed. */
  error?: {
    code?: string
    name?: string
    detail?: string
  }
}

export type SetPasswordBody = {
  /** From an invitation or a reset; good for one use. */
  token: string
  password: string
}

export type SetPasswordByLinkBody = {
  /** From an invitation or a reset; good for one use. */
  token: string
  password: string
}

export type SignDocumentsBody = {
  /** Of the signatory that the page was shown to. */
  signatoryId?: string
  documents: {
    id: string
    /** In hexadecimal. */
    sha256: string
  }[]
  mark?: {
    kind: 'typed' | 'drawn'
    text?: string
    strokes?: number[][]
  }
}

export type SignInBody = {
  /** The user’s e-mail address, in any case. */
  login: string
  password: string
  /** Which of several tenants, where the answer before offered a choice. */
  tenantId?: string
  /** Of the authenticator app, or a recovery code, where the answer before asked for it. */
  code?: string
  /** What navigator.credentials.get answered with, by its toJSON(). */
  passkey?: {
    id: string
    response: {
      clientDataJSON: string
      authenticatorData: string
      signature: string
    }
  }
}

export type Signatory = {
  id: string
  firstName: string | null
  lastName: string | null
  email: string | null
  mobilePhone: string | null
  isMandatory: boolean
  authenticationAreaCode: string | null
  personalIdentifier: string | null
  signatoryGroupSigningOrder: number
  externalReference: string | null
  state: 'Waiting' | 'Invited' | 'Viewed' | 'Signed' | 'Declined' | 'Skipped'
  invitedDate: string | null
  viewedDate: string | null
  signedDate: string | null
  declinedDate: string | null
  declineReason: string | null
}

export type SignatureDocument = {
  id: string
  title: string | null
  fileName: string
  documentTypeId: string | null
  externalReference: string | null
  /** The latest revision, for GET /storage/document/{uri}. */
  documentURI: string
  /** The document as it was given. */
  sourceDocumentURI: string
  /** Of the latest revision, in hexadecimal. */
  sha256: string
  /** The PAdES level that the document is meant to reach. */
  levelAsked: string
  levelReached: string | null
}

export type SignatureRequest = {
  id: string
  subject: string
  status: 'Draft' | 'Open' | 'Processing' | 'Closed' | 'Canceled' | 'Error' | 'Archiving' | 'Archived' | 'ArchivingFailed'
  statusReason: string | null
  languageCode: string | null
  creatorId: string
  departmentId: string
  signatureRequestTemplateId: string | null
  readingAuthenticationStrength: 'None' | 'Email' | 'Sms' | 'Strong'
  signingAuthenticationStrength: 'None' | 'Email' | 'Sms' | 'Strong'
  externalReference: string | null
  expirationDate: string | null
  deliveryMethods: ('Email' | 'Sms' | 'Link')[]
  archivingError: {
    code: string | null
    name: string | null
    detail: string | null
  } | null
  creationDate: string
  modifiedDate: string
  openedDate: string | null
  finishedDate: string | null
  signatories: Signatory[]
  documents: SignatureDocument[]
}

export type SigningPage = {
  state: 'authenticate' | 'notyourturn' | 'ready' | 'signing' | 'signed' | 'declined' | 'canceled' | 'expired' | 'closed'
  reading: {
    strength: string
    isMet: boolean
  }
  signing: {
    strength: string
    isMet: boolean
  }
  language: string
  returnUrl: string | null
  sender: {
    organisation: string
    department: string
    person: string | null
  } | null
  subject: string | null
  expirationDate: string | null
  signatoryId: string
  signatory: {
    firstName: string | null
    lastName: string | null
  } | null
  others: {
    name: string
    state: string
  }[] | null
  progress: 'signing' | 'sealing' | 'sealed' | null
  documents: {
    id: string
    title: string | null
    fileName: string
    sizeBytes: number
    sha256: string
    url: string
  }[] | null
  signedAt: string | null
  declineReason: string | null
  canDownload: boolean
}

export type StoredDocument = {
  uri: string
  size: number
  /** In lower-case hexadecimal. */
  sha256: string
}

export type Subscription = {
  id: string
  eventType: string
  uri: string
  description: string | null
  state: 'active' | 'paused' | 'disabled'
  /** Why it was disabled. */
  stateReason: string | null
  departmentId: string
  subdepartments: boolean
  headerNames: string[]
  createdAt: string
}

export type SubscriptionKey = {
  id: string
  name: string
  /** The key reaches this department and everything below it. */
  departmentId: string
  /** The user in whose name calls with the key alone act. */
  serviceUserId: string
  creationDate: string
  rotationDate: string | null
  lastUsedDate: string | null
}

export type Tenant = {
  id: string
  name: string
  returnOrigins: string[]
  personalIdentifierInCertificates: boolean
}

export type TenantInFull = {
  id: string
  name: string
  returnOrigins: string[]
  personalIdentifierInCertificates: boolean
  rootDepartmentId: string
  /** Of the root department, and so of every department that says nothing itself. */
  retentionDays: number | null
  /** In which pages and messages are written. */
  languages: string[]
}

export type User = {
  id: string
  role: string
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  externalReference: string | null
  language: string | null
  timezone: string | null
  departmentId: string
  isActive: boolean
  /** False until the invitation has been accepted. */
  hasPassword: boolean
  /** An authenticator app or a passkey. */
  hasSecondFactor: boolean
}

export type UserProfile = {
  id: string
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  departamentId: string
  externalReference: string | null
}

export type ValidatedCertificate = {
  subject: string
  issuer: string
  serialNumber: string
  notBefore: string
  notAfter: string
  sha256: string
}

export type ValidatedSignature = {
  kind: 'signature' | 'timestamp'
  fieldName: string
  indication: 'TOTAL-PASSED' | 'TOTAL-FAILED' | 'INDETERMINATE'
  /** Of EN 319 102-1, clause 5.1.3. */
  subIndication: string | null
  level: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA' | null
  /** The name in the certificate. */
  subject: string | null
  claimedTime: string | null
  provenTime: string | null
  coverage: {
    kind: 'whole-file' | 'revision' | 'none'
    revision: number | null
    end: number | null
  }
  changedAfterwards: 'no' | 'explained' | 'unexplained' | 'unknown'
  additions: AdditionAfterSignature[]
  /** Installation: issued by this service itself; of a timestamp, stamped by its own embedded authority. */
  chainEndsAt: 'Installation' | 'Trusted' | 'Unknown'
  certificates: ValidatedCertificate[]
  findings: ValidationFinding[]
}

export type ValidationFinding = {
  weight: 'failure' | 'doubt' | 'note'
  /** In plain English. */
  message: string
}

export type ValidationReport = {
  verdict: 'valid' | 'indeterminate' | 'invalid' | 'unsigned'
  validatedAt: string
  /** Of the file, in hexadecimal. */
  sha256: string
  sizeBytes: number
  revisions: number
  unreadable: 'encrypted' | 'damaged' | 'unsupported' | null
  evidence: {
    signatureRequestId: string
    /** This very file was sealed here for that request. */
    isSealedHere: boolean
  } | null
  signatures: ValidatedSignature[]
  timestamps: ValidatedSignature[]
  findings: ValidationFinding[]
}

/** A method for every operation of the service. */
export type Operations = {
  /** Read the overview. What waits, what went wrong, how deliveries, queues and outside services are, and when certificates end. What concerns the service itself is null for ordinary users. */
  readOverview(input?: Record<string, never>, options?: CallOptions): Promise<Overview>

  /** Cancel a signature request. A Draft, an Open request or one in Error. 204 where it was canceled already. */
  cancelSignatureRequest(input: {
    /** Id of the signature request. */
    id: string
  } & CancelSignatureRequestBody, options?: CallOptions): Promise<SignatureRequest | undefined>

  /** List signature requests, newest first. */
  listSignatureRequests(input?: {
    /** At most 10000; see GET /event. */
    skip?: number
    take?: number
    status?: 'Draft' | 'Open' | 'Processing' | 'Closed' | 'Canceled' | 'Error' | 'Archiving' | 'Archived' | 'ArchivingFailed'
    /** Requests of this department alone, without those below it. */
    departmentId?: string
    externalReference?: string
    /** Words of the subject, the reference, or a signatory’s name or e-mail; the last may be cut short. */
    search?: string
  }, options?: CallOptions): Promise<{
    total: number
    /** There are more than total; beyond that they are not counted. */
    totalIsCapped?: boolean
    items: SignatureRequest[]
  }>

  /** Read authentication choices. How signatories can be authenticated and reached in this installation, as it is configured. */
  readAuthenticationChoices(input?: Record<string, never>, options?: CallOptions): Promise<AuthenticationChoices>

  /** Read a signature request. */
  readSignatureRequest(input: {
    /** Id of the signature request. */
    id: string
  }, options?: CallOptions): Promise<SignatureRequest>

  /** Open a signature request. From Draft to Open. Each signatory has a personal link from then on. */
  openSignatureRequest(input: {
    /** Id of the signature request. */
    id: string
  }, options?: CallOptions): Promise<SignatureRequest>

  /** Remind signatories. Those who have been invited, each at most once an hour; the answer names whom. */
  remindSignatories(input: {
    /** Id of the signature request. */
    id: string
  }, options?: CallOptions): Promise<{
    /** Ids of signatories. */
    reminded: string[]
  }>

  /** Get a signatory’s link. For delivery by Link and for embedding. Whoever has it can act as the signatory; treat it as a secret. */
  getSignatoryLink(input: {
    /** Id of the signature request. */
    id: string
    /** Id of the signatory. */
    signatoryId: string
    /** Where the signatory goes afterwards: an address of one of the tenant’s returnOrigins. */
    returnUrl?: string
  }, options?: CallOptions): Promise<{
    url: string
  }>

  /** Retry a signature request. Seals a request that is in Error, or prepares one that is Open and could not be prepared. */
  retrySignatureRequest(input: {
    /** Id of the signature request. */
    id: string
  }, options?: CallOptions): Promise<SignatureRequest>

  /** Download evidence. A zip with all that is needed to verify the request offline. 204 before the request is Closed. */
  downloadEvidence(input: {
    /** Id of the signature request. */
    id: string
  }, options?: CallOptions): Promise<Response | undefined>

  /** Create a signature request. Everything is on disk before the answer is sent. */
  createSignatureRequest(input: CreateSignatureRequestBody, options?: CallOptions): Promise<{
    id: string
  }>

  /** Change a draft. Puts all of what is given in the place of what stood in the Draft, which keeps its id and its history; its people and documents get new ids. With the status Open it is opened as well. */
  changeDraft(input: {
    id: string
  } & ChangeDraftBody, options?: CallOptions): Promise<SignatureRequest>

  /** Read a user profile. */
  readUserProfile(input: {
    /** Id of the user. */
    id: string
  }, options?: CallOptions): Promise<UserProfile | undefined>

  /** List departments. */
  listDepartments(input?: {
    businessId?: string
    externalReference?: string
    /** At most 10000; see GET /event. */
    skip?: number
    take?: number
  }, options?: CallOptions): Promise<{
    total: number
    items: Department[]
  }>

  /** Create a department, with its users. */
  createDepartment(input: CreateDepartmentBody, options?: CallOptions): Promise<{
    id: string
    name: string
    shortName: string | null
    contactEmail: string | null
    businessId: string | null
    externalReference: string | null
    tenantId: string
    parentDepartmentId: string | null
    users: {
      id: string
      role: string
      firstName: string | null
      lastName: string | null
      email: string | null
      phone: string | null
      externalReference: string | null
      language: string | null
      timezone: string | null
    }[]
  }>

  /** Delete a department. With ForceDelete, everything below it and in it goes too; finished requests stay readable from above. */
  deleteDepartment(input: {
    /** Id of the department. */
    id: string
  } & DeleteDepartmentBody, options?: CallOptions): Promise<Department>

  /** Read a department. With how much lies in it and below it, for whoever is about to delete it. */
  readDepartment(input: {
    /** Id of the department. */
    id: string
  }, options?: CallOptions): Promise<{
    id: string
    name: string
    shortName: string | null
    contactEmail: string | null
    businessId: string | null
    externalReference: string | null
    tenantId: string
    parentDepartmentId: string | null
    subscriptionTier: string | null
    retentionDays: number | null
    /** What lies in it and below it: all that a forced deletion would reach. */
    contents: {
      departments: number
      users: number
      keys: number
      subscriptions: number
      templates: number
      certificates: number
      unfinishedSignatureRequests: number
      unfinishedSealingRequests: number
    }
  }>

  /** Change a department. An empty text empties a field. Everything below a moved department moves with it. */
  changeDepartment(input: {
    /** Id of the department. */
    id: string
  } & ChangeDepartmentBody, options?: CallOptions): Promise<{
    id: string
    name: string
    shortName: string | null
    contactEmail: string | null
    businessId: string | null
    externalReference: string | null
    tenantId: string
    parentDepartmentId: string | null
    subscriptionTier: string | null
    retentionDays: number | null
  }>

  /** Read the tenant. */
  readTenant(input?: Record<string, never>, options?: CallOptions): Promise<TenantInFull>

  /** Change the tenant. */
  changeTenant(input: ChangeTenantBody, options?: CallOptions): Promise<Tenant>

  /** List users. */
  listUsers(input?: {
    departmentId?: string
    email?: string
    /** Beginnings of words of the name or the e-mail address; each must be there. */
    search?: string
    /** At most 10000; see GET /event. */
    skip?: number
    take?: number
  }, options?: CallOptions): Promise<{
    total: number
    items: User[]
    /** There are more than total; beyond that they are not counted. */
    totalIsCapped?: boolean
  }>

  /** Create a user. */
  createUser(input: CreateUserBody, options?: CallOptions): Promise<User>

  /** Change a user. Changes the fields that are given; isActive deactivates the user or takes that back. */
  changeUser(input: {
    /** Id of the user. */
    id: string
  } & ChangeUserBody, options?: CallOptions): Promise<User>

  /** Create an invitation, or for a user with a password a reset. The token sets a password once, by POST /identity/password. An earlier one stops working. */
  createInvitation(input: {
    /** Id of the user. */
    id: string
  } & CreateInvitationBody, options?: CallOptions): Promise<Invitation>

  /** List subscription keys. With how often each was used, by days in UTC; the last minute of use may be missing. */
  listSubscriptionKeys(input?: {
    /** At most 10000; see GET /event. */
    skip?: number
    take?: number
  }, options?: CallOptions): Promise<{
    total: number
    items: {
      id: string
      name: string
      /** The key reaches this department and everything below it. */
      departmentId: string
      /** The user in whose name calls with the key alone act. */
      serviceUserId: string
      creationDate: string
      rotationDate: string | null
      lastUsedDate: string | null
      callsToday: number
      callsLast30Days: number
    }[]
  }>

  /** Create a subscription key. The two values are shown this once. */
  createSubscriptionKey(input: CreateSubscriptionKeyBody, options?: CallOptions): Promise<{
    id: string
    name: string
    /** The key reaches this department and everything below it. */
    departmentId: string
    /** The user in whose name calls with the key alone act. */
    serviceUserId: string
    creationDate: string
    rotationDate: string | null
    lastUsedDate: string | null
    primaryKey: string
    secondaryKey: string
  }>

  /** Rotate a subscription key. Replaces one of its two values. The new value is shown this once; the other value goes on working. */
  rotateSubscriptionKey(input: {
    /** Id of the subscription key. */
    id: string
  } & RotateSubscriptionKeyBody, options?: CallOptions): Promise<{
    id: string
    name: string
    /** The key reaches this department and everything below it. */
    departmentId: string
    /** The user in whose name calls with the key alone act. */
    serviceUserId: string
    creationDate: string
    rotationDate: string | null
    lastUsedDate: string | null
    primaryKey?: string
    secondaryKey?: string
  }>

  /** Revoke a subscription key. */
  revokeSubscriptionKey(input: {
    /** Id of the subscription key. */
    id: string
  }, options?: CallOptions): Promise<SubscriptionKey>

  /** Log in. Exchanges login and password for a token. 204 where the pair matches no active user of the key’s tenant. */
  logIn(input: LogInBody, options?: CallOptions): Promise<{
    token: string
  } | undefined>

  /** Set a password, with an invitation or a reset. */
  setPassword(input: SetPasswordBody, options?: CallOptions): Promise<undefined>

  /** Log out. Ends this token or session, or all of the user’s. */
  logOut(input?: LogOutBody, options?: CallOptions): Promise<undefined>

  /** Read the caller. The user behind the token, and the department that it acts for. */
  readCaller(input?: Record<string, never>, options?: CallOptions): Promise<Me>

  /** List own departments. The names of the departments that the caller acts for: the caller’s own and everything below it. */
  listOwnDepartments(input?: {
    /** At most 10000; see GET /event. */
    skip?: number
    take?: number
  }, options?: CallOptions): Promise<{
    total: number
    items: OwnDepartment[]
  }>

  /** List token keys. The public keys with which tokens of this service are verified. */
  listTokenKeys(input?: Record<string, never>, options?: CallOptions): Promise<{
    keys: {
      kty: string
      crv: string
      x: string
      y: string
      kid: string
      alg: string
      use: string
    }[]
  }>

  /** List sessions. The browsers in which you are signed in to the console. */
  listSessions(input?: Record<string, never>, options?: CallOptions): Promise<{
    total: number
    items: {
      id: string
      /** What the browser calls itself. */
      agent: string
      /** The session of this very call. */
      isThisOne: boolean
      creationDate: string
      lastSeenDate: string
      expirationDate: string
    }[]
  }>

  /** Sign in. Opens a session by cookie, which stands in for key and token on every operation. Needs the header X-Countersign-Console: 1 and the Origin of this service, as every later call with the cookie. */
  signIn(input: SignInBody, options?: CallOptions): Promise<{
    state: 'SignedIn' | 'ChooseTenant' | 'CodeNeeded'
    tenants: {
      id: string
      name: string
    }[] | null
    /** What can be shown beside the password. */
    factors: ('App' | 'Passkey' | 'RecoveryCode')[] | null
    passkey: PasskeyRequest | null
  }>

  /** End a session. Signs one of your browsers out of the console. */
  endSession(input: {
    /** Id of the session. */
    id: string
  }, options?: CallOptions): Promise<undefined>

  /** Set a password by a link. With the token of an invitation or a reset, which also tells the tenant. Needs the header X-Countersign-Console: 1 and the Origin of this service. */
  setPasswordByLink(input: SetPasswordByLinkBody, options?: CallOptions): Promise<undefined>

  /** Change password. Ends every token and session of yours; a browser that is signed in gets a new one. */
  changePassword(input: ChangePasswordBody, options?: CallOptions): Promise<undefined>

  /** Ask for a new password. Sends a link to whoever has this login; the answer is the same for everybody. Needs the header X-Countersign-Console: 1 and the Origin of this service. */
  askForNewPassword(input: AskForNewPasswordBody, options?: CallOptions): Promise<undefined>

  /** Remove second factors of a user. For whoever has lost them: the authenticator app, every passkey and the recovery codes. The user is signed out everywhere; the password alone is enough until another factor is added. */
  removeSecondFactorsOfUser(input: {
    /** Id of the user. */
    id: string
  }, options?: CallOptions): Promise<undefined>

  /** Read second factor. */
  readSecondFactor(input?: Record<string, never>, options?: CallOptions): Promise<{
    /** Whether anything is asked for beside the password. */
    isOn: boolean
    /** Since when there is an authenticator app. */
    appSinceDate: string | null
    passkeys: Passkey[]
    recoveryCodesLeft: number
  }>

  /** Add an authenticator app. Answers with the secret for the app; it counts once its first code has been confirmed. */
  addAuthenticatorApp(input: AddAuthenticatorAppBody, options?: CallOptions): Promise<{
    /** In Base32, to be typed into an app. */
    secret: string
    /** An otpauth address, to be shown as a QR code. */
    uri: string
  }>

  /** Remove the authenticator app. */
  removeAuthenticatorApp(input: RemoveAuthenticatorAppBody, options?: CallOptions): Promise<undefined>

  /** Confirm an authenticator app. Turns the app on, and answers with the recovery codes, this once. */
  confirmAuthenticatorApp(input: ConfirmAuthenticatorAppBody, options?: CallOptions): Promise<{
    /** Each good for one sign-in without app and passkey. Null where there were some already. */
    recoveryCodes: string[] | null
  }>

  /** Ask for a new passkey. Answers with what navigator.credentials.create needs (PublicKeyCredential.parseCreationOptionsFromJSON). It is good for five minutes, once, and in this session alone. */
  askForNewPasskey(input: AskForNewPasskeyBody, options?: CallOptions): Promise<PasskeyOffer>

  /** Add a passkey. With what the browser answered. The first second factor comes with recovery codes, shown this once. */
  addPasskey(input: AddPasskeyBody, options?: CallOptions): Promise<{
    /** Each good for one sign-in without app and passkey. Null where there were some already. */
    recoveryCodes: string[] | null
  }>

  /** Remove a passkey. */
  removePasskey(input: {
    /** Id of the passkey. */
    id: string
  } & RemovePasskeyBody, options?: CallOptions): Promise<undefined>

  /** List messages, newest first. What became of each message, without what it says. */
  listMessages(input?: {
    state?: 'waiting' | 'sent' | 'failed' | 'outbox' | 'dropped'
    /** Only messages about this signature request. */
    signatureRequestId?: string
    /** The id of the last message that was read; the answer begins behind it. */
    before?: string
    take?: number
  }, options?: CallOptions): Promise<{
    /** For which channels a gateway is configured. Messages of the others stay in the outbox. */
    gateways: {
      email: boolean
      sms: boolean
    }
    items: MessageSummary[]
  }>

  /** Read a message, of the outbox. With its link or code. Only while no gateway is configured for its channel; each reading is an event in the history of the signature request. */
  readMessage(input: {
    /** Id of the message. */
    messageId: string
  }, options?: CallOptions): Promise<Message>

  /** List activity, newest first. Who did what: keys, users, departments, certificates, templates, subscriptions, messages that were viewed, and sign-ins. What happens to a request stands in its history. */
  listActivity(input?: {
    /** Only what was done in this department. */
    departmentId?: string
    /** Only what this user did, or the service user of a key. */
    actorId?: string
    targetType?: 'tenant' | 'department' | 'user' | 'subscriptionkey' | 'certificate' | 'documenttemplate' | 'requesttemplate' | 'subscription' | 'message'
    /** Only what was done to this thing. */
    targetId?: string
    from?: string
    to?: string
    /** The id of the last row that was read; the answer begins behind it. */
    before?: string
    take?: number
  }, options?: CallOptions): Promise<{
    items: Activity[]
  }>

  /** Download a stored document. Answers with the bytes and their own content type, also in parts (Range). With base64=true: their Base64 as text, or for Accept: application/json as an object. */
  downloadStoredDocument(input: {
    /** The uri of a stored document, as a documentURI names it. */
    uri: string
    /** Answers with the document as Base64. */
    base64?: boolean
  }, options?: CallOptions): Promise<Response | undefined>

  /** Upload a document. */
  uploadDocument(input: {
    content: Content
    /** Without path separators and control characters. */
    fileName?: string
  }, options?: CallOptions): Promise<StoredDocument>

  /** Validate the signatures of a PDF. The body is the PDF itself, as large as a document may be and what its signatures take. Nothing is stored. Trusted are the authorities of this installation, those of the certificates that the tenant has imported, and those that the operator has named. */
  validateSignaturesOfPdf(input: {
    content: Content
  }, options?: CallOptions): Promise<ValidationReport>

  /** Judge a PDF for the verification page. For anybody, with a bound on how often. Nothing is stored. */
  judgePdfForVerificationPage(input: {
    content: Content
    /** The last part of the link on an evidence page: was the file sealed for that? */
    evidence?: string
  }, options?: CallOptions): Promise<ValidationReport>

  /** List document templates. */
  listDocumentTemplates(input?: {
    DepartmentId?: string
    /** At most 10000; see GET /event. */
    Skip?: number
    Take?: number
  }, options?: CallOptions): Promise<{
    total: number
    items: DocumentTemplate[]
  }>

  /** Create a document template. */
  createDocumentTemplate(input: CreateDocumentTemplateBody, options?: CallOptions): Promise<DocumentTemplate>

  /** Change a document template. */
  changeDocumentTemplate(input: {
    /** Id of the template. */
    id: string
  } & ChangeDocumentTemplateBody, options?: CallOptions): Promise<DocumentTemplate>

  /** Delete a document template. */
  deleteDocumentTemplate(input: {
    /** Id of the template. */
    id: string
  }, options?: CallOptions): Promise<DocumentTemplate>

  /** List request templates. */
  listRequestTemplates(input?: {
    kind?: 'signature' | 'sealing'
    departmentId?: string
    /** At most 10000; see GET /event. */
    skip?: number
    take?: number
  }, options?: CallOptions): Promise<{
    total: number
    items: RequestTemplate[]
  }>

  /** Create a request template. */
  createRequestTemplate(input: CreateRequestTemplateBody, options?: CallOptions): Promise<RequestTemplate>

  /** Read a request template. */
  readRequestTemplate(input: {
    /** Id of the template. */
    id: string
  }, options?: CallOptions): Promise<RequestTemplate>

  /** Change a request template. */
  changeRequestTemplate(input: {
    /** Id of the template. */
    id: string
  } & ChangeRequestTemplateBody, options?: CallOptions): Promise<RequestTemplate>

  /** Delete a request template. */
  deleteRequestTemplate(input: {
    /** Id of the template. */
    id: string
  }, options?: CallOptions): Promise<RequestTemplate>

  /** Change metadata. Adds and overwrites the keys named and leaves the others; a null value removes its key. */
  changeMetadata(input: {
    /** One of SignatureRequest, Signee, Document, Archive, in any case. */
    entityType: string
    /** A signature request, a signatory, a document, or an archived signature request. */
    entityId: string
  } & ChangeMetadataBody, options?: CallOptions): Promise<{
    key: string
    entityId: string
    entityType: 'SignatureRequest' | 'Signee' | 'Document' | 'Archive'
    referenceId: string | null
    value: string | null
    total: number
    items: MetadataEntry[]
  }>

  /** Read metadata. */
  readMetadata(input: {
    /** One of SignatureRequest, Signee, Document, Archive, in any case. */
    entityType: string
    /** A signature request, a signatory, a document, or an archived signature request. */
    entityId: string
  }, options?: CallOptions): Promise<{
    total: number
    items: MetadataEntry[]
  }>

  /** Add a document to a sealing request. */
  addDocumentToSealingRequest(input: {
    /** Id of the sealing request. */
    sealingRequestId: string
  } & AddDocumentToSealingRequestBody, options?: CallOptions): Promise<SealingDocument>

  /** List the documents of a sealing request. */
  listDocumentsOfSealingRequest(input: {
    /** Id of the sealing request. */
    sealingRequestId: string
  }, options?: CallOptions): Promise<{
    total: number
    items: SealingDocument[]
  }>

  /** Remove a document from a sealing request. */
  removeDocumentFromSealingRequest(input: {
    sealingRequestId: string
    documentId: string
  }, options?: CallOptions): Promise<SealingDocument>

  /** Create or change a sealing request. An id that is not known yet creates the request, as a Draft unless told otherwise; a known one changes the fields that are given. If-Match with an ETag of an earlier answer refuses a change of anything newer. */
  createOrChangeSealingRequest(input: {
    /** Id of the sealing request. */
    sealingRequestId: string
  } & CreateOrChangeSealingRequestBody, options?: CallOptions): Promise<SealingRequest>

  /** Read a sealing request. */
  readSealingRequest(input: {
    /** Id of the sealing request. */
    sealingRequestId: string
  }, options?: CallOptions): Promise<SealingRequest>

  /** List sealing requests, newest first. */
  listSealingRequests(input?: {
    /** At most 10000; see GET /event. */
    skip?: number
    take?: number
    status?: 'Draft' | 'Open' | 'Closed' | 'Canceled' | 'Canceling' | 'Error' | 'Unknown' | 'Processing' | 'Processed' | 'Archiving' | 'Archived' | 'ArchivingFailed'
    departmentId?: string
    externalReference?: string
  }, options?: CallOptions): Promise<{
    total: number
    /** True where there are more than total says. */
    totalIsCapped?: boolean
    items: SealingRequest[]
  }>

  /** Create a sealing request. Its id is made by the service. */
  createSealingRequest(input: CreateSealingRequestBody, options?: CallOptions): Promise<SealingRequest>

  /** Read the authorities, above every certificate. The chain that certificates are issued under, and the authority that stamps times, with their ends. */
  readAuthorities(input?: Record<string, never>, options?: CallOptions): Promise<{
    /** The tenant’s own; the first issues. Empty until the worker made it. */
    issuing: Authority[]
    /** Of this installation, above every tenant’s. */
    root: Authority[]
    timestamp: {
      origin: 'own' | 'outside'
      /** Of an outside authority. */
      host: string | null
      /** Of our own authority; the first stamps. */
      certificates: Authority[]
    }
  }>

  /** List seal certificates, newest first. */
  listSealCertificates(input?: {
    /** Only the certificates of this department. */
    departmentId?: string
  }, options?: CallOptions): Promise<{
    total: number
    items: SealCertificate[]
  }>

  /** Create a seal certificate. Exactly one of pkcs12, pem, remoteKey and generate. The certificate is Pending until it has been checked, then Active, or Failed with a reason; an Active one takes the place of the department’s earlier one. */
  createSealCertificate(input: CreateSealCertificateBody, options?: CallOptions): Promise<SealCertificate>

  /** Revoke a seal certificate. Nothing is sealed with it any more. What has been sealed stays valid by its timestamps. */
  revokeSealCertificate(input: {
    /** Id of the seal certificate. */
    id: string
  }, options?: CallOptions): Promise<SealCertificate>

  /** Download an authority’s certificate. */
  downloadAuthorityCertificate(input: {
    keyId: string
  }, options?: CallOptions): Promise<Response | undefined>

  /** Download an authority’s revocation list. */
  downloadAuthorityRevocationList(input: {
    keyId: string
  }, options?: CallOptions): Promise<Response | undefined>

  /** Check a certificate’s status, by OCSP. RFC 6960: whether a certificate of this installation is good. */
  checkCertificateStatus(input: {
    content: Content
    keyId: string
  }, options?: CallOptions): Promise<Response>

  /** Check a certificate’s status by GET. RFC 6960 appendix A.1: the request encoded as Base64 in the path. */
  checkCertificateStatusByGet(input: {
    keyId: string
    request: string
  }, options?: CallOptions): Promise<Response>

  /** List supported hooks. The kinds of event that can be subscribed to, each with the fields of its deliveries. */
  listSupportedHooks(input?: Record<string, never>, options?: CallOptions): Promise<{
    eventType: string
    description: string
    /** The fields of a delivery, each with its type. */
    payloadSchema: {
      EventType: string
      Timestamp: string
      EventData: Record<string, string>
    }
  }[]>

  /** Create a subscription. Has events of one kind delivered to an address. Names may be written with an initial capital. The secret is answered with this once. */
  createSubscription(input: CreateSubscriptionBody, options?: CallOptions): Promise<{
    id: string
    /** Verifies the signature of deliveries. Shown this once. */
    secret: string
  }>

  /** List subscriptions, newest first. */
  listSubscriptions(input?: {
    /** At most 10000; see GET /event. */
    skip?: number
    take?: number
  }, options?: CallOptions): Promise<{
    total: number
    items: Subscription[]
  }>

  /** Read a subscription. */
  readSubscription(input: {
    subscriptionId: string
    eventType?: string
  }, options?: CallOptions): Promise<Subscription>

  /** Delete a subscription. */
  deleteSubscription(input: {
    subscriptionId: string
    eventType?: string
  }, options?: CallOptions): Promise<undefined>

  /** List waiting events, oldest first. Events that have not been handed to the subscriptions yet. */
  listWaitingEvents(input?: {
    /** The id of the last event that was read; the answer begins behind it. */
    after?: string
    take?: number
  }, options?: CallOptions): Promise<{
    items: {
      id: string
      eventType: string
      timestamp: string
      requestId: string
    }[]
  }>

  /** List deliveries, newest first, with every try. What was and what will be delivered. */
  listDeliveries(input: {
    subscriptionId: string
    /** At most 10000; see GET /event. */
    skip?: number
    take?: number
    state?: 'waiting' | 'delivered' | 'parked'
  }, options?: CallOptions): Promise<{
    total: number
    /** True where there are more than 1,000. */
    totalIsCapped: boolean
    closedUntil: string | null
    failingSince: string | null
    items: Delivery[]
  }>

  /** Replay a delivery. Sends it again, under the same id. */
  replayDelivery(input: {
    subscriptionId: string
    deliveryId: string
  }, options?: CallOptions): Promise<{
    /** Of the delivery. */
    id: string
  }>

  /** Replay deliveries, of a span of time. What did not arrive, also what happened while the subscription was disabled. Without `to`: until now. */
  replayDeliveries(input: {
    subscriptionId: string
  } & ReplayDeliveriesBody, options?: CallOptions): Promise<undefined>

  /** Test a subscription. Sends a made-up event of its kind at once, even where it is paused or disabled. */
  testSubscription(input: {
    subscriptionId: string
  }, options?: CallOptions): Promise<{
    /** Of the delivery. */
    id: string
  }>

  /** Pause a subscription. Nothing is sent any more; what happens is collected. */
  pauseSubscription(input: {
    subscriptionId: string
  }, options?: CallOptions): Promise<Subscription>

  /** Resume a subscription. Sends again after a pause, or after the service disabled it: first what was collected. */
  resumeSubscription(input: {
    subscriptionId: string
  }, options?: CallOptions): Promise<Subscription>

  /** Rotate a subscription’s secret. The new one is answered with this once. For a day deliveries are signed with both. */
  rotateSubscriptionSecret(input: {
    subscriptionId: string
  }, options?: CallOptions): Promise<{
    /** Shown this once. */
    secret: string
    previousSecretUntil: string
  }>

  /** Follow events, page by page. Everything within reach, oldest first. Every page has a cursor; asking after it gives what came since, and misses nothing however late it was committed. The order never changes. */
  followEvents(input?: {
    /** The cursor of a page before, or `now` for what happens from now on. */
    after?: string
    pageSize?: number
  }, options?: CallOptions): Promise<FeedPage>

  /** Stream events. Everything within reach as it happens, as server-sent events: each has the cursor as its id and an item of `GET /event` as its data. Begins after the cursor in `Last-Event-ID` or `after`, without one with what happens from now on. */
  streamEvents(input?: {
    /** The cursor of a page before, or `now` for what happens from now on. */
    after?: string
  }, options?: CallOptions): Promise<Response>

  /** Read a signature request’s history. Oldest first. Pages joined together can be verified offline: countersign history verify FILE. */
  readSignatureRequestHistory(input: {
    /** Id of the signature request. */
    signatureRequestId: string
    pageSize?: number
    /** Of the page before. */
    continuationToken?: string
  }, options?: CallOptions): Promise<HistoryPage>

  /** List history keys. The public keys with which the heads of histories are verified. */
  listHistoryKeys(input?: Record<string, never>, options?: CallOptions): Promise<{
    keys: {
      kty: string
      crv: string
      x: string
      kid: string
      use: string
      alg: string
    }[]
  }>

  /** Prove a history. The whole history of a request, the place of each event in the log, and the signed, timestamped checkpoint that covers them. Verify it offline: countersign history verify FILE. */
  proveHistory(input: {
    /** Id of the signature request. */
    signatureRequestId: string
  }, options?: CallOptions): Promise<HistoryProof>

  /** Prove a sealing request’s history. The whole history of a request, the place of each event in the log, and the signed, timestamped checkpoint that covers them. Verify it offline: countersign history verify FILE. */
  proveSealingRequestHistory(input: {
    /** Id of the sealing request. */
    sealingRequestId: string
  }, options?: CallOptions): Promise<HistoryProof>

  /** Verify a history. Checks the history as it is stored now: chain, signatures, places in the log, timestamp. */
  verifyHistory(input: {
    /** Id of the signature request. */
    signatureRequestId: string
  }, options?: CallOptions): Promise<HistoryVerification>

  /** Verify a sealing request’s history. Checks the history as it is stored now: chain, signatures, places in the log, timestamp. */
  verifySealingRequestHistory(input: {
    /** Id of the sealing request. */
    sealingRequestId: string
  }, options?: CallOptions): Promise<HistoryVerification>

  /** Get the log checkpoint. The newest size and root of the log over the events of all tenants, signed (C2SP tlog-checkpoint). */
  getLogCheckpoint(input?: Record<string, never>, options?: CallOptions): Promise<Response | undefined>

  /** Get the log keys. The public keys with which checkpoints are verified, the present one first. */
  getLogKeys(input?: Record<string, never>, options?: CallOptions): Promise<Response>

  /** Get a tile. Up to 256 hashes of the log, addressed as in C2SP tlog-tiles: /log/tile/0/x001/x234/067, or with .p/17 behind it for the first 17 hashes of a tile that is not full. */
  getTile(input: {
    /** Level of the tile, from 0. */
    level: string
    /** A part of the tile’s number or width. */
    a: string
  }, options?: CallOptions): Promise<Response>

  /** Get a tile by two parts. Up to 256 hashes of the log, addressed as in C2SP tlog-tiles: /log/tile/0/x001/x234/067, or with .p/17 behind it for the first 17 hashes of a tile that is not full. */
  getTileByTwoParts(input: {
    /** Level of the tile, from 0. */
    level: string
    /** A part of the tile’s number or width. */
    a: string
    /** A part of the tile’s number or width. */
    b: string
  }, options?: CallOptions): Promise<Response>

  /** Get a tile by three parts. Up to 256 hashes of the log, addressed as in C2SP tlog-tiles: /log/tile/0/x001/x234/067, or with .p/17 behind it for the first 17 hashes of a tile that is not full. */
  getTileByThreeParts(input: {
    /** Level of the tile, from 0. */
    level: string
    /** A part of the tile’s number or width. */
    a: string
    /** A part of the tile’s number or width. */
    b: string
    /** A part of the tile’s number or width. */
    c: string
  }, options?: CallOptions): Promise<Response>

  /** Get a tile by four parts. Up to 256 hashes of the log, addressed as in C2SP tlog-tiles: /log/tile/0/x001/x234/067, or with .p/17 behind it for the first 17 hashes of a tile that is not full. */
  getTileByFourParts(input: {
    /** Level of the tile, from 0. */
    level: string
    /** A part of the tile’s number or width. */
    a: string
    /** A part of the tile’s number or width. */
    b: string
    /** A part of the tile’s number or width. */
    c: string
    /** A part of the tile’s number or width. */
    d: string
  }, options?: CallOptions): Promise<Response>

  /** Set an archiving status. Reports how the archiving of a signature request stands. */
  setArchivingStatus(input: {
    /** Id of the signature request. */
    id: string
  } & SetArchivingStatusBody, options?: CallOptions): Promise<undefined>

  /** List renewals, the next one first. When each signed, sealed or evidence file is stamped anew, so that it can still be proven after the certificate behind its newest timestamp has ended. */
  listRenewals(input?: {
    /** Only files of this department. */
    departmentId?: string
    /** Only those that are due from this moment on. */
    from?: string
    take?: number
  }, options?: CallOptions): Promise<{
    items: Renewal[]
  }>

  /** Erase a person. Erases a signatory from every finished request within reach: name, addresses, identifier, drawn mark, metadata, and what the history told about the person. Histories still verify. Signed files and evidence stay until their request is deleted. */
  erasePerson(input: ErasePersonBody, options?: CallOptions): Promise<{
    /** How many signatories. */
    erased: number
    /** The requests in which the person was erased. */
    requestIds: string[]
    /** Requests that are still on their way, where nothing was erased. Cancel them first, or wait. */
    runningRequestIds: string[]
  }>

  /** Exchange a personal link for a session. Needs the header X-Countersign-Sign: 1 and the Origin of this service, as every POST here. */
  exchangePersonalLinkForSession(input: ExchangePersonalLinkForSessionBody, options?: CallOptions): Promise<undefined>

  /** Report a message as unwanted. For whoever does not know the sender. Works with every link that was ever sent, once; no more messages about the request follow. */
  reportMessageAsUnwanted(input: ReportMessageAsUnwantedBody, options?: CallOptions): Promise<undefined>

  /** Read the signing page. What this signatory may see of the request, and what remains to be done. */
  readSigningPage(input?: Record<string, never>, options?: CallOptions): Promise<SigningPage>

  /** Send a one-time code. */
  sendOneTimeCode(input: SendOneTimeCodeBody, options?: CallOptions): Promise<{
    channel: 'email' | 'sms'
    /** The address, mostly hidden. */
    sentTo: string
    expiresAt: string
    codesLeft: number
  }>

  /** Enter a one-time code. */
  enterOneTimeCode(input: EnterOneTimeCodeBody, options?: CallOptions): Promise<undefined>

  /** Go to the identity provider. */
  goToIdentityProvider(input: GoToIdentityProviderBody, options?: CallOptions): Promise<{
    /** Where the browser has to go; it comes back by itself. */
    redirectTo: string
  }>

  /** Read a document to sign. */
  readDocumentToSign(input: {
    /** Id of the document. */
    id: string
    /** In hexadecimal. */
    sha256?: string
    /** Sends it as an attachment. */
    download?: boolean
  }, options?: CallOptions): Promise<Response>

  /** Report a viewing. Says that the documents are open in front of the signatory. */
  reportViewing(input?: Record<string, never>, options?: CallOptions): Promise<undefined>

  /** Sign the documents. The hashes are those of the documents as the page showed them; all documents of the request. */
  signDocuments(input: SignDocumentsBody, options?: CallOptions): Promise<undefined>

  /** Decline to sign. */
  declineToSign(input: DeclineToSignBody, options?: CallOptions): Promise<undefined>

  /** Choose a language, for pages and messages. */
  chooseLanguage(input: ChooseLanguageBody, options?: CallOptions): Promise<undefined>
}
