// Worlds in which a state, its history or a count is wrong.
import { at, event, hash, moved, revision, seen, signedBy, T, type Broken } from './small-world.ts'

const sealing = (status: string, version: number) => ({ requestId: 'r1', status, version })
const typed = { tenantId: T, signatoryId: 's1', isJudged: true }

export const BROKEN_STATES: Broken = {
  'states-move-forward': {
    'a status': { ledger: (ledger) => ledger.observations.push(seen('Closed', 'Signed'), seen('Open', 'Signed')) },
    'a signatory': { ledger: (ledger) => ledger.observations.push(seen('Open', 'Signed'), seen('Open', 'Viewed')) },
    'a sealing request': { ledger: (ledger) => ledger.sealings.push(sealing('Processed', 3), sealing('Open', 4)) },
    'a version': { ledger: (ledger) => ledger.sealings.push(sealing('Draft', 3), sealing('Draft', 2)) },
    'a change without another version': {
      ledger: (ledger) => ledger.sealings.push(sealing('Draft', 3), sealing('Open', 3)),
    },
  },
  'only-drawn-arrows': {
    'a signature request': {
      rows: { event: [moved(1, 'Canceled', 'Open').event], event_body: [moved(1, 'Canceled', 'Open').body] },
    },
    'a sealing request': {
      rows: {
        event: [moved(1, 'Open', 'Processed', { kind: 'sealingrequest' }).event],
        event_body: [moved(1, 'Open', 'Processed', { kind: 'sealingrequest' }).body],
      },
    },
    'a step that is missing': {
      rows: {
        event: [moved(1, 'Draft', 'Open').event, moved(2, 'Processing', 'Closed').event],
        event_body: [moved(1, 'Draft', 'Open').body, moved(2, 'Processing', 'Closed').body],
      },
    },
  },
  'one-end': {
    'two ends': {
      rows: {
        signature_request: [{ id: 'r1', status: 'Canceled' }],
        event: [event(1, 'signaturerequestcanceled'), event(2, 'signaturerequestdeclined')],
      },
    },
    'an end that no event tells': { rows: { signature_request: [{ id: 'r1', status: 'Closed' }] } },
    'two seals': {
      rows: {
        sealing_request: [{ id: 'r1', status: 'Processed' }],
        event: [1, 2].map((at) => event(at, 'sealingrequestprocessed', { request_kind: 'sealingrequest' })),
      },
    },
  },
  'history-tells-the-state': {
    'a signature request': {
      rows: { signature_request: [{ id: 'r1', status: 'Closed' }], event: [event(1, 'signaturerequestcreated')] },
    },
    'a sealing request': {
      rows: {
        sealing_request: [{ id: 'r1', status: 'Processed' }],
        event: [event(1, 'sealingrequestcreated', { request_kind: 'sealingrequest' })],
      },
    },
    'a signature request without a beginning': { rows: { signature_request: [{ id: 'r1', status: 'Draft' }] } },
    'a sealing request without a beginning': { rows: { sealing_request: [{ id: 'r1', status: 'Draft' }] } },
    'a signatory': { rows: { signatory: [{ id: 's1', request_id: 'r1', state: 'Signed' }] } },
  },
  'no-gaps': {
    'a gap': {
      rows: {
        event_chain: [{ request_id: 'r1', request_kind: 'signaturerequest', last_sequence: 2 }],
        event: [event(1, 'a'), event(3, 'b')],
      },
    },
    'a number twice': {
      rows: {
        event_chain: [{ request_id: 'r1', request_kind: 'signaturerequest', last_sequence: 2 }],
        event: [event(1, 'a'), event(1, 'b')],
      },
    },
    'a head that knows of more': {
      rows: {
        event_chain: [{ request_id: 'r1', request_kind: 'signaturerequest', last_sequence: 2 }],
        event: [event(1, 'a')],
      },
    },
  },
  'history-verifies': {
    'the log': { logProblems: ['an event is missing'] },
    'a link of the chain': { rows: { event: [event(1, 'a', { hash: hash('x'), body_hash: hash('y') })] } },
    'what an event tells': {
      rows: {
        event: [event(1, 'a', { hash: hash('x'), body_hash: hash('y') })],
        event_body: [{ event_id: 'e1', salt: Buffer.from('s'), body: Buffer.from('other') }],
      },
    },
  },
  'times-in-order': {
    'an event': { rows: { event: [event(1, 'a'), event(2, 'b', { at: at(0) })] } },
    'a stamp': {
      rows: {
        signature_document: [{ id: 'd1', request_id: 'r1' }],
        signature_revision: [revision(1, 'seal', 'a')],
        signature_confirmation: [{ request_id: 'r1', confirmed_at: at(5) }],
      },
      signed: new Map([[hash('a').toString('hex'), signedBy('c1')]]),
    },
  },
  'counts-are-right': {
    'a counter': {
      rows: { request_count: [{ kind: 'signaturerequest', department_id: 'd', status: 'Open', amount: '1' }] },
    },
    'an invitation that was not counted': {
      rows: {
        message: ['m1', 'm2'].map((id) => ({ id, kind: 'invitation' })),
        invitation_count: [{ day: at(0), amount: 1 }],
      },
    },
    'too much metadata': {
      rows: { metadata: Array.from({ length: 101 }, (_, index) => ({ entity_id: 'r1', key: `k${index}` })) },
    },
  },
  'codes-are-counted': {
    'a code': { rows: { signer_code: [{ id: 'c', tries: 6 }] } },
    'a signatory': { rows: { signer_attempt: [{ signatory_id: 's1', tries: 16 }] } },
    'a try that was not counted': { ledger: (ledger) => ledger.codes.push({ ...typed, isRight: false, isIn: false }) },
    'a wrong code that lets in': { ledger: (ledger) => ledger.codes.push({ ...typed, isRight: false, isIn: true }) },
  },
}
