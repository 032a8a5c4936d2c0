// Histories tell the SHA-256 of every file that was signed, sealed or renewed. Whoever exchanges two files in the tables of
// their requests would have to change the histories as well, and those are held by the log.
import type { Tx } from '#platform/db/database.ts'
import { listEventsOfTypes, type RequestKind } from './event-statements.ts'

/** Events after which a document, or the evidence of its request, is another file than before. */
const CHANGES_FILES = [
  'signatorysigned',
  'signaturerequestcompleted',
  'sealingrequestprocessed',
  'documentrenewed',
  'evidencerenewed',
]

export type ToldFiles = {
  /** In hexadecimal, by the document's id. */
  documents: ReadonlyMap<string, string>
  /** The same of the evidence, by its request's id. */
  evidence: ReadonlyMap<string, string>
}

type Requests = { tenantId: string; requestKind: RequestKind; requestIds: readonly string[] }

/**
 * The newest SHA-256 that the histories of requests tell of each file. Nothing about a file that was written before
 * histories told it, nor after what they told was erased.
 */
export async function listToldFiles(tx: Tx, { tenantId, requestKind, requestIds }: Requests): Promise<ToldFiles> {
  const question = { tenantId, requestKind, requestIds: [...new Set(requestIds)], types: CHANGES_FILES }
  const events = await listEventsOfTypes.many(tx, question)
  const all = [...Map.groupBy(events, ({ requestId }) => requestId)].map(([requestId, history]) => ({
    requestId,
    ...readHistory(history),
  }))
  return {
    documents: new Map(all.flatMap(({ documents }) => [...documents])),
    evidence: new Map(all.flatMap(({ requestId, evidence }) => (evidence ? [[requestId, evidence] as const] : []))),
  }
}

type Told = { type: string; body: Buffer | null }

function readHistory(events: readonly Told[]): { documents: Map<string, string>; evidence: string | undefined } {
  const documents = new Map<string, string>()
  let evidence: string | undefined
  for (const { type, body } of events) {
    // What an erased event told may have been newer than anything before it.
    if (body === null) documents.clear()
    const told = body === null ? NOTHING : readBody(body)
    if (type === 'evidencerenewed') {
      evidence = told.documents[0]?.sha256
      continue
    }
    if (type === 'signaturerequestcompleted') evidence = told.evidence
    for (const { id, sha256 } of told.documents) documents.set(id, sha256)
  }
  return { documents, evidence }
}

type Content = { documents: { id: string; sha256: string }[]; evidence: string | undefined }

const NOTHING: Content = { documents: [], evidence: undefined }

/** Whoever may write to the database may have written anything: what is not what we write tells nothing. */
function readBody(body: Buffer): Content {
  const data = parse(body)?.data
  const { documents, evidenceSha256 } = data ?? {}
  return {
    documents: Array.isArray(documents) ? documents.filter(isHashed) : [],
    evidence: typeof evidenceSha256 === 'string' ? evidenceSha256 : undefined,
  }
}

function parse(body: Buffer): { data?: { documents?: unknown; evidenceSha256?: unknown } | null } | null {
  try {
    return JSON.parse(body.toString()) as ReturnType<typeof parse>
  } catch {
    return null
  }
}

function isHashed(told: unknown): told is { id: string; sha256: string } {
  const { id, sha256 } = (told ?? {}) as { id?: unknown; sha256?: unknown }
  return typeof id === 'string' && typeof sha256 === 'string'
}
