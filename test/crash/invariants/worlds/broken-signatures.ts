// Worlds with signatures that should not be there, and without some that should.
import { createHash } from 'node:crypto'
import type { ValidationReport } from '#pades/validate/report.ts'
import { at, event, file, hash, moved, revision, signedBy, sitting, type Broken, type Changes } from './small-world.ts'

const SEALED_DOCUMENT: Changes = {
  rows: {
    sealing_document: [{ id: 'd1', sealed_document_id: 'y' }],
    stored_document: [{ id: 'y', sha256: hash('a') }],
  },
}
/** A file that is signed over all of its bytes but those between. */
const SIGNED = 'given\n%%EOF\n/ByteRange [0 34 38 1]<00>.'
const signedWhole = (certificate: string) =>
  ({
    verdict: 'valid',
    signatures: [{ certificates: [{ sha256: hash(certificate).toString('hex') }], coverage: { end: SIGNED.length } }],
  }) as unknown as ValidationReport
export const rangeDigest = createHash('sha256').update(SIGNED.slice(0, 34)).update(SIGNED.slice(38)).digest()
export const signedFile = {
  files: new Map([file(SIGNED)]),
  arrivedBefore: { received: [], mails: [], files: new Set([hash(SIGNED).toString('hex')]) },
  signed: new Map([[hash(SIGNED).toString('hex'), signedWhole('mine')]]),
}
export const ownSeal = [{ id: 'c', kind: 'seal', certificate: Buffer.from('mine') }]
export const toSeal = (sourceSha256: string) =>
  moved(1, 'Open', 'Processing', { kind: 'sealingrequest', documents: [{ sourceSha256 }] })

type EvidenceChanges = { status?: string; told?: string; text?: string; name?: string; report?: ValidationReport }

/** A closed request with evidence that is as it should be, but for what is given. */
export const evidence = ({
  status = 'Closed',
  told = 'evidence',
  text = 'evidence',
  name,
  report,
}: EvidenceChanges = {}): Changes => ({
  rows: {
    signature_request: [{ id: 'r1', status, evidence_document_id: 'v' }],
    stored_document: [{ id: 'v', sha256: hash('evidence') }],
    event: [event(1, 'signaturerequestcompleted')],
    event_body: [{ event_id: 'e1', body: toldOf({ evidenceSha256: hash(told).toString('hex') }) }],
  },
  files: new Map([file(text, name)]),
  signed: new Map([[hash('evidence').toString('hex'), report ?? signedBy('c1')]]),
})
const toldOf = (data: object) => Buffer.from(JSON.stringify({ data }))

const EVIDENCE_USE = { request_id: 'r1', document_id: null, signatory_id: null, state: 'used' }
const GIVEN = hash('given').toString('hex')
const sealingOf = (status: string, intended: string[], sealed: string[]): Changes => {
  const documents = intended.map((id) => ({ id, sourceSha256: GIVEN }))
  const move = moved(1, 'Open', 'Processing', { kind: 'sealingrequest', documents })
  return {
    rows: {
      sealing_request: [{ id: 'r1', status }],
      sealing_document: sealed.map((id) => ({
        id,
        request_id: 'r1',
        source_document_id: 'x',
        sealed_document_id: 'y',
      })),
      stored_document: [{ id: 'x', sha256: hash('given') }],
      event: [move.event],
      event_body: [move.body],
    },
  }
}
export const sealedAsIntended = sealingOf('Processed', ['d1', 'd2'], ['d1', 'd2'])

export const BROKEN_SIGNATURES: Broken = {
  'signatures-in-the-file': {
    'a signature too many': {
      rows: {
        signature_document: [{ id: 'd1', request_id: 'r1', sha256: hash('a') }],
        signatory: [{ id: 's1', request_id: 'r1', state: 'Signed' }],
        signature_revision: [revision(1, 'signature', 'a')],
      },
      signed: new Map([[hash('a').toString('hex'), signedBy('c1', 'c2')]]),
    },
    'somebody who signed without one': {
      rows: {
        signature_document: [{ id: 'd1', request_id: 'r1', sha256: hash('a') }],
        signatory: [{ id: 's1', request_id: 'r1', state: 'Signed' }],
      },
    },
    'a file that is not valid': {
      rows: {
        signature_document: [{ id: 'd1', request_id: 'r1', sha256: hash('a') }],
        signature_revision: [revision(1, 'seal', 'a')],
      },
      signed: new Map([[hash('a').toString('hex'), { ...signedBy('c1'), verdict: 'invalid' }]]),
    },
    'two seals': { ...SEALED_DOCUMENT, signed: new Map([[hash('a').toString('hex'), signedBy('c1', 'c2')]]) },
    'no seal': SEALED_DOCUMENT,
    'a sealed file that is not valid': {
      ...SEALED_DOCUMENT,
      signed: new Map([[hash('a').toString('hex'), { ...signedBy('c1'), verdict: 'invalid' }]]),
    },
  },
  'signs-once': {
    twice: {
      rows: {
        event: [
          event(1, 'signatorysigned', { signatory_id: 's1' }),
          event(2, 'signatorysigned', { signatory_id: 's1' }),
        ],
      },
    },
    'before the group in front': {
      rows: {
        signatory: [
          { id: 's1', request_id: 'r1', signing_order: 1, is_mandatory: true, signed_at: null },
          { id: 's2', request_id: 'r1', signing_order: 2, is_mandatory: true, signed_at: at(1) },
        ],
      },
    },
  },
  'shown-confirmed-signed': {
    'no revision of the document': {
      rows: { signature_confirmation: [{ signatory_id: 's1', documents: [{ id: 'd1', sha256: 'other' }] }] },
    },
    'other bytes than were shown': {
      rows: {
        signature_revision: [revision(1, 'prepared', 'a')],
        signature_confirmation: [{ signatory_id: 's1', documents: [{ id: 'd1', sha256: hash('a').toString('hex') }] }],
      },
      ledger: (ledger) => ledger.sittings.push({ ...sitting('sign'), shown: new Map([['d1', 'other']]) }),
    },
  },
  'keys-are-counted': {
    'a use without a signature': {
      rows: {
        signature_document: [{ id: 'd1' }],
        signature_intent: [{ id: 'i', document_id: 'd1', signatory_id: null, state: 'used' }],
      },
    },
    'a signature without a use': {
      rows: { signature_document: [{ id: 'd1' }], signature_revision: [revision(1, 'signature', 'a')] },
    },
    'evidence without a use': {
      rows: { signature_request: [{ id: 'r1', status: 'Closed', evidence_document_id: 'v' }] },
    },
    'evidence by two uses': {
      rows: {
        signature_request: [{ id: 'r1', status: 'Closed', evidence_document_id: 'v' }],
        signature_intent: ['i1', 'i2'].map((id) => ({ ...EVIDENCE_USE, id })),
      },
    },
    'a use for evidence that there is none of': {
      rows: { signature_request: [{ id: 'r1', status: 'Open' }], signature_intent: [{ ...EVIDENCE_USE, id: 'i' }] },
    },
    'a seal that was not on record': sealingOf('Processing', [], ['d1']),
    'a document that was to be sealed and is not': sealingOf('Processed', ['d1', 'd2'], ['d1']),
    'nobody confirmed': { rows: { signature_intent: [{ id: 'i', signatory_id: 's1', state: 'planned' }] } },
    'before it was confirmed': {
      rows: {
        signature_intent: [{ id: 'i', signatory_id: 's1', state: 'planned', created_at: at(1) }],
        signature_confirmation: [{ signatory_id: 's1', documents: [], confirmed_at: at(9) }],
      },
    },
  },
  'evidence-is-whole': {
    'none of a request that is closed': { rows: { signature_request: [{ id: 'r1', status: 'Closed' }] } },
    'some of a request that is not': evidence({ status: 'Canceled' }),
    'another than was told of': evidence({ told: 'another' }),
    'a file that was cut off': evidence({ text: 'evid', name: hash('evidence').toString('hex') }),
    'no seal': evidence({ report: signedBy() }),
    'two seals': evidence({ report: signedBy('c1', 'c2') }),
    'a seal that is not valid': evidence({ report: { ...signedBy('c1'), verdict: 'invalid' } }),
  },
  'no-signature-unrecorded': {
    'of a key that nobody knows': signedFile,
    'by a certificate that was to sign something else': {
      ...signedFile,
      rows: { signature_intent: [{ id: 'i', certificate: Buffer.from('mine'), digest: hash('something else') }] },
    },
    'by a seal, of a document that nobody wanted sealed': {
      ...signedFile,
      rows: { certificate: ownSeal, event: [toSeal('other').event], event_body: [toSeal('other').body] },
    },
  },
}
