// The rows that the invariants look at, as the database has them.

type Of = { tenant_id: string }
type Named = Of & { id: string }

export type RequestRow = Named & {
  department_id: string
  status: string
  external_reference: string | null
  finished_at: Date | null
  evidence_document_id: string | null
}
export type SealingRow = Named & {
  department_id: string
  status: string
  external_reference: string | null
  version: number
  subject: string | null
}
export type SignatoryRow = Named & {
  request_id: string
  position: number
  state: string
  signing_order: number
  is_mandatory: boolean
  email: string | null
  signed_at: Date | null
}
export type EventRow = Named & {
  request_id: string
  request_kind: string
  sequence: number
  type: string
  at: Date
  signatory_id: string | null
  department_id: string
  department_path: string[]
  body_hash: Buffer
  previous_hash: Buffer
  hash: Buffer
}
export type DeliveryRow = Named & {
  subscription_id: string
  request_id: string
  payload: string
  is_test: boolean
  state: string
  tries: number
  due_at: Date | null
  created_at: Date
}
export type SubscriptionRow = Named & {
  event_type: string
  uri: string
  description: string | null
  department_id: string
  subdepartments: boolean
  state: string
  created_at: Date
  deleted_at: Date | null
}
export type IntentRow = Named & {
  request_id: string
  document_id: string | null
  signatory_id: string | null
  certificate: Buffer
  digest: Buffer
  state: string
  created_at: Date
}

export type Rows = {
  tenant: { id: string; name: string }[]
  department: (Named & { name: string; external_reference: string | null; deleted_at: Date | null })[]
  app_user: (Named & { email: string | null; first_name: string | null })[]
  subscription_key: (Named & { name: string; revoked_at: Date | null })[]
  stored_document: (Named & { sha256: Buffer; size_bytes: string; file_name: string })[]
  document_template: (Named & { name: string; deleted_at: Date | null })[]
  request_template: (Named & { name: string; deleted_at: Date | null })[]
  metadata: (Of & { id: string; entity_id: string; key: string; value: string })[]
  certificate: (Named & { kind: string; state: string; certificate: Buffer | null })[]
  signature_request: RequestRow[]
  signatory: SignatoryRow[]
  signature_document: (Named & {
    request_id: string
    source_document_id: string
    document_id: string
    sha256: Buffer
    level_reached: string | null
  })[]
  signature_revision: (Of & {
    document_id: string
    number: number
    kind: string
    stored_document_id: string
    sha256: Buffer
    size_bytes: string
  })[]
  signature_confirmation: (Of & {
    signatory_id: string
    request_id: string
    documents: { id: string; sha256: string }[]
    confirmed_at: Date
  })[]
  signature_intent: IntentRow[]
  sealing_request: SealingRow[]
  sealing_document: (Named & {
    request_id: string
    document_id: string
    source_document_id: string
    sealed_document_id: string | null
  })[]
  request_count: (Of & { kind: string; department_id: string; status: string; amount: string })[]
  invitation_count: (Of & { day: Date; amount: number })[]
  event_chain: (Of & { request_id: string; request_kind: string; last_sequence: number; last_hash: Buffer })[]
  event: EventRow[]
  event_body: (Of & { event_id: string; salt: Buffer; body: Buffer })[]
  outbox: Named[]
  event_feed: (Of & { position: string; event_id: string })[]
  log_entry: (Of & { position: string; event_id: string; request_id: string; sequence: number })[]
  log_queue: (Of & { event_id: string })[]
  hook_subscription: SubscriptionRow[]
  hook_delivery: DeliveryRow[]
  hook_attempt: (Of & { subscription_id: string; delivery_id: string; number: number; status: number | null })[]
  message: (Named & {
    kind: string
    channel: string
    request_id: string | null
    signatory_id: string | null
    state: string
    attempts: number
    recipient: string | null
    message_id: string | null
    created_at: Date
  })[]
  signer_code: (Named & { signatory_id: string; tries: number; used_at: Date | null })[]
  signer_attempt: (Of & { signatory_id: string; tries: number })[]
  credential: { kind: string; tenant_id: string; ref_id: string }[]
  job: (Named & { queue: string; state: string; run_at: Date; attempt: number; last_error: string | null })[]
}

/** Metadata has no id: its entity and key stand for one. */
const COLUMNS: Partial<Record<keyof Rows, string>> = { metadata: `*, entity_id::text || ' ' || key as id` }

export const TABLES: readonly (keyof Rows)[] = [
  'tenant',
  'department',
  'app_user',
  'subscription_key',
  'stored_document',
  'document_template',
  'request_template',
  'metadata',
  'certificate',
  'signature_request',
  'signatory',
  'signature_document',
  'signature_revision',
  'signature_confirmation',
  'signature_intent',
  'sealing_request',
  'sealing_document',
  'request_count',
  'invitation_count',
  'event_chain',
  'event',
  'event_body',
  'outbox',
  'event_feed',
  'log_entry',
  'log_queue',
  'hook_subscription',
  'hook_delivery',
  'hook_attempt',
  'message',
  'signer_code',
  'signer_attempt',
  'credential',
  'job',
]

type Query = (sql: string) => Promise<{ rows: unknown[] }>

/** All rows, as of one moment: the connection must be in a repeatable read transaction. */
export async function readRows(query: Query): Promise<Rows> {
  const read: Record<string, unknown[]> = {}
  for (const table of TABLES) read[table] = (await query(`select ${COLUMNS[table] ?? '*'} from ${table}`)).rows
  return read as Rows
}
