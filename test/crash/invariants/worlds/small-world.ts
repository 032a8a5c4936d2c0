// Worlds that are as small as they can be, for the invariants to be tried on.
import { createHash } from 'node:crypto'
import type { SignatureReport, ValidationReport } from '#pades/validate/report.ts'
import type { Received } from '../../../fakes/webhook-receiver.ts'
import { openLedger, type Ledger, type Sitting } from '../../ledger.ts'
import { TABLES, type Rows } from '../../rows.ts'
import type { StoredFile, World } from '../../world.ts'

export const T = 'tenant-1'
export const at = (second: number) => new Date(1_800_000_000_000 + second * 1000)
export const hash = (text: string) => createHash('sha256').update(text).digest()

export type Changes = Partial<Omit<World, 'rows' | 'ledger'>> & {
  rows?: { [Table in keyof Rows]?: Partial<Rows[Table][number]>[] }
  ledger?: (ledger: Ledger) => void
}

export function makeWorld({ rows = {}, ledger: write, ...others }: Changes = {}): World {
  const ledger = openLedger()
  write?.(ledger)
  const all = Object.fromEntries(
    TABLES.map((table) => [table, (rows[table] ?? []).map((row) => ({ tenant_id: T, ...row }))]),
  )
  return {
    ledger,
    tenants: [],
    rows: all as unknown as Rows,
    texts: [],
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

export const event = (sequence: number, type: string, more: object = {}) => ({
  id: `e${sequence}`,
  request_id: 'r1',
  request_kind: 'signaturerequest',
  sequence,
  type,
  at: at(sequence),
  signatory_id: null,
  ...more,
})
/** A change of status that the history of a request tells. */
export const moved = (
  sequence: number,
  from: string,
  to: string,
  { kind = 'signaturerequest', ...more }: { kind?: string; documents?: object[] } = {},
) => ({
  event: event(sequence, `${kind}statusupdated`, { request_kind: kind }),
  body: {
    event_id: `e${sequence}`,
    body: Buffer.from(JSON.stringify({ data: { previousStatus: from, status: to, ...more } })),
  },
})
export const file = (text: string, name = hash(text).toString('hex')): [string, StoredFile] => [
  `${T} ${name}`,
  { tenantId: T, name, sha256: hash(text).toString('hex'), bytes: Buffer.from(text) },
]
export const signedBy = (...sha256s: string[]) =>
  ({
    verdict: 'valid',
    signatures: sha256s.map(
      (sha256) => ({ certificates: [{ sha256 }], provenTime: at(1) }) as unknown as SignatureReport,
    ),
  }) as unknown as ValidationReport
export const revision = (number: number, kind: string, text: string) => ({
  document_id: 'd1',
  number,
  kind,
  sha256: hash(text),
})
export const seen = (status: string, ...states: string[]) => ({
  tenantId: T,
  requestId: 'r1',
  status,
  signatories: states.map((state, index) => ({ id: `s${index}`, state })),
  documents: [{ sha256: '', levelReached: null }],
})
export const received = (id: string, body: string): Received => ({
  at: 0,
  id,
  path: '/hook/mark',
  headers: { 'webhook-timestamp': '1', 'webhook-signature': 'v1,wrong' },
  body,
})
export const sitting = (deed: 'sign' | 'decline'): Sitting => ({
  tenantId: T,
  requestId: 'r1',
  signatoryId: 's1',
  shown: new Map(),
  deed,
  outcome: 'done',
})

/** For an invariant, a world for everything that it looks at; each breaks it in one place. */
export type Broken = Record<string, Record<string, Changes>>
