// Worlds in which something that clients were told does not hold.
import type { SealingInParts } from '../../ledger.ts'
import type { World } from '../../world.ts'
import { received, seen, sitting, T, type Broken, type Changes } from './small-world.ts'

const tenant = (word: string) => ({ word }) as World['tenants'][number]
const ERASED = { word: 'p0ofzq0', requestIds: ['r1'] }

const sealingRead = (areSealed: boolean[], steady: SealingInParts['steady']): Changes => ({
  ledger: (ledger) => ledger.sealingsInParts.push({ requestId: 'r1', areSealed, steady }),
})

export const BROKEN_PROMISES: Broken = {
  'answered-is-kept': {
    'a thing that is gone': {
      ledger: (ledger) => ledger.ask({ tenantId: T, table: 'department', column: 'name', mark: 'm' }).ids.add('lost'),
    },
    'other content': {
      rows: { department: [{ id: 'a', name: 'm', external_reference: 'other' }] },
      ledger: (ledger) => {
        const thing = { tenantId: T, table: 'department', column: 'name', mark: 'm' } as const
        ledger.ask(thing, { external_reference: 'mine' }).ids.add('a')
      },
    },
    'a deletion that is undone': {
      rows: { department: [{ id: 'a', name: 'm', deleted_at: null }] },
      ledger: (ledger) => {
        const thing = ledger.ask({ tenantId: T, table: 'department', column: 'name', mark: 'm' })
        thing.ids.add('a')
        thing.end = 'yes'
      },
    },
    'a signature that nobody remembers': {
      rows: { signatory: [{ id: 's1', request_id: 'r1', state: 'Invited' }] },
      ledger: (ledger) => ledger.sittings.push(sitting('sign')),
    },
    'a refusal that nobody remembers': {
      rows: { signatory: [{ id: 's1', request_id: 'r1', state: 'Invited' }] },
      ledger: (ledger) => ledger.sittings.push(sitting('decline')),
    },
    'a report that was not written down': { ledger: (ledger) => ledger.reports.add('s1') },
  },
  'unknown-is-whole-or-nothing': {
    'a thing that is there twice': {
      rows: {
        department: [
          { id: 'a', name: 'm' },
          { id: 'b', name: 'm' },
        ],
      },
      ledger: (ledger) => ledger.ask({ tenantId: T, table: 'department', column: 'name', mark: 'm' }),
    },
    'half of a thing': {
      rows: { department: [{ id: 'a', name: 'm', external_reference: null }] },
      ledger: (ledger) =>
        ledger.ask({ tenantId: T, table: 'department', column: 'name', mark: 'm' }, { external_reference: 'mine' }),
    },
  },
  'same-key-same-thing': {
    'two answers': { ledger: (ledger) => ledger.repeats.push({ what: 'POST', answers: ['a', 'b'] }) },
    'another body that is taken': { ledger: (ledger) => ledger.clashes.push({ what: 'POST', status: 202 }) },
  },
  'reads-are-whole': {
    'closed before all have signed': { ledger: (ledger) => ledger.observations.push(seen('Closed', 'Invited')) },
    'a draft with somebody invited': { ledger: (ledger) => ledger.observations.push(seen('Draft', 'Invited')) },
    'nobody in it': { ledger: (ledger) => ledger.observations.push(seen('Open')) },
    'one of two documents sealed': sealingRead([true, false], undefined),
    'a history that is not so far': sealingRead([true], { status: 'Processed', told: 'Processing' }),
    'a history that is further': sealingRead([false], { status: 'Processing', told: 'Processed' }),
    'processed without a seal': sealingRead([false], { status: 'Processed', told: 'Processed' }),
    'sealed before it was processed': sealingRead([true], { status: 'Processing', told: 'Processing' }),
    'opened without a document': sealingRead([], { status: 'Open', told: 'Open' }),
  },
  'nothing-unforeseen': {
    'an error of ours': { ledger: (ledger) => ledger.surprises.push('GET answers 500') },
  },
  'tenants-apart': {
    'an answer': { ledger: (ledger) => ledger.leaks.push('GET of a tells b') },
    'a webhook': { tenants: [tenant('aa'), tenant('bb')], received: [{ ...received('e1', 'of bb'), path: '/aa' }] },
    'a message': {
      tenants: [tenant('aa'), tenant('bb')],
      mails: [{ to: ['aa@example.com'], text: 'of bb', html: '' } as World['mails'][number]],
    },
  },
  'erased-stays-erased': {
    'a row': {
      texts: [{ table: 'message', text: '(m,completed,P0ofZq0@example.com)' }],
      ledger: (ledger) => ledger.erased.push(ERASED),
    },
    'a table whose rows nobody else looks at': {
      texts: [{ table: 'signature_request_word', text: '(p0ofzq0,r1)' }],
      ledger: (ledger) => ledger.erased.push(ERASED),
    },
    'a look that was not had': { ledger: (ledger) => ledger.erased.push(ERASED) },
  },
}
