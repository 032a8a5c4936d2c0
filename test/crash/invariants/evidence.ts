// The evidence of what was signed, held against the request, its history and the file.
import type { Rows } from '../rows.ts'
import { byId, each, keyOf, type Invariant } from './invariant.ts'

const CLOSED = new Set(['Closed', 'Archiving', 'Archived', 'ArchivingFailed'])

export const EVIDENCE: readonly Invariant[] = [
  {
    name: 'evidence-is-whole',
    says: 'A signature request that is closed has its evidence: the file that its history tells of, whole, which verifies with one seal. No other has any.',
    check({ rows, files, signed }) {
      const stored = byId(rows.stored_document)
      const told = evidenceTold(rows)
      const expected = rows.signature_request.filter(
        ({ status, evidence_document_id: evidenceId }) => CLOSED.has(status) || hasEvidence(evidenceId),
      )
      return each(expected, ({ tenant_id: tenantId, id, status, evidence_document_id: evidenceId }) => {
        if (!CLOSED.has(status)) return `${id} is ${status} and has evidence`
        const sha256 = stored.get(keyOf(tenantId, evidenceId ?? ''))?.sha256.toString('hex')
        if (sha256 === undefined) return `${id} is ${status} and has no evidence`
        if (told.get(keyOf(tenantId, id)) !== sha256) return `the evidence of ${id} is not what its history tells of`
        if (files.get(keyOf(tenantId, sha256))?.sha256 !== sha256) return `the evidence of ${id} is not whole`
        const report = signed.get(sha256)
        const seals = report?.signatures.length ?? 0
        if (seals !== 1) return `the evidence of ${id} holds ${seals} seals`
        return report!.verdict !== 'valid' && `the evidence of ${id} is ${report!.verdict}`
      })
    },
  },
]

export const hasEvidence = (evidenceId: string | null | undefined) => (evidenceId ?? null) !== null

type Completed = { data?: { evidenceSha256?: string } }

/** The hash of each request's evidence, as its history has it. */
function evidenceTold({ event, event_body: bodies }: Rows): Map<string, string | undefined> {
  const texts = new Map(bodies.map(({ event_id: id, body }) => [id, body]))
  const completed = event.filter(({ type }) => type === 'signaturerequestcompleted')
  return new Map(
    completed.map(({ tenant_id: tenantId, request_id: requestId, id }) => {
      const { data } = JSON.parse(texts.get(id)?.toString() ?? '{}') as Completed
      return [keyOf(tenantId, requestId), data?.evidenceSha256]
    }),
  )
}
