// Clients that create, read and cancel while the service is killed under them. Each writes down what it was promised:
// an answer is a promise, and no answer means that nobody knows.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#platform/ids.ts'
import type { Caller, Reply } from '../service.ts'
import { CREATE, payload } from '../signature-requests.ts'
import { makePdf } from '../small-pdf.ts'
import { Random } from './random.ts'

/** One signature request that a client asked for, by a reference of its own. */
export type Ask = {
  reference: string
  sha256: string
  /** How a repeat is made harmless: by the request's own id, by a header, or not at all: then nothing is repeated. */
  safety: 'own id' | 'Idempotency-Key' | 'none'
  /** The ids that the service answered with; empty while nobody knows whether it exists. */
  ids: Set<string>
  cancel: 'not asked' | 'unknown' | 'done'
}

export type Load = {
  asks: Ask[]
  /** Answers that no client should ever get. */
  surprises: string[]
  calls: number
  unknown: number
  stop(): Promise<void>
}

type Client = { call: Caller; random: Random; load: Load; name: string; signal: AbortSignal }

const PAUSE_MS = [5, 40] as const
/** Whoever got no answer waits a little before the next call. */
const PATIENCE_MS = 100

export function startLoad(call: Caller, { clients, seed }: { clients: number; seed: number }): Load {
  const ending = new AbortController()
  const load: Load = { asks: [], surprises: [], calls: 0, unknown: 0, stop: async () => {} }
  const running = Array.from({ length: clients }, async (_, index) => {
    const random = new Random(seed + index + 1)
    const client = { call, random, load, name: `${seed}-${index}`, signal: ending.signal }
    for (let turn = 0; !ending.signal.aborted; turn++) {
      await takeTurn(client, turn)
      await sleep(client.random.between(...PAUSE_MS))
    }
  })
  load.stop = async () => {
    ending.abort()
    await Promise.all(running)
  }
  return load
}

async function takeTurn(client: Client, turn: number): Promise<void> {
  const { random, load } = client
  const known = load.asks.filter(({ ids }) => ids.size > 0)
  const choice = random.next()
  if (choice < 0.55 || known.length === 0) return create(client, turn)
  if (choice < 0.8) return read(client, random.pick(known))
  return cancel(client, random.pick(known))
}

async function create(client: Client, turn: number): Promise<void> {
  const { random, load, name, signal } = client
  const reference = `${name}-${turn}`
  const pdf = makePdf(reference, { paddingBytes: Math.floor(random.between(0, 60_000)) })
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  const safety = random.pick(['own id', 'Idempotency-Key', 'none'] as const)
  const ask: Ask = { reference, sha256, safety, ids: new Set(), cancel: 'not asked' }
  load.asks.push(ask)
  const body = payload({
    externalReference: reference,
    documents: [{ title: 'Lease', fileName: 'lease.pdf', contentBase64: pdf.toString('base64') }],
    ...(safety === 'own id' && { id: newId() }),
  })
  const headers: Record<string, string> = safety === 'Idempotency-Key' ? { 'idempotency-key': reference } : {}
  for (let isDone = false; !isDone; await sleep(random.between(5, 100))) {
    const reply = await send(client, () => client.call('POST', CREATE, body, { headers }))
    if (reply?.status === 202) ask.ids.add(reply.json.id)
    else if (reply) load.surprises.push(`${reference}: ${reply.status} ${reply.text}`)
    // Even an answered call is sometimes repeated where that is safe: for all the client knows, the answer got lost.
    isDone = safety === 'none' || signal.aborted || (reply !== undefined && random.next() < 0.8)
  }
}

async function read(client: Client, { reference, ids }: Ask): Promise<void> {
  const [id] = ids
  const reply = await send(client, () => client.call('GET', `/signing/signaturerequest/${id}`))
  if (!reply) return
  // Its hash is that of the latest revision: the worker may have prepared it for signing by now.
  const found = reply.json?.documents?.length
  if (found !== 1) client.load.surprises.push(`${reference}: read ${reply.status} ${reply.text.slice(0, 200)}`)
}

async function cancel(client: Client, ask: Ask): Promise<void> {
  const [id] = ask.ids
  if (ask.cancel === 'not asked') ask.cancel = 'unknown'
  const reply = await send(client, () => client.call('POST', `/signing/signaturerequest/${id}/cancel`))
  if (!reply) return
  if (reply.status === 200 || reply.status === 204) ask.cancel = 'done'
  else client.load.surprises.push(`${ask.reference}: cancel ${reply.status} ${reply.text}`)
}

/** The answer, or undefined where nobody knows: no answer at all, or one that says that the service is in trouble. */
async function send({ load }: Client, call: () => Promise<Reply>): Promise<Reply | undefined> {
  load.calls++
  const reply = await call().catch(() => undefined)
  if (reply !== undefined && reply.status < 500) return reply
  load.unknown++
  await sleep(PATIENCE_MS)
  return undefined
}
