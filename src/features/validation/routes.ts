import type { IncomingMessage } from 'node:http'
import { route } from '#platform/http/route.ts'
import { checkEvidence, readEvidence } from './check-evidence.ts'
import { EvidenceQuery, PdfBody, ReportBody } from './schemas.ts'
import { validateDocument } from './validate-document.ts'

/** A person with a folder of contracts stays below this; a program should have a key. */
const CALLS_PER_MINUTE = 60

const file = { body: PdfBody, bodyKind: 'stream', response: { 200: ReportBody } } as const

export const validationRoutes = [
  route({
    ...file,
    method: 'POST',
    url: '/validation/document',
    summary: 'Validate the signatures of a PDF',
    description:
      'The body is the PDF itself, as large as a document may be and what its signatures take. Nothing is stored. Trusted are the authorities of this installation, those of the ' +
      'certificates that the tenant has imported, and those that the operator has named.',
    tag: 'Validation',
    permission: 'document:validate',
    ignoresIdempotencyKey: true,
    prepare: ({ platform, now }, { caller, stream }) =>
      validateDocument(platform, { request: stream as IncomingMessage, tenantId: caller.tenantId, now }),
    handle: async (_work, { prepared }) => ({ ...prepared, evidence: null }),
  }),
  route({
    ...file,
    method: 'POST',
    url: '/verify/api/document',
    summary: 'Judge a PDF for the verification page',
    description: 'For anybody, with a bound on how often. Nothing is stored.',
    tag: 'Validation',
    permission: 'document:validate',
    isPublic: true,
    callsPerMinute: CALLS_PER_MINUTE,
    query: EvidenceQuery,
    prepare: async ({ platform, now }, { query, stream }) => {
      const request = readEvidence(query.evidence)
      const report = await validateDocument(platform, { request: stream as IncomingMessage, now })
      return { ...report, evidence: await checkEvidence(platform, request, report.sha256) }
    },
    handle: async (_work, { prepared }) => prepared,
  }),
]
