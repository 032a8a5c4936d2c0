// Worlds in which a file is not what was given or told.
import { event, file, hash, revision, T, type Broken } from './small-world.ts'

const told = (type: string, sha256: string) => ({
  event: [event(1, type, { request_kind: type.replace(/completed|processed/, '') })],
  event_body: [{ event_id: 'e1', body: Buffer.from(JSON.stringify({ data: { documents: [{ id: 'd1', sha256 }] } })) }],
})

export const BROKEN_FILES: Broken = {
  'every-file-is-there': {
    'no file': { rows: { stored_document: [{ id: 'x', sha256: hash('a'), size_bytes: '1' }] } },
    'a file that was cut off': {
      rows: { stored_document: [{ id: 'x', sha256: hash('abc'), size_bytes: '4' }] },
      files: new Map([file('abc')]),
    },
    'a file under another name': { files: new Map([file('abc', 'another')]) },
  },
  'revisions-only-add': {
    'a revision': {
      rows: {
        signature_document: [{ id: 'd1', source_document_id: 'x' }],
        stored_document: [{ id: 'x', sha256: hash('abc') }],
        signature_revision: [revision(1, 'prepared', 'xbcd')],
      },
      files: new Map([file('abc'), file('xbcd')]),
    },
    'a sealed document': {
      rows: {
        sealing_document: [{ id: 'd1', source_document_id: 'x', sealed_document_id: 'y' }],
        stored_document: [
          { id: 'x', sha256: hash('abc') },
          { id: 'y', sha256: hash('xbcd') },
        ],
      },
      files: new Map([file('abc'), file('xbcd')]),
    },
  },
  'sealed-never-changes': {
    'a download': {
      rows: { stored_document: [{ id: 'x', sha256: hash('a') }] },
      ledger: (ledger) => ledger.downloads.push({ tenantId: T, uri: 'x', sha256: 'other' }),
    },
    'a signed document': {
      rows: {
        ...told('signaturerequestcompleted', hash('a').toString('hex')),
        signature_revision: [revision(1, 'seal', 'b')],
      },
      files: new Map([file('b')]),
    },
    'a sealed document': {
      rows: {
        ...told('sealingrequestprocessed', hash('a').toString('hex')),
        sealing_document: [{ id: 'd1', sealed_document_id: 'y' }],
        stored_document: [{ id: 'y', sha256: hash('b') }],
      },
      files: new Map([file('b')]),
    },
  },
}
