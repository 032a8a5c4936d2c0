// Every invariant can fail: for each there is a small world that breaks it, and an empty one that does not.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import type { SignatureReport, ValidationReport } from '#pades/validate/report.ts'
import type { Received } from '../../fakes/webhook-receiver.ts'
import { openLedger, type Ledger } from '../ledger.ts'
import { TABLES, type Rows } from '../rows.ts'
import type { StoredFile, World } from '../world.ts'
import { checkWorld, INVARIANTS, problemsOf } from './index.ts'

const T = 'tenant-1'
const at = (second: number) => new Date(1_800_000_000_000 + second * 1000)
const hash = (text: string) => createHash('sha256').update(text).digest()

type Changes = Partial<Omit<World, 'rows' | 'ledger'>> & {
  rows?: { [Table in keyof Rows]?: Partial<Rows[Table][number]>[] }
  ledger?: (ledger: Ledger) => void
}

function makeWorld({ rows = {}, ledger: write, ...others }: Changes = {}): World {
  const ledger = openLedger()
  write?.(ledger)
  const all = Object.fromEntries(
    TABLES.map((table) => [table, (rows[table] ?? []).map((row) => ({ tenant_id: T, ...row }))]),
  )
  return {
    ledger,
    tenants: [],
    rows: all as unknown as Rows,
    files: new Map(),
    staged: [],
    signed: new Map(),
    received: [],
    mails: [],
    arrivedBefore: { received: [], mails: [], files: new Set() },
    deaths: [],
    logProblems: [],
    eventsInLog: 0,
    held: [],
    isAtRest: true,
    ...others,
  }
}

const event = (sequence: number, type: string, more: object = {}) => ({
  id: `e${sequence}`,
  request_id: 'r1',
  request_kind: 'signaturerequest',
  sequence,
  type,
  at: at(sequence),
  signatory_id: null,
  ...more,
})
const moved = (sequence: number, from: string, to: string) => ({
  event: event(sequence, 'signaturerequeststatusupdated'),
  body: { event_id: `e${sequence}`, body: Buffer.from(JSON.stringify({ data: { previousStatus: from, status: to } })) },
})
const file = (text: string, name = hash(text).toString('hex')): [string, StoredFile] => [
  `${T} ${name}`,
  { tenantId: T, name, sha256: hash(text).toString('hex'), bytes: Buffer.from(text) },
]
const received = (id: string, body: string): Received => ({
  at: 0,
  id,
  path: '/hook/mark',
  headers: { 'webhook-timestamp': '1', 'webhook-signature': 'v1,wrong' },
  body,
})
const signedBy = (...sha256s: string[]) =>
  ({
    verdict: 'valid',
    signatures: sha256s.map(
      (sha256) => ({ certificates: [{ sha256 }], provenTime: at(1) }) as unknown as SignatureReport,
    ),
  }) as unknown as ValidationReport
const revision = (number: number, kind: string, text: string) => ({
  document_id: 'd1',
  number,
  kind,
  sha256: hash(text),
})
const seen = (status: string, ...states: string[]) => ({
  tenantId: T,
  requestId: 'r1',
  status,
  signatories: states.map((state, index) => ({ id: `s${index}`, state })),
  documents: [{ sha256: '', levelReached: null }],
})
const subscription = {
  id: 'h1',
  event_type: 'signatorysigned',
  uri: 'https://localhost/hook/mark',
  state: 'active',
  deleted_at: null,
  created_at: at(0),
}

const BROKEN: Record<string, Changes> = {
  'answered-is-kept': {
    ledger: (ledger) => ledger.ask({ tenantId: T, table: 'department', column: 'name', mark: 'm' }).ids.add('lost'),
  },
  'unknown-is-whole-or-nothing': {
    rows: {
      department: [
        { id: 'a', name: 'm' },
        { id: 'b', name: 'm' },
      ],
    },
    ledger: (ledger) => ledger.ask({ tenantId: T, table: 'department', column: 'name', mark: 'm' }),
  },
  'same-key-same-thing': { ledger: (ledger) => ledger.repeats.push({ what: 'POST', answers: ['a', 'b'] }) },
  'reads-are-whole': { ledger: (ledger) => ledger.observations.push(seen('Closed', 'Invited')) },
  'nothing-unforeseen': { ledger: (ledger) => ledger.surprises.push('GET answers 500') },
  'tenants-apart': { ledger: (ledger) => ledger.leaks.push('GET of a tells b') },
  'erased-stays-erased': {
    rows: { signatory: [{ id: 's1', request_id: 'r1', email: 'a@example.com', state: 'Signed' }] },
    ledger: (ledger) => ledger.erased.push({ tenantId: T, email: 'a@example.com', requestIds: ['r1'] }),
  },
  'states-move-forward': {
    ledger: (ledger) => ledger.observations.push(seen('Closed', 'Signed'), seen('Open', 'Signed')),
  },
  'only-drawn-arrows': {
    rows: { event: [moved(1, 'Canceled', 'Open').event], event_body: [moved(1, 'Canceled', 'Open').body] },
  },
  'one-end': {
    rows: {
      signature_request: [{ id: 'r1', status: 'Canceled' }],
      event: [event(1, 'signaturerequestcanceled'), event(2, 'signaturerequestdeclined')],
    },
  },
  'history-tells-the-state': {
    rows: { signature_request: [{ id: 'r1', status: 'Closed' }], event: [event(1, 'signaturerequestcreated')] },
  },
  'no-gaps': {
    rows: {
      event_chain: [{ request_id: 'r1', request_kind: 'signaturerequest', last_sequence: 2 }],
      event: [event(1, 'a'), event(3, 'b')],
    },
  },
  'history-verifies': { logProblems: ['an event is missing'] },
  'times-in-order': { rows: { event: [event(1, 'a'), event(2, 'b', { at: at(0) })] } },
  'counts-are-right': {
    rows: { request_count: [{ kind: 'signaturerequest', department_id: 'd', status: 'Open', amount: '1' }] },
  },
  'codes-are-counted': { rows: { signer_code: [{ id: 'c', tries: 6 }] } },
  'every-file-is-there': { rows: { stored_document: [{ id: 'x', sha256: hash('a'), size_bytes: '1' }] } },
  'revisions-only-add': {
    rows: {
      signature_document: [{ id: 'd1', source_document_id: 'x' }],
      stored_document: [{ id: 'x', sha256: hash('abc') }],
      signature_revision: [revision(1, 'prepared', 'xbcd')],
    },
    files: new Map([file('abc'), file('xbcd')]),
  },
  'sealed-never-changes': {
    rows: { stored_document: [{ id: 'x', sha256: hash('a') }] },
    ledger: (ledger) => ledger.downloads.push({ tenantId: T, uri: 'x', sha256: 'other' }),
  },
  'signatures-in-the-file': {
    rows: {
      signature_document: [{ id: 'd1', request_id: 'r1', sha256: hash('a') }],
      signatory: [{ id: 's1', request_id: 'r1', state: 'Signed' }],
      signature_revision: [revision(1, 'signature', 'a')],
    },
    signed: new Map([[hash('a').toString('hex'), signedBy('c1', 'c2')]]),
  },
  'signs-once': {
    rows: {
      event: [event(1, 'signatorysigned', { signatory_id: 's1' }), event(2, 'signatorysigned', { signatory_id: 's1' })],
    },
  },
  'shown-confirmed-signed': {
    rows: { signature_confirmation: [{ signatory_id: 's1', documents: [{ id: 'd1', sha256: 'other' }] }] },
  },
  'keys-are-counted': {
    rows: {
      signature_document: [{ id: 'd1' }],
      signature_intent: [{ id: 'i', document_id: 'd1', signatory_id: null, state: 'used' }],
    },
  },
  'no-signature-unrecorded': {
    signed: new Map([['file', signedBy('nobody knows')]]),
    arrivedBefore: { received: [], mails: [], files: new Set(['file']) },
  },
  'every-event-is-handed-out': { rows: { event: [event(1, 'signatorysigned')] } },
  'delivered-was-received': {
    rows: {
      hook_subscription: [subscription],
      hook_delivery: [{ id: 'e1', subscription_id: 'h1', state: 'delivered', is_test: true }],
    },
  },
  'everything-arrives': {
    rows: {
      hook_subscription: [subscription],
      hook_delivery: [{ id: 'e1', subscription_id: 'h1', state: 'waiting', is_test: true }],
    },
  },
  'nothing-made-up': { arrivedBefore: { received: [received('never', '{}')], mails: [], files: new Set() } },
  'one-id-one-content': { received: [received('e1', 'a'), received('e1', 'b')] },
  'over-is-over': {
    rows: {
      signature_request: [{ id: 'r1', status: 'Canceled', finished_at: at(1) }],
      message: [{ id: 'm', kind: 'reminder', request_id: 'r1', created_at: at(2), state: 'sent' }],
    },
  },
  'dies-only-when-killed': { deaths: [{ part: 'serve', how: 'exit 1', wasUp: true }] },
  'comes-to-rest': { rows: { job: [{ id: 'j', queue: 'q', state: 'waiting', run_at: at(-2e9) }] } },
  'nothing-left-behind': { staged: ['half-a-file'] },
}

describe('the invariants', () => {
  test('hold in a world where nothing has happened', () => {
    assert.deepEqual(problemsOf(checkWorld(makeWorld())), [])
  })

  test('that need rest are not looked at before there is any', () => {
    const names = checkWorld(makeWorld({ isAtRest: false })).map(({ name }) => name)
    assert.ok(!names.includes('comes-to-rest') && names.includes('answered-is-kept'))
  })

  test('that look for what must not be there count the look, and a place that there is none of is not looked at', () => {
    const { check } = INVARIANTS.find(({ name }) => name === 'nothing-left-behind')!
    assert.equal(check(makeWorld()).checked, 2)
    assert.equal(check(makeWorld({ staged: undefined })).checked, 1)
    assert.deepEqual(check(makeWorld({ held: ['a lock'] })).problems, ['a lock is still held'])
  })

  for (const { name, check } of INVARIANTS) {
    test(`notice what breaks ${name}`, () => {
      const broken = BROKEN[name]
      assert.ok(broken, `no world breaks ${name}`)
      assert.notDeepEqual(check(makeWorld(broken)).problems, [])
    })
  }
})
