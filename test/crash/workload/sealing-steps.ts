// Stored documents, sealing requests and the certificates of seals.
import { newId } from '#platform/ids.ts'
import { makePdf } from '../../small-pdf.ts'
import { change, changeToOneOf, remove, type Thing } from '../ledger.ts'
import { idOf, WRONG_STATE, type Client } from './client.ts'

const SEALED = ['Open', 'Processing', 'Processed', 'Error']
const changeable = { mayRefuse: WRONG_STATE }

export async function upload(client: Client): Promise<void> {
  const mark = `${client.newMark()}.pdf`
  const reply = await client.call('POST /storage/document', {
    query: `?fileName=${mark}`,
    raw: makePdf(mark, { paddingBytes: Math.floor(client.random.between(0, 40_000)) }),
    headers: { 'content-type': 'application/pdf' },
  })
  if (reply?.status !== 200) return
  // One without an answer is found by nothing of its own: sealed copies have the same name. It goes by itself in time.
  const thing = client.ask('stored_document', 'id', reply.json.uri)
  thing.ids.add(reply.json.uri)
  client.mine.uploads.push(thing)
}

export async function createSealingRequest(client: Client): Promise<void> {
  const mark = client.newMark()
  const thing = client.ask('sealing_request', 'external_reference', mark, { subject: mark, status: 'Draft' })
  const body = { subject: mark, externalReference: mark }
  const reply = await client.call('POST /sealing/sealingrequest', { body })
  if (reply?.status !== 200) return
  thing.ids.add(reply.json.id)
  client.mine.sealing.push(thing)
}

/** With an id of the client's own: made the first time, changed every time after. */
export async function putSealingRequest(client: Client): Promise<void> {
  const known = client.random.next() < 0.6 ? client.pick('sealing') : undefined
  const subject = client.newMark()
  if (known) {
    const params = { sealingRequestId: idOf(known) }
    const reply = await client.call('PUT /sealing/sealingrequest/:sealingRequestId', {
      params,
      body: { subject },
      ...changeable,
    })
    if (client.outcomeOf(reply) !== 'refused') change(known, { subject }, reply ? 'done' : 'unknown')
    return
  }
  const id = newId()
  const thing = client.ask('sealing_request', 'external_reference', subject, { subject, status: 'Draft' })
  const reply = await client.call('PUT /sealing/sealingrequest/:sealingRequestId', {
    params: { sealingRequestId: id },
    body: { subject, externalReference: subject },
  })
  if (reply?.status !== 200) return
  thing.ids.add(id)
  client.mine.sealing.push(thing)
}

/** Adds one or two documents, sometimes takes one away again, and has the request sealed. */
export async function fillAndSeal(client: Client): Promise<void> {
  const request = client.pick('sealing')
  const document = client.pick('uploads')
  if (request === undefined || document === undefined) return
  const requestId = idOf(request)
  const added = await addDocument(client, requestId, document)
  if (added?.status !== 200) return
  if (client.random.next() < 0.3) return takeAway(client, requestId, added.json.id)
  if (client.random.next() < 0.4) await addDocument(client, requestId, client.pick('uploads')!)
  await openForSealing(client, request)
}

function addDocument(client: Client, sealingRequestId: string, document: Thing) {
  return client.call('POST /sealing/sealingrequest/:sealingRequestId/document', {
    params: { sealingRequestId },
    body: { documentURI: idOf(document) },
    ...changeable,
  })
}

async function takeAway(client: Client, sealingRequestId: string, documentId: string): Promise<void> {
  const thing = client.ask('sealing_document', 'id', documentId)
  thing.ids.add(documentId)
  const reply = await client.call('DELETE /sealing/sealingrequest/:sealingRequestId/document/:documentId', {
    params: { sealingRequestId, documentId },
    ...changeable,
  })
  if (client.outcomeOf(reply) !== 'refused') remove(thing, reply ? 'done' : 'unknown')
}

async function openForSealing(client: Client, request: Thing): Promise<void> {
  const reply = await client.call('PUT /sealing/sealingrequest/:sealingRequestId', {
    params: { sealingRequestId: idOf(request) },
    body: { status: 'Open' },
    ...changeable,
  })
  if (client.outcomeOf(reply) === 'refused') return
  changeToOneOf(request, 'status', SEALED, reply ? 'done' : 'unknown')
  client.mine.sealing.splice(client.mine.sealing.indexOf(request), 1)
  client.mine.sealed.push(request)
}

/** Reads a request from its making to its seal, with its documents and its history, and keeps what was seen. */
export async function readSealingRequest(client: Client): Promise<void> {
  const request = client.pick(client.random.pick(['sealing', 'sealed'] as const))
  if (request === undefined) return
  const requestId = idOf(request)
  const params = { sealingRequestId: requestId }
  const before = await observeSealing(client, requestId)
  const documents = await client.call('GET /sealing/sealingrequest/:sealingRequestId/document', { params })
  const history = await client.call('GET /event/sealingrequest/:sealingRequestId/proof', { params })
  const after = await observeSealing(client, requestId)
  if (documents?.status !== 200 || history?.status !== 200) return
  const areSealed = (documents.json.items as SeenDocument[]).map((seen) => seen.documentURI !== seen.sourceDocumentURI)
  const isSteady = before !== undefined && before.version === after?.version
  const steady = isSteady ? { status: before.status, told: statusTold(history.json.items) } : undefined
  client.ledger.sealingsInParts.push({ requestId, areSealed, steady })
}

type SeenDocument = { documentURI: string; sourceDocumentURI: string }
type SeenEvent = { eventType: string; data: { status?: string } | null }

async function observeSealing(client: Client, requestId: string) {
  const reply = await client.call('GET /sealing/sealingrequest/:sealingRequestId', {
    params: { sealingRequestId: requestId },
  })
  if (reply?.status !== 200) return undefined
  const version = Number(reply.headers.get('etag')?.replaceAll('"', ''))
  const seen = { requestId, status: reply.json.status as string, version }
  client.ledger.sealings.push(seen)
  return seen
}

/** Where the moves of a history lead; it begins as a draft. */
function statusTold(events: readonly SeenEvent[]): string {
  return events.findLast(({ eventType }) => eventType === 'sealingrequeststatusupdated')?.data?.status ?? 'Draft'
}

/** A new seal of the root department takes the place of the old one; sometimes it is revoked at once. */
export async function renewSeal(client: Client): Promise<void> {
  const reply = await client.call('POST /sealing/certificate', { body: { generate: true }, as: 'administrator' })
  if (reply?.status !== 202) return
  const thing = client.ask('certificate', 'id', reply.json.id)
  thing.ids.add(reply.json.id)
}

/** A department of its own loses its seal: nobody else's documents depend on it. */
export async function revokeSeal(client: Client): Promise<void> {
  const department = client.pick('departments')
  if (department === undefined) return
  const as = 'administrator'
  const made = await client.call('POST /sealing/certificate', {
    body: { generate: true, departmentId: idOf(department) },
    as,
    mayRefuse: WRONG_STATE,
  })
  if (made?.status !== 202) return
  const thing = client.ask('certificate', 'id', made.json.id)
  thing.ids.add(made.json.id)
  const params = { id: idOf(thing) }
  const reply = await client.call('DELETE /sealing/certificate/:id', { params, as, mayRefuse: WRONG_STATE })
  if (client.outcomeOf(reply) !== 'refused') changeToOneOf(thing, 'state', ['Revoked'], reply ? 'done' : 'unknown')
}
