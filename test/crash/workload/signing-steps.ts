// Signature requests from their making to their archive.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#platform/ids.ts'
import { makePdf } from '../../small-pdf.ts'
import { change, changeToOneOf, type Thing } from '../ledger.ts'
import { idOf, isRefused, WRONG_STATE, type Client } from './client.ts'
import { emailOf, wordOf } from './people.ts'

const CREATE = 'POST /onestepsigning/signaturerequest'
const ANY_BUT_DRAFT = ['Open', 'Processing', 'Closed', 'Canceled', 'Error', 'Archiving', 'Archived', 'ArchivingFailed']
const RARELY = 0.15
const MOST_TRIES = 8

/** Makes a request. A repeat is made harmless by the caller's own id, by a header, or not at all: then there is none. */
export async function createRequest(client: Client): Promise<void> {
  const { random, ledger, mine } = client
  const mark = client.newMark()
  const isDraft = random.next() < 0.25
  const safety = random.pick(['own id', 'key', 'none'] as const)
  const { body, sha256s } = newRequest(client, { mark, isDraft, ownId: safety === 'own id' })
  const allowed = isDraft ? ['Draft'] : ANY_BUT_DRAFT
  const thing = client.ask('signature_request', 'external_reference', mark, { source_sha256: sha256s.join() })
  thing.values.set('status', allowed)
  const headers: Record<string, string> = safety === 'key' ? { 'idempotency-key': mark } : {}
  const answers: string[] = []
  for (let tries = 1, isDone = false; !isDone; tries++) {
    const reply = await client.call(CREATE, { body, headers })
    if (reply?.status === 202) {
      thing.ids.add(reply.json.id)
      answers.push(`${reply.status} ${reply.json.id}`)
    }
    // Even an answered call is sometimes repeated where that is safe: for all the client knows, the answer got lost.
    isDone = safety === 'none' || tries >= MOST_TRIES || (reply !== undefined && random.next() > RARELY)
    if (!isDone) await sleep(random.between(5, 60))
  }
  if (answers.length > 1) ledger.repeats.push({ what: `${CREATE} ${mark} (${safety})`, answers })
  if (safety === 'key' && answers.length > 0 && random.next() < RARELY) await clash(client, mark, headers)
  if (thing.ids.size > 0) mine[isDraft ? 'drafts' : 'open'].push(thing)
}

/** The same key with another body is refused. */
async function clash(client: Client, mark: string, headers: Record<string, string>): Promise<void> {
  const { body } = newRequest(client, { mark: `${mark}-other`, isDraft: true, ownId: false })
  const reply = await client.call(CREATE, { body, headers, mayRefuse: ['UniqueConstraint'] })
  if (reply) client.ledger.clashes.push({ what: mark, status: reply.status })
}

type NewRequest = { mark: string; isDraft: boolean; ownId: boolean }

function newRequest({ random }: Client, { mark, isDraft, ownId }: NewRequest) {
  const people = 1 + Math.floor(random.next() * 2)
  const isInGroups = random.next() < 0.3
  const documents = Array.from({ length: random.next() < 0.2 ? 2 : 1 }, (_, index) =>
    makePdf(`${mark} ${index}`, { paddingBytes: Math.floor(random.between(0, 20_000)) }),
  )
  const body = {
    subject: `Lease ${mark}`,
    status: isDraft ? 'Draft' : 'Open',
    externalReference: mark,
    deliveryMethods: random.next() < 0.4 ? ['Email'] : ['Link'],
    signingAuthenticationStrength: random.next() < 0.15 ? 'Email' : 'None',
    signatories: Array.from({ length: people }, (_, index) => ({
      firstName: 'Aino',
      lastName: `Virtanen ${wordOf(mark, index)}`,
      email: emailOf(mark, index),
      signatoryGroupSigningOrder: isInGroups ? index + 1 : 1,
    })),
    documents: documents.map((pdf, index) => ({
      title: `Document ${index} ${mark}`,
      fileName: 'lease.pdf',
      contentBase64: pdf.toString('base64'),
    })),
    ...(ownId && { id: newId() }),
  }
  return { body, sha256s: documents.map((pdf) => createHash('sha256').update(pdf).digest('hex')) }
}

/** Other content in a draft: all of it, or none. */
export async function changeDraft(client: Client): Promise<void> {
  const thing = client.take('drafts')
  if (thing === undefined) return
  const { body, sha256s } = newRequest(client, { mark: thing.mark, isDraft: true, ownId: false })
  const reply = await client.call('PUT /onestepsigning/signaturerequest/:id', { params: { id: idOf(thing) }, body })
  change(thing, { source_sha256: sha256s.join() }, reply ? 'done' : 'unknown')
  client.mine.drafts.push(thing)
}

export async function openDraft(client: Client): Promise<void> {
  const thing = client.take('drafts')
  if (thing === undefined) return
  const reply = await client.call('POST /signing/signaturerequest/:id/open', { params: { id: idOf(thing) } })
  changeToOneOf(thing, 'status', ANY_BUT_DRAFT, reply ? 'done' : 'unknown')
  client.mine.open.push(thing)
}

export async function cancelRequest(client: Client): Promise<void> {
  const thing = client.random.next() < 0.7 ? client.take('open') : client.take('drafts')
  if (thing === undefined) return
  // Its answer shows the people of the request, and is kept for whoever repeats the call; erasing them reaches it as well.
  const headers = { 'idempotency-key': `cancel ${idOf(thing)}` }
  noteCanceled(thing, await cancel(client, thing, headers))
  client.mine.finished.push(thing)
}

/** Several take the same request at once; exactly one of them ends it. */
export async function cancelAtOnce(client: Client): Promise<void> {
  const thing = client.take('open')
  if (thing === undefined) return
  const replies = await Promise.all([cancel(client, thing), cancel(client, thing), cancel(client, thing)])
  for (const reply of replies.sort((a, b) => Number(a !== undefined) - Number(b !== undefined)))
    noteCanceled(thing, reply)
  client.mine.finished.push(thing)
}

function cancel(client: Client, thing: Thing, headers: Record<string, string> = {}) {
  const params = { id: idOf(thing) }
  const body = { reason: 'Not needed' }
  return client.call('POST /signing/signaturerequest/:id/cancel', { params, body, headers, mayRefuse: WRONG_STATE })
}

/** It may have been signed meanwhile: then it can't be canceled any more, and nothing has changed. */
function noteCanceled(thing: Thing, reply: Awaited<ReturnType<typeof cancel>>): void {
  if (isRefused(reply)) return
  changeToOneOf(thing, 'status', ['Canceled'], reply ? 'done' : 'unknown')
}

export async function remind(client: Client): Promise<void> {
  const thing = client.pick('open')
  const params = thing && { id: idOf(thing) }
  if (params) await client.call('POST /signing/signaturerequest/:id/remind', { params, mayRefuse: WRONG_STATE })
}

export async function retry(client: Client): Promise<void> {
  const thing = client.pick('open')
  const params = thing && { id: idOf(thing) }
  if (params) await client.call('POST /signing/signaturerequest/:id/retry', { params, mayRefuse: WRONG_STATE })
}

/** What the client's own archive reports about a request that is closed. */
export async function archive(client: Client): Promise<void> {
  const thing = client.pick('finished')
  if (thing === undefined) return
  const status = client.random.pick(['Archiving', 'Archived', 'ArchivingFailed'] as const)
  const reply = await client.call('PATCH /archiving/signaturerequest/:id', {
    params: { id: idOf(thing) },
    body: { status },
    mayRefuse: WRONG_STATE,
  })
  if (isRefused(reply)) return
  if (reply) change(thing, { status }, 'done')
  else changeToOneOf(thing, 'status', [status, 'Closed', 'Canceled'], 'unknown')
}

/** Somebody of a finished request asks to be forgotten. */
export async function erasePerson(client: Client): Promise<void> {
  const thing = client.pick('finished')
  if (thing === undefined) return
  const reply = await client.call('POST /signing/erasure', { body: { email: emailOf(thing.mark, 0) } })
  if (reply) client.ledger.erased.push({ word: wordOf(thing.mark, 0), requestIds: reply.json.requestIds })
}
