// From the last person's confirmation to the webhook that says so, in the hands of its receiver: the whole service, as it
// is started, and what its processes take of memory meanwhile.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { samplePdf } from './sample-pdf.ts'
import { startService, type Memory, type Service } from './service.ts'
import type { Line } from './table.ts'

const SIGNINGS = 40
const WARM_UP = 5
const SIZE_BYTES = 1024 * 1024
const LOOK_EVERY_MS = 5
const CLOSING_MS = 500
const DELIVERING_MS = 30

/** Measures with so many signings. */
export async function measureDelivery(signings = SIGNINGS): Promise<Line[]> {
  const folder = mkdtempSync(join('/tmp', 'countersign-bench-delivery-'))
  const receiver = await openReceiver()
  const service = await startService(folder, { COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true' })
  try {
    const api = await logIn(service)
    await api('POST', '/hooks/v1/subscription', { eventType: 'signaturerequestcompleted', uri: receiver.uri })
    const times: number[] = []
    for (let n = -WARM_UP; n < signings; n++) {
      const time = await timeOne(api, service.url, receiver)
      if (n >= 0) times.push(time)
    }
    return [deliveryLine(times), memoryLine(service.memory())]
  } finally {
    await service.stop()
    receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function deliveryLine(times: number[]): Line {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return {
    what: `last signature of 1 MB to delivered webhook, ${times.length} one after the other`,
    ours: `p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms`,
    beside: `the goals of its parts: ${CLOSING_MS} ms to Closed, ${DELIVERING_MS} ms from there`,
    goal: `p99 below ${CLOSING_MS + DELIVERING_MS} ms`,
    isMet: at(0.99) < CLOSING_MS + DELIVERING_MS,
  }
}

function memoryLine({ totalMib, parts }: Memory): Line {
  return { what: 'memory after these signings, all processes', ours: `${totalMib.toFixed(0)} MiB`, beside: parts }
}

type Api = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>

/** Calls below an address with the same headers; an answer without a body is an empty one. */
function callsTo(address: string, headers: Record<string, string>): Api {
  return async (method, path, body) => {
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const reply = await fetch(address + path, init)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  }
}

/** Calls with the key and the token of the first start's administrator. */
async function logIn({ url, made }: Service): Promise<Api> {
  const { key, login, password } = made!
  const headers = { 'ocp-apim-subscription-key': key, 'content-type': 'application/json' }
  const { token } = await callsTo(url, headers)('POST', '/identity/login', { login, password })
  return callsTo(url, { ...headers, authorization: `Bearer ${String(token)}` })
}

/** Milliseconds from the confirmation to the arrival. */
async function timeOne(api: Api, url: string, receiver: Receiver): Promise<number> {
  const { requestId, signatoryId } = await inviteOne(api)
  const path = `/signing/signaturerequest/${requestId}/signatory/${signatoryId}/link`
  const link = new URL(String((await api('GET', path))['url']))
  const sign = await openLink(url, link.pathname.split('/').pop()!)
  const documents = ((await sign('GET', 'request'))['documents'] as { id: string; sha256: string }[]).map(
    ({ id, sha256 }) => ({ id, sha256 }),
  )
  const arrival = receiver.arrivalOf(requestId)
  const confirmedAt = performance.now()
  await sign('POST', 'sign', { documents })
  return (await arrival) - confirmedAt
}

async function inviteOne(api: Api): Promise<{ requestId: string; signatoryId: string }> {
  const { id } = await api('POST', '/onestepsigning/signaturerequest', {
    subject: 'Lease',
    status: 'Open',
    signingAuthenticationStrength: 'None',
    deliveryMethods: ['Link'],
    signatories: [{ firstName: 'Aino', lastName: 'Virtanen' }],
    documents: [{ title: 'Lease', fileName: 'lease.pdf', contentBase64: samplePdf(SIZE_BYTES).toString('base64') }],
  })
  const requestId = String(id)
  for (;;) {
    const request = await api('GET', `/signing/signaturerequest/${requestId}`)
    const [person] = request['signatories'] as { id: string; state: string }[]
    if (person!.state === 'Invited') return { requestId, signatoryId: person!.id }
    await sleep(LOOK_EVERY_MS)
  }
}

/** What the page of a signatory calls, once the link has become a session. */
async function openLink(origin: string, token: string): Promise<Api> {
  const headers = { origin, 'x-countersign-sign': '1', 'content-type': 'application/json' }
  const session = await fetch(`${origin}/sign/api/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token }),
  })
  const cookie = session.headers.getSetCookie()[0]!.split(';')[0]!
  return callsTo(`${origin}/sign/api/`, { ...headers, cookie })
}

/** A receiver of webhooks, which tells when that of a request came. */
type Receiver = { uri: string; arrivalOf(requestId: string): Promise<number>; close(): void }

async function openReceiver(): Promise<Receiver> {
  const expected = new Map<string, (arrivedAt: number) => void>()
  const server = createServer(async (request, response) => {
    const arrivedAt = performance.now()
    const { EventData } = JSON.parse(await readText(request)) as { EventData: { SignatureRequestId: string } }
    response.writeHead(204).end()
    expected.get(EventData.SignatureRequestId)?.(arrivedAt)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivalOf: (requestId) => new Promise((resolve) => expected.set(requestId, resolve)),
    close: () => server.close(),
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
