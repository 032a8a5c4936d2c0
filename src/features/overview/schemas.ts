import { DateTime, Int32, Named, Nullable, Type, Uuid, Words } from '#platform/http/schema.ts'

const Amount = (description: string) => Type.Integer({ format: 'int32', minimum: 0, description })

export const SERVICE_STATES = ['Working', 'Failing', 'NotConfigured'] as const

const ServiceHealth = Named('ServiceHealth', {
  name: Words(['mail', 'sms', 'timestamps', 'log', 'identityprovider', 'storage']),
  state: Words(SERVICE_STATES),
  detail: Nullable(Type.String({ description: 'What it said when it last failed, or which one it is.' })),
  sinceDate: Nullable(DateTime()),
})

const CertificateInUse = Named('CertificateInUse', {
  kind: Words(['root', 'timestamp', 'responder', 'issuing', 'seal', 'signatory']),
  subject: Type.String(),
  departmentId: Nullable(Uuid('Whose seal it is.')),
  expirationDate: DateTime(),
  renewsItself: Type.Boolean({ description: 'False for what was imported: a person has to bring the next one.' }),
})

export const OverviewBody = Named('Overview', {
  signatureRequests: Type.Object({
    draft: Int32(),
    open: Int32(),
    processing: Int32(),
    error: Int32(),
    archivingFailed: Int32(),
  }),
  sealingRequests: Type.Object({ error: Int32() }),
  invitations: Nullable(
    Type.Object({
      today: Amount('People whom the organisation has invited or reminded today, in UTC.'),
      perDay: Nullable(Amount('As many as it may; null where there is no limit.')),
      refusedDate: Nullable(DateTime('When more were refused today for the first time.')),
    }),
  ),
  reports: Nullable(
    Type.Object({
      amount: Amount('People who reported a message as unwanted within the last seven days; at most 1000.'),
      latestRequestId: Nullable(Uuid('The signature request of the newest report.')),
    }),
  ),
  messages: Nullable(
    Type.Object({
      failed: Amount('Among the newest thousand.'),
      outbox: Amount('Waiting to be read by an administrator, because nothing sends them; at most 1000.'),
    }),
  ),
  webhooks: Nullable(
    Type.Object({
      active: Int32(),
      paused: Int32(),
      disabled: Int32(),
      failing: Amount('Of the active ones: nothing but failures at the moment.'),
    }),
  ),
  jobs: Nullable(
    Type.Object({
      due: Amount('At most 1000.'),
      dead: Amount('Given up; at most 1000.'),
      lagSeconds: Amount('How long the oldest of what is due has waited.'),
    }),
  ),
  services: Nullable(Type.Array(ServiceHealth)),
  certificates: Nullable(Type.Array(CertificateInUse)),
})
