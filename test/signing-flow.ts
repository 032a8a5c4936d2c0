// What tests of signing share: a service with a worker, and a signatory's browser that speaks HTTP.
import assert from 'node:assert/strict'
import { codeFacts } from '#features/signer/index.ts'
import type { MessageKind } from '#features/messages/index.ts'
import { create } from './signature-requests.ts'
import { until } from './until.ts'
import { makeCaller, startService, type Caller, type Reply, type TestService, type TestTenant } from './service.ts'

/** A service whose worker does what is asked for. */
export function startSigningService(environment: Record<string, string> = {}): Promise<TestService> {
  return startService(environment, { worker: true })
}

/** A signatory's browser: it keeps the cookie, and says where it comes from. */
export class Browser {
  readonly #call: Caller
  readonly #origin: string
  cookie: string | undefined

  constructor(url: string) {
    this.#call = makeCaller(url, {})
    this.#origin = url
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#call('GET', path, undefined, { headers: { ...this.#cookies(), ...headers } })
  }

  async post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Reply> {
    const own = { origin: this.#origin, 'x-countersign-sign': '1', ...this.#cookies() }
    const reply = await this.#call('POST', path, body, { headers: { ...own, ...headers } })
    const [set] = reply.headers.getSetCookie()
    if (set !== undefined) this.cookie = set.split(';')[0]
    return reply
  }

  /** Opens a personal link as the page does. */
  async open(url: string): Promise<Reply> {
    const { pathname, searchParams } = new URL(url)
    const returnUrl = searchParams.get('returnUrl')
    return this.post('/sign/api/session', { token: pathname.split('/').pop(), ...(returnUrl && { returnUrl }) })
  }

  async page(): Promise<Reply['json']> {
    const { status, json, text } = await this.get('/sign/api/request')
    assert.equal(status, 200, text)
    return json
  }

  /** Waits until the page shows one of these states. */
  async pageIn(...states: string[]): Promise<Reply['json']> {
    return until(`the page ${states.join(' or ')}`, async () => {
      const page = await this.page()
      return states.includes(page.state) && page
    })
  }

  /** Confirms exactly what is shown. */
  async sign(mark?: unknown): Promise<Reply> {
    const { documents } = await this.page()
    const shown = documents.map(({ id, sha256 }: { id: string; sha256: string }) => ({ id, sha256 }))
    return this.post('/sign/api/sign', { documents: shown, ...(mark !== undefined && { mark }) })
  }

  #cookies(): Record<string, string> {
    return this.cookie === undefined ? {} : { cookie: this.cookie }
  }
}

export type Ceremony = { requestId: string; signatoryIds: string[] }

/** A request whose first group has been invited. */
export async function invite(tenant: TestTenant, changes: Record<string, unknown> = {}): Promise<Ceremony> {
  const requestId = await create(tenant.call, { signingAuthenticationStrength: 'None', ...changes })
  const request = await until('the invitation', async () => {
    const { json } = await readRequest(tenant, requestId)
    return json.signatories.some(({ state }: { state: string }) => state === 'Invited') && json
  })
  return { requestId, signatoryIds: request.signatories.map(({ id }: { id: string }) => id) }
}

export function readRequest(tenant: TestTenant, requestId: string): Promise<Reply> {
  return tenant.call('GET', `/signing/signaturerequest/${requestId}`)
}

export async function untilStatus(tenant: TestTenant, requestId: string, status: string): Promise<Reply['json']> {
  return until(`status ${status}`, async () => {
    const { json } = await readRequest(tenant, requestId)
    return json.status === status && json
  })
}

export async function linkOf(tenant: TestTenant, requestId: string, signatoryId: string): Promise<string> {
  const path = `/signing/signaturerequest/${requestId}/signatory/${signatoryId}/link`
  const { status, json, text } = await tenant.call('GET', path)
  assert.equal(status, 200, text)
  return json.url
}

/** A browser with an open session for the signatory. */
export async function openLink(
  service: TestService,
  tenant: TestTenant,
  requestId: string,
  signatoryId: string,
): Promise<Browser> {
  const browser = new Browser(service.url)
  const { status, text } = await browser.open(await linkOf(tenant, requestId, signatoryId))
  assert.equal(status, 204, text)
  return browser
}

export type SentMessage = { kind: MessageKind; channel: string; signatoryId: string; referenceId: string | null }

/** The messages about a request, oldest first. */
export async function messagesOf({ database }: TestService, requestId: string): Promise<SentMessage[]> {
  const rows = await database.asOwner(
    `select kind, channel, signatory_id as "signatoryId", reference_id as "referenceId"
       from message where request_id = $1 order by created_at, id`,
    [requestId],
  )
  return rows as SentMessage[]
}

/** The digits of the newest code that a message to the signatory tells. */
export async function codeSentTo(
  service: TestService,
  tenant: TestTenant,
  requestId: string,
  signatoryId: string,
): Promise<string> {
  const messages = await messagesOf(service, requestId)
  const message = messages.findLast((sent) => sent.kind === 'code' && sent.signatoryId === signatoryId)
  assert.ok(message, 'no code was sent')
  const row = { ...message, tenantId: tenant.tenantId } as unknown as Parameters<typeof codeFacts>[1]
  const facts = await codeFacts(service.platform, row)
  assert.ok(facts?.code, 'the code can not be told any more')
  return facts.code.digits
}

/** A document's bytes by its uri, or those of any other address. */
export async function fetchBytes(service: TestService, tenant: TestTenant, address: string): Promise<Buffer> {
  const path = address.startsWith('/') ? address : `/storage/document/${address}`
  const response = await fetch(service.url + path, { headers: { 'ocp-apim-subscription-key': tenant.key } })
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

/** Waits until the worker has nothing left that is due. */
export async function untilQuiet({ database, clock }: TestService): Promise<void> {
  const due = `select from job where state = 'waiting' and run_at <= $1`
  await until('quiet', async () => (await database.asOwner(due, [clock.now()])).length === 0)
}
