// What must hold after every restart, whatever was killed: promises are kept, and nothing is there by half or twice.
import { createHash, type JsonWebKey } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyHistory } from '#features/history/index.ts'
import { KEY, type Installation } from '../installation.ts'
import type { Ask, Load } from './load.ts'

type Found = {
  id: string
  externalReference: string
  status: string
  signatories: unknown[]
  documents: { documentURI: string; sourceDocumentURI: string; sha256: string }[]
}

const PAGE = 500
const QUIET_WITHIN_MS = 10_000
const AT_ONCE = 8

/** Everything that is wrong, each in a sentence. The load must be at rest. */
export async function findProblems(
  installation: Installation,
  load: Pick<Load, 'asks' | 'surprises'>,
): Promise<string[]> {
  const { items, problems } = await listAll(installation)
  const byReference = Map.groupBy(items, ({ externalReference }) => externalReference)
  for (const ask of load.asks) problems.push(...problemsOf(ask, byReference.get(ask.reference) ?? []))
  const asked = new Set(load.asks.map(({ reference }) => reference))
  for (const reference of byReference.keys()) if (!asked.has(reference)) problems.push(`nobody asked for ${reference}`)
  const keys = (await installation.call('GET', '/event/.well-known/jwks.json')).json.keys as JsonWebKey[]
  const asks = new Map(load.asks.map((ask) => [ask.reference, ask]))
  await forEach(items, async (found) => {
    problems.push(...(await problemsInside(installation, found, asks.get(found.externalReference), keys)))
  })
  return [
    ...load.surprises,
    ...problems,
    ...(await problemsOfCounts(installation, items)),
    ...(await leftStaged(installation)),
  ]
}

function problemsOf({ reference, ids, cancel, safety }: Ask, found: Found[]): string[] {
  const problems: string[] = []
  if (found.length > 1) problems.push(`${reference} (${safety}) is there ${found.length} times`)
  if (ids.size > 1) problems.push(`${reference} (${safety}) was answered with ${ids.size} ids`)
  const [id] = ids
  if (id !== undefined && found[0]?.id !== id)
    problems.push(`${reference} was promised as ${id}, found: ${found[0]?.id}`)
  if (cancel === 'done' && found[0]?.status !== 'Canceled')
    problems.push(`${reference} is ${found[0]?.status}, not Canceled`)
  if (cancel === 'not asked' && found[0] && found[0].status !== 'Open')
    problems.push(`${reference} is ${found[0].status}`)
  return problems
}

/** A request is whole: its signatory, its document byte for byte, its history to the signed end. */
async function problemsInside(
  { call, port }: Installation,
  { id, externalReference, status, signatories, documents }: Found,
  ask: Ask | undefined,
  keys: JsonWebKey[],
): Promise<string[]> {
  const problems: string[] = []
  if (signatories.length !== 1 || documents.length !== 1) problems.push(`${externalReference} is there by half`)
  const [document] = documents
  const given = await download(port, document?.sourceDocumentURI ?? '')
  const latest = await download(port, document?.documentURI ?? '')
  if (ask && hashOf(given) !== ask.sha256)
    problems.push(`${externalReference} has a document of ${given.length} bytes with the hash ${hashOf(given)}`)
  if (hashOf(latest) !== document?.sha256 || !latest.subarray(0, given.length).equals(given))
    problems.push(`${externalReference} has a latest revision that is not its document with additions`)
  const history = (await call('GET', `/event/signaturerequest/${id}`)).json
  const verdict = verifyHistory(history, keys)
  if (!verdict.isIntact) problems.push(`${externalReference} has a broken history: ${verdict.problem}`)
  const types = (history.items as { eventType: string }[]).map(({ eventType }) => eventType)
  const isCanceled = types.includes('signaturerequestcanceled')
  if (types[0] !== 'signaturerequestcreated' || isCanceled !== (status === 'Canceled'))
    problems.push(`${externalReference} is ${status} after ${types.join()}`)
  return problems
}

async function download(port: number, uri: string): Promise<Buffer> {
  const response = await fetch(`http://127.0.0.1:${port}/storage/document/${uri}`, {
    headers: { 'ocp-apim-subscription-key': KEY },
  })
  return Buffer.from(await response.arrayBuffer())
}

async function listAll({ call }: Installation): Promise<{ items: Found[]; problems: string[] }> {
  const items: Found[] = []
  for (;;) {
    const { status, json, text } = await call('GET', `/signing/signaturerequest?take=${PAGE}&skip=${items.length}`)
    if (status !== 200) return { items, problems: [`the listing answers ${status} ${text}`] }
    items.push(...json.items)
    if (json.items.length < PAGE) return { items, problems: [] }
  }
}

async function problemsOfCounts({ call }: Installation, items: Found[]): Promise<string[]> {
  const problems: string[] = []
  for (const status of [undefined, 'Open', 'Canceled', 'Draft']) {
    const query = status === undefined ? '' : `&status=${status}`
    const { total } = (await call('GET', `/signing/signaturerequest?take=1${query}`)).json
    const there = items.filter((item) => status === undefined || item.status === status).length
    if (total !== there) problems.push(`total says ${total} ${status ?? 'requests'}, there are ${there}`)
  }
  return problems
}

/** The worker goes on preparing documents while we look: only what stays is left over. */
async function leftStaged({ dataDir }: Installation): Promise<string[]> {
  const read = () => readdirSync(join(dataDir, 'documents', 'staging'))
  const atFirst = new Set(read())
  for (const end = performance.now() + QUIET_WITHIN_MS; ; await sleep(100)) {
    const left = read().filter((name) => atFirst.has(name))
    if (left.length === 0) return []
    if (performance.now() > end) return [`${left.length} files are left in the staging folder: ${left.join()}`]
  }
}

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
