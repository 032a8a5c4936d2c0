// An upgrade as it is done without a pause: the older release answers while the database is migrated, the newer one is
// started beside it, and then the older one is stopped. Clients work all the while.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { startMachine, type Machine } from '../machines.ts'
import { makeCaller, type Caller } from '../service.ts'
import { CREATE, payload } from '../signature-requests.ts'
import { until } from '../until.ts'

const CLIENTS = 2
const LOAD_MS = 800
const LEAST_ANSWERED = 10
const INVITED_WITHIN_MS = 180_000

export type RollOver = {
  /** Database, secret key and store, which both releases share. */
  environment: Record<string, string>
  /** Where the older release lies, and the newer one. */
  olderFolder: string
  newerFolder: string
  migrate: () => Promise<unknown>
  say?: (line: string) => void
}

export type RollOverFigures = {
  /** Calls that were answered as they should be. */
  answered: number
  /** Why calls had to be made again: they were not answered, or with 503. */
  repeated: string[]
  /** What was answered as it should not be. */
  surprises: string[]
  /** Requests that were promised, and that the newer release does not know or does not go on with. */
  lost: string[]
  longestWaitMs: number
  /** Whether the older server called itself ready after the migration. */
  wasOlderReady: boolean
}

/** Replaces one release by the other under load, and tells what the clients saw. */
export async function rollOver({ environment, olderFolder, newerFolder, migrate, say }: RollOver) {
  const machines: Machine[] = []
  const start = async (part: 'serve' | 'work', folder: string) => {
    const machine = await startMachine({ part, environment, folder })
    machines.push(machine)
    return machine
  }
  try {
    const key = makeKey(olderFolder, environment)
    const older = [await start('serve', olderFolder), await start('work', olderFolder)]
    const load = startLoad(older[0]!.url, key)
    await load.goOn()
    say?.('migrating')
    await migrate()
    await load.goOn()
    const wasOlderReady = (await fetch(`${older[0]!.url}/readyz`)).status === 200
    say?.('starting the newer release')
    const newer = [await start('serve', newerFolder), await start('work', newerFolder)]
    load.moveTo(newer[0]!.url)
    await Promise.all(older.map((machine) => machine.end('SIGTERM')))
    say?.('the older release is gone')
    await load.goOn()
    const { ids, ...figures } = await load.stop()
    const lost = await findLost(makeCaller(newer[0]!.url, { 'ocp-apim-subscription-key': key }), ids)
    return { ...figures, lost, wasOlderReady } satisfies RollOverFigures
  } finally {
    await Promise.all(machines.map((machine) => machine.end('SIGKILL')))
  }
}

function makeKey(folder: string, environment: Record<string, string>): string {
  const args = ['bin/countersign.js', 'tenant', 'create', 'Upgrade', '--admin', `${randomUUID()}@example.com`, '--json']
  const env = { ...process.env, ...environment }
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as { primaryKey: string }).primaryKey
}

function startLoad(firstUrl: string, key: string) {
  let url = firstUrl
  const over = new AbortController()
  const seen = {
    ids: [] as string[],
    answered: 0,
    repeated: [] as string[],
    surprises: [] as string[],
    longestWaitMs: 0,
  }

  async function createOne(): Promise<void> {
    const headers = { 'idempotency-key': randomUUID() }
    const startedAt = performance.now()
    for (;;) {
      const call = makeCaller(url, { 'ocp-apim-subscription-key': key })
      const reply = await call('POST', CREATE, payload(), { headers }).catch((error: unknown) => inspect(error))
      if (typeof reply !== 'string' && reply.status !== 503) {
        if (reply.status === 202) seen.ids.push(reply.json.id as string)
        else seen.surprises.push(`${reply.status} ${reply.text.slice(0, 200)}`)
        break
      }
      seen.repeated.push(typeof reply === 'string' ? reply.slice(0, 500) : `503 ${reply.text.slice(0, 200)}`)
      // Nobody who is never answered keeps the others waiting for the end.
      if (over.signal.aborted) return
      await sleep(20)
    }
    seen.answered++
    seen.longestWaitMs = Math.max(seen.longestWaitMs, performance.now() - startedAt)
  }

  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!over.signal.aborted) await createOne()
  })
  return {
    moveTo: (next: string) => void (url = next),
    /** For a while, and until there is something to judge by. */
    async goOn() {
      const enough = seen.answered + LEAST_ANSWERED
      await Promise.all([sleep(LOAD_MS), until('calls to be answered', async () => seen.answered >= enough)])
    },
    async stop() {
      over.abort()
      await Promise.all(clients)
      return seen
    },
  }
}

/** What was promised is there, and the worker has gone on with it. */
async function findLost(call: Caller, ids: readonly string[]): Promise<string[]> {
  const lost = new Set(ids)
  const look = async () => {
    for (const id of lost) {
      const { status, json } = await call('GET', `/signing/signaturerequest/${id}`)
      if (status === 200 && json.signatories[0].state === 'Invited') lost.delete(id)
    }
    return lost.size === 0
  }
  await until('all to be invited', look, { withinMs: INVITED_WITHIN_MS, everyMs: 200 }).catch(() => {})
  return [...lost]
}
