// A signatory in a browser: the link becomes a session, the documents are read, a code is typed, and the person signs or
// declines exactly what was shown.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../../service.ts'
import { changeToOneOf, type Sitting, type Thing } from '../ledger.ts'
import { idOf, WRONG_STATE, type Ask, type Client } from './client.ts'
import { isOf } from './people.ts'
import { observe } from './reading-steps.ts'

/** Of the refusal of a code that was compared; one that had ended is not. */
const WRONG_CODE = 1950
const CODE = /^\s{4}(\d{6})$/m
const LINK_IS_DEAD = ['EntityNotFound', 'InvalidOperation'] as const
/** The session may have ended with the request, or the code with its time. */
const MAY_BE_OVER = [
  ...WRONG_STATE,
  'AuthenticationError',
  'AuthorizationError',
  'InvalidArgument',
  'EntityNotFound',
] as const
const AFTER_SIGNING = ['Open', 'Processing', 'Closed', 'Error', 'Archiving', 'Archived', 'ArchivingFailed']

/** Everybody whose turn it is in one of the client's requests sits down, one after the other. */
export async function signRequest(client: Client): Promise<void> {
  const thing = client.pick('open')
  const request = thing && (await observe(client, idOf(thing)))
  if (thing === undefined || request === undefined) return
  if (!['Draft', 'Open'].includes(request.status)) return finish(client, thing)
  for (const { id, state } of request.signatories) {
    if (['Invited', 'Viewed'].includes(state)) await sit(client, thing, id)
  }
}

function finish(client: Client, thing: Thing): void {
  const index = client.mine.open.indexOf(thing)
  if (index >= 0) client.mine.finished.push(...client.mine.open.splice(index, 1))
}

/** The links of a request that has ended open nothing. */
export async function openDeadLink(client: Client): Promise<void> {
  const thing = client.pick('open')
  const request = thing && (await observe(client, idOf(thing)))
  const signatory = request?.signatories[0]
  if (thing === undefined || request?.status !== 'Open' || signatory === undefined) return
  const link = await getLink(client, idOf(thing), signatory.id)
  const reply = link && (await client.call('POST /signing/signaturerequest/:id/cancel', cancelAsk(thing)))
  if (!reply) return changeToOneOf(thing, 'status', ['Canceled'], 'unknown')
  if (reply.status >= 300) return
  changeToOneOf(thing, 'status', ['Canceled'], 'done')
  finish(client, thing)
  const opened = await new Visitor(client).open(link)
  if (opened) client.ledger.deadLinks.push({ requestId: idOf(thing), status: opened.status })
}

const tokenOf = (link: string) => new URL(link).pathname.split('/').pop()

const cancelAsk = (thing: Thing): Ask => ({ params: { id: idOf(thing) }, body: {}, mayRefuse: WRONG_STATE })

async function getLink(client: Client, id: string, signatoryId: string): Promise<string | undefined> {
  const params = { id, signatoryId }
  const reply = await client.call('GET /signing/signaturerequest/:id/signatory/:signatoryId/link', {
    params,
    mayRefuse: WRONG_STATE,
  })
  return reply?.json?.url
}

async function sit(client: Client, thing: Thing, signatoryId: string): Promise<void> {
  const requestId = idOf(thing)
  const link = await getLink(client, requestId, signatoryId)
  const visitor = new Visitor(client)
  if (link === undefined || (await visitor.open(link))?.status !== 204) return
  if (client.random.next() < 0.05 && (await visitor.report(link))?.status === 204)
    client.ledger.reports.add(signatoryId)
  const page = (await visitor.call('GET /sign/api/request'))?.json
  if (page?.state !== 'ready') return
  if (client.random.next() < 0.3) await visitor.call('POST /sign/api/language', { body: { language: 'fi' } })
  const shown = await visitor.read(page.documents)
  if (shown === undefined) return
  await visitor.call('POST /sign/api/viewed', { mayRefuse: MAY_BE_OVER })
  if (!page.signing.isMet && !(await visitor.typeCode(signatoryId, thing.mark))) return
  const deed = client.random.next() < 0.12 ? 'decline' : 'sign'
  const sitting: Sitting = { tenantId: thing.tenantId, requestId, signatoryId, shown, deed, outcome: 'unknown' }
  client.ledger.sittings.push(sitting)
  const reply = await visitor.decide(deed, shown)
  if (reply === undefined) return changeToOneOf(thing, 'status', [...AFTER_SIGNING, 'Canceled'], 'unknown')
  if (reply.status >= 300) return void client.ledger.sittings.splice(client.ledger.sittings.indexOf(sitting), 1)
  sitting.outcome = 'done'
  // Whoever else is asked may still decline.
  changeToOneOf(thing, 'status', deed === 'decline' ? ['Canceled'] : [...AFTER_SIGNING, 'Canceled'], 'done')
  if (client.random.next() < 0.3) await visitor.decide(deed, shown)
}

/** A browser without key or account; it keeps the cookie of its session. */
class Visitor {
  readonly #client: Client
  #cookie: string | undefined

  constructor(client: Client) {
    this.#client = client
  }

  call(operation: string, ask: Ask = {}): Promise<Reply | undefined> {
    const headers: Record<string, string> = this.#cookie === undefined ? {} : { cookie: this.#cookie }
    const usual = { as: 'guest', headers, ...(operation.startsWith('POST') && { body: {} }) } as const
    return this.#client.call(operation, { ...usual, ...ask })
  }

  /** Does not know the sender, and says so. */
  report(link: string): Promise<Reply | undefined> {
    return this.call('POST /sign/api/report', { body: { token: tokenOf(link) }, mayRefuse: LINK_IS_DEAD })
  }

  async open(link: string): Promise<Reply | undefined> {
    const token = tokenOf(link)
    const reply = await this.call('POST /sign/api/session', { body: { token }, mayRefuse: LINK_IS_DEAD })
    this.#cookie = reply?.headers.getSetCookie()[0]?.split(';')[0]
    return reply
  }

  /** Downloads what is shown, and answers with the hashes of the bytes that came. */
  async read(documents: { id: string; sha256: string; url: string }[]): Promise<Map<string, string> | undefined> {
    const shown = new Map<string, string>()
    for (const { id, url } of documents) {
      const response = await fetch(this.#client.url + url, { headers: { cookie: this.#cookie ?? '' } }).catch(
        () => undefined,
      )
      const bytes = response?.status === 200 && (await response.arrayBuffer().catch(() => undefined))
      if (!bytes) return undefined
      this.#count('GET /sign/api/document/:id')
      shown.set(id, createHash('sha256').update(Buffer.from(bytes)).digest('hex'))
    }
    return shown
  }

  decide(deed: 'sign' | 'decline', shown: Map<string, string>): Promise<Reply | undefined> {
    const documents = [...shown].map(([id, sha256]) => ({ id, sha256 }))
    const body = deed === 'sign' ? { documents } : { reason: 'I would rather not' }
    return this.call(`POST /sign/api/${deed}`, { body, mayRefuse: MAY_BE_OVER })
  }

  /** Types a wrong code, then the one that came by mail; false where none came in time. */
  async typeCode(signatoryId: string, mark: string): Promise<boolean> {
    const sent = await this.call('POST /sign/api/code', { body: { purpose: 'signing' }, mayRefuse: MAY_BE_OVER })
    if (sent?.status !== 202) return false
    if (this.#client.random.next() < 0.5) await this.#verify(signatoryId, '000000', false)
    const code = await this.#awaitCode(mark)
    return code !== undefined && (await this.#verify(signatoryId, code, true))?.status === 204
  }

  async #verify(signatoryId: string, code: string, isRight: boolean): Promise<Reply | undefined> {
    const reply = await this.call('POST /sign/api/code/verify', {
      body: { purpose: 'signing', code },
      mayRefuse: MAY_BE_OVER,
    })
    const { tenantId } = this.#client.tenant
    const isIn = reply?.status === 204
    const isJudged = isIn || reply?.json?.code === WRONG_CODE
    if (reply) this.#client.ledger.codes.push({ tenantId, signatoryId, isRight, isJudged, isIn })
    return reply
  }

  async #awaitCode(mark: string): Promise<string | undefined> {
    for (let tries = 0; tries < 20; tries++) {
      const mail = this.#client.mails.findLast(({ to, text }) => isOf(mark, to[0]!) && CODE.test(text))
      if (mail) return CODE.exec(mail.text)![1]
      await sleep(50)
    }
    return undefined
  }

  #count(operation: string): void {
    const calls = this.#client.ledger.calls.get(operation) ?? { answered: 0, unknown: 0 }
    calls.answered++
    this.#client.ledger.calls.set(operation, calls)
  }
}
