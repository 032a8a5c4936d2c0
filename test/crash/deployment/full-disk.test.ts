// A disk that is full and then has room again: nobody restarts anything, and server and worker go on.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import { makeCaller, type Reply } from '../../service.ts'
import { makePdf } from '../../small-pdf.ts'
import { until } from '../../until.ts'
import { startSurroundings, type Surroundings } from '../surroundings.ts'
import { makeTenants } from '../tenants.ts'
import type { Deployment } from './deployment.ts'
import type { NoDisk } from './loop-disk.ts'
import { singleMachine } from './single-machine.ts'

/** From the moment when there is room again; most of it is for a machine that has much else to do. */
const BACK_WITHIN_MS = 30_000
/** So many calls of each kind meet the full disk. */
const TRIES = 10
/** What a full disk may be answered with. */
const NO_ROOM = [503]
/** More than anybody else gives back meanwhile. */
const LARGE_BYTES = 4_000_000

describe('a disk that is full for a while', () => {
  let surroundings: Surroundings
  let deployment: Deployment
  let noDisk: NoDisk | undefined

  before(async () => {
    surroundings = await startSurroundings()
    ;({ deployment, noDisk } = await singleMachine({ environment: surroundings.environment, onOwnDisk: true }))
    if (noDisk === undefined) await deployment.start()
  })
  after(async () => {
    await deployment.remove()
    await surroundings.stop()
  })

  test('keeps what was answered, and server and worker go on once there is room, started by nobody', async (t) => {
    if (noDisk?.isMachine) return t.skip(noDisk.why)
    assert.equal(noDisk, undefined)
    const client = await openClient(deployment)
    const uploaded = await client.upload()
    await client.seal(uploaded!.json.uri)
    const before = processes(deployment)

    deployment.disk!.fill()
    const made = await writeInVain(client)
    deployment.disk!.free()
    const freedAt = performance.now()
    const isBack = async () => [await client.upload(), await client.makeDepartment()].every(isDone)
    await until('writes to be answered', isBack, { withinMs: BACK_WITHIN_MS })
    t.diagnostic(`written to again after ${Math.round(performance.now() - freedAt)} ms`)
    await client.seal(uploaded!.json.uri)

    for (const id of made) assert.equal((await client.call('GET', `/onboarding/department/${id}`)).status, 200, id)
    const deaths = deployment.deaths().map(({ part }) => part)
    t.diagnostic(`processes that ended: ${deaths.join() || 'none'}`)
    const now = processes(deployment)
    // PostgreSQL ends itself where it can't write its log; its supervisor has started it again then.
    const hasEnded = deaths.includes('postgres')
    assert.deepEqual(now, hasEnded ? { ...before, database: now.database } : before)
  })
})

/** Writes while there is no room. Answers with what was made all the same: a row may find some in a page that is there. */
async function writeInVain(client: Client): Promise<string[]> {
  const made: string[] = []
  let refused = 0
  for (let tries = 0; tries < TRIES; tries++, await sleep(200)) {
    const upload = await client.upload()
    assert.ok(!isDone(upload), 'a file was stored where there was no room')
    const department = await client.makeDepartment()
    if (isDone(department)) made.push(department!.json.id)
    const statuses = [upload, department].flatMap((reply) => (reply && !isDone(reply) ? [reply.status] : []))
    assert.ok(
      statuses.every((status) => NO_ROOM.includes(status)),
      `answered ${statuses.join()}`,
    )
    refused += statuses.length
  }
  assert.ok(refused > 0, 'nobody was told that there is no room')
  return made
}

type Client = Awaited<ReturnType<typeof openClient>>

const isDone = (reply: Reply | undefined) => reply?.status === 200

const processes = (deployment: Deployment) => ({
  supervisors: deployment.supervisors(),
  servers: deployment.processesOf('serve'),
  workers: deployment.processesOf('work'),
  database: deployment.processesOf('postgres')[0],
})

/** Writes files, rows, and what the worker makes of both. */
async function openClient({ urls, environment }: Deployment) {
  const [tenant] = await makeTenants(environment, 1)
  const { key, administrator } = tenant!
  const call = makeCaller(urls[0]!, {
    // A connection that was kept may have been closed by the server while filling the disk has held up everything here.
    connection: 'close',
    'ocp-apim-subscription-key': key,
    authorization: `Bearer ${administrator.token}`,
  })
  let number = 0
  /** Undefined where there was no answer: whoever is refused while still sending may miss it. */
  const upload = () =>
    call('POST', '/storage/document?fileName=a.pdf', undefined, {
      raw: makePdf(`document ${number++}`, { paddingBytes: LARGE_BYTES }),
      headers: { 'content-type': 'application/pdf' },
    }).catch(() => undefined)
  const makeDepartment = () =>
    call('POST', '/onboarding/department', { department: { name: `department ${number++}` } }).catch(() => undefined)
  const seal = async (documentURI: string) => {
    const { json } = await call('POST', '/sealing/sealingrequest', { subject: 'Sealed' })
    const path = `/sealing/sealingrequest/${json.id}`
    await call('POST', `${path}/document`, { documentURI })
    await call('PUT', path, { status: 'Open' })
    const isProcessed = async () => (await call('GET', path)).json.status === 'Processed'
    await until('it to be sealed', isProcessed, { withinMs: BACK_WITHIN_MS })
  }
  return { call, upload, makeDepartment, seal }
}
