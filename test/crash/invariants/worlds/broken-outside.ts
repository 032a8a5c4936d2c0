// Worlds in which others were told something wrong, or something is left over.
import type { World } from '../../world.ts'
import { at, event, received, T, type Broken } from './small-world.ts'

export const SUBSCRIPTION = {
  id: 'h1',
  event_type: 'signatorysigned',
  uri: 'https://localhost/hook/mark',
  state: 'active',
  deleted_at: null,
  created_at: at(0),
}

export const mailOf = (id: string, { isTaken = true, second = 0 } = {}) =>
  ({
    to: ['a@example.com'],
    headers: { 'message-id': [`<${id}@example.com>`] },
    isTaken,
    at: at(second).getTime(),
  }) as unknown as World['mails'][number]
const SENT = { id: 'm', kind: 'invitation', channel: 'email', state: 'sent', message_id: '<m@example.com>' }

/** Of a request that ended a second after the message was made. */
export const REMINDED = {
  rows: {
    signature_request: [{ id: 'r1', status: 'Canceled', finished_at: at(1) }],
    message: [{ id: 'm', kind: 'reminder', request_id: 'r1', created_at: at(0), state: 'sent' }],
  },
}

export const BROKEN_OUTSIDE: Broken = {
  'every-event-is-handed-out': {
    'an event that is nowhere': { rows: { event: [event(1, 'signatorysigned')] } },
    'one that is in the feed and waits': {
      rows: { event: [event(1, 'signatorysigned')], event_feed: [{ event_id: 'e1' }], outbox: [{ id: 'e1' }] },
    },
    'one that is in the feed twice': {
      rows: { event: [event(1, 'signatorysigned')], event_feed: [{ event_id: 'e1' }, { event_id: 'e1' }] },
    },
    'one that a subscription did not get': {
      rows: {
        event: [event(1, 'signatorysigned')],
        event_feed: [{ event_id: 'e1' }],
        hook_subscription: [SUBSCRIPTION],
      },
      ledger: (ledger) => ledger.subscribedAt.set('h1', at(0).getTime()),
    },
    'one that a subscription did not get whose answer nobody heard': {
      rows: {
        event: [event(16, 'signatorysigned')],
        event_feed: [{ event_id: 'e16' }],
        hook_subscription: [SUBSCRIPTION],
      },
    },
    'a delivery of nothing': { rows: { hook_delivery: [{ id: 'e9', subscription_id: 'h1', is_test: false }] } },
  },
  'delivered-was-received': {
    'never arrived': {
      rows: {
        hook_subscription: [SUBSCRIPTION],
        hook_delivery: [{ id: 'e1', subscription_id: 'h1', state: 'delivered', is_test: true }],
      },
    },
  },
  'sent-was-taken': {
    'never arrived': { rows: { message: [SENT] }, mails: [mailOf('another')] },
    'refused once it was read': { rows: { message: [SENT] }, mails: [mailOf('m', { isTaken: false })] },
    'without a Message-ID': { rows: { message: [{ ...SENT, message_id: null }] } },
  },
  'everything-arrives': {
    'one that waits': {
      rows: {
        hook_subscription: [SUBSCRIPTION],
        hook_delivery: [{ id: 'e1', subscription_id: 'h1', state: 'waiting', is_test: true }],
      },
    },
  },
  'nothing-made-up': {
    'a webhook': { arrivedBefore: { received: [received('never', '{}')], mails: [], files: new Set() } },
    'a message': { arrivedBefore: { received: [], mails: [mailOf('never')], files: new Set() } },
    'a message of somebody else': {
      rows: { message: [{ id: 'm', recipient: 'b@example.com', signatory_id: 's1' }] },
      arrivedBefore: { received: [], mails: [mailOf('m')], files: new Set() },
    },
  },
  'one-id-one-content': {
    'other bytes': { received: [received('e1', 'a'), received('e1', 'b')] },
    'a wrong signature': {
      received: [received('e1', 'a')],
      ledger: (ledger) => ledger.secrets.set('mark', { tenantId: T, secrets: ['whsec_AAAA'] }),
    },
  },
  'over-is-over': {
    'a reminder': {
      rows: {
        signature_request: [{ id: 'r1', status: 'Canceled', finished_at: at(1) }],
        message: [{ id: 'm', kind: 'reminder', request_id: 'r1', created_at: at(2), state: 'sent' }],
      },
    },
    'a reminder that had waited': { ...REMINDED, mails: [mailOf('m', { second: 17 })] },
    'one that the mail server refused': { ...REMINDED, mails: [mailOf('m', { second: 17, isTaken: false })] },
    'a link that is left': {
      rows: {
        signature_request: [{ id: 'r1', status: 'Canceled', finished_at: at(1) }],
        signatory: [{ id: 's1', request_id: 'r1' }],
        credential: [{ kind: 'link', ref_id: 's1' }],
      },
    },
    'a link that opens': { ledger: (ledger) => ledger.deadLinks.push({ requestId: 'r1', status: 204 }) },
  },
  'dies-only-when-killed': {
    'a server': { deaths: [{ part: 'serve', how: 'exit 1', wasUp: true, isOurs: false }] },
    'the database': { deaths: [{ part: 'postgres', how: 'unexpectedly', wasUp: true, isOurs: false }] },
  },
  'comes-to-rest': {
    'a job': { rows: { job: [{ id: 'j', queue: 'q', state: 'waiting', run_at: at(-2e9) }] } },
    'an event': { rows: { outbox: [{ id: 'e1' }] } },
    'a place in the log': { rows: { log_queue: [{ event_id: 'e1' }] } },
    'a message': { rows: { message: [{ id: 'm', kind: 'code', state: 'waiting' }] } },
    'a signature request': { rows: { signature_request: [{ id: 'r1', status: 'Processing' }] } },
    'a sealing request': { rows: { sealing_request: [{ id: 'r1', status: 'Open' }] } },
  },
  'nothing-left-behind': { 'a file': { staged: ['half-a-file'] }, 'a lock': { held: ['a lock'] } },
}
