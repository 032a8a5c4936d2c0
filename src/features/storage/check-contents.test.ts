import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { longTasks } from '#main/jobs.ts'
import { blobKey } from '#platform/blobs/blob-key.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { openS3Blobs } from '#platform/blobs/s3-blobs.ts'
import { makeLog } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import { startS3Server, type S3Server } from '../../../test/fakes/s3-server.ts'
import { readHealth } from '../../../test/health.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { workerPlatform } from '../../../test/worker.ts'
import { checkContents, recheckDamaged, type Leisure } from './check-contents.ts'
import { keepDocument } from './keep-document.ts'
import { purgeUploads } from './purge-uploads.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const RETRY = { attempts: 2, baseDelayMs: 1, maxDelayMs: 5, deadlineMs: 60_000 }
const AT_LEISURE: Leisure = { goesOn: () => true, giveWay: async () => {} }

type Harm = 'flip' | 'cut' | 'delete'
/** A place for documents that can be harmed behind the service's back. */
type Place = { blobs(): BlobStore; harm(tenantId: string, sha256: string, harm: Harm): void }

describe('reading all stored files within a month', () => {
  let service: TestService
  let worker: Platform
  let s3: S3Server
  let bucket: BlobStore
  const logged: string[] = []

  before(async () => {
    service = await startService()
    worker = { ...workerPlatform(service), log: makeLog('warn', 'test', { write: (line) => void logged.push(line) }) }
    s3 = await startS3Server()
    const { bucket: name, endpoint, credentials } = s3
    const scratchFolder = join(service.blobFolder, '..', 'scratch')
    bucket = await openS3Blobs({
      bucket: name,
      endpoint,
      credentials,
      region: 'eu-north-1',
      scratchFolder,
      retry: RETRY,
    })
  })
  afterEach(async () => {
    for (const table of ['damaged_content', 'content_check', 'stored_document'])
      await service.database.asOwner(`delete from ${table}`)
    logged.splice(0)
  })
  after(async () => {
    await bucket.close()
    await s3.close()
    await service.stop()
  })

  const pathOf = (tenantId: string, sha256: string) => join(service.blobFolder, blobKey(tenantId, sha256))
  const folder: Place = {
    blobs: () => service.platform.blobs,
    harm(tenantId, sha256, harm) {
      const path = pathOf(tenantId, sha256)
      if (harm === 'delete') rmSync(path)
      if (harm === 'cut') truncateSync(path, readFileSync(path).length - 1)
      if (harm === 'flip') writeFileSync(path, flipped(readFileSync(path)))
    },
  }
  const remote: Place = {
    blobs: () => bucket,
    harm(tenantId, sha256, harm) {
      const object = s3.objects.get(blobKey(tenantId, sha256))!
      if (harm === 'delete') s3.objects.delete(blobKey(tenantId, sha256))
      if (harm === 'cut') object.bytes = object.bytes.subarray(0, -1)
      if (harm === 'flip') object.bytes = flipped(object.bytes)
    },
  }

  async function store(tenant: TestTenant, blobs: BlobStore, bytes: Buffer): Promise<string> {
    const content = await blobs.put(tenant.tenantId, bytes)
    await service.platform.db.transaction(tenant.tenantId, (tx) =>
      keepDocument(tx, {
        tenantId: tenant.tenantId,
        departmentId: tenant.rootDepartmentId,
        content,
        contentType: 'application/octet-stream',
        fileName: 'a name that nobody is to be told',
        creatorId: tenant.administratorId,
        now: service.clock.now(),
      }),
    )
    return content.sha256
  }

  async function storeMany(tenant: TestTenant, amount: number, blobs = service.platform.blobs): Promise<string[]> {
    const hashes: string[] = []
    for (let index = 0; index < amount; index++) hashes.push(await store(tenant, blobs, randomBytes(1 + index * 7)))
    return hashes
  }

  /** As on the last night of a month in which nobody worked. */
  const makeAllDue = ({ tenantId }: TestTenant) =>
    service.database.asOwner(
      `insert into content_check (tenant_id, began_at, position) values ($1, date_trunc('day', $2::timestamptz, 'UTC'), '')`,
      [tenantId, new Date(service.clock.now().getTime() - 29 * DAY_MS)],
    )

  /** The same parts; every content that is opened is written down. */
  function watched(parts: Platform): { parts: Platform; opened: string[] } {
    const opened: string[] = []
    const openRead: BlobStore['openRead'] = (tenantId, sha256, range) => {
      opened.push(sha256)
      return parts.blobs.openRead(tenantId, sha256, range)
    }
    return { parts: { ...parts, blobs: overlay(parts.blobs, { openRead }) }, opened }
  }

  const findings = async ({ tenantId }: TestTenant) => {
    const rows = await service.database.asOwner(
      `select encode(sha256, 'hex') as sha256, problem from damaged_content where tenant_id = $1`,
      [tenantId],
    )
    return new Map(rows.map(({ sha256, problem }) => [String(sha256), String(problem)]))
  }

  const runTask = (name: string, parts = worker) =>
    longTasks(parts, { signal: AbortSignal.timeout(600_000), leisure: AT_LEISURE })
      .find((task) => task.name === name)!
      .run(service.clock.now())

  for (const [name, place] of [
    ['in a folder: what was changed, cut off or deleted is found, and nothing else is accused', folder],
    ['in a bucket: what was changed, cut off or deleted is found, and nothing else is accused', remote],
  ] as const) {
    test(name, async () => {
      const [acme, other] = [await service.createTenant('Acme'), await service.createTenant('Other')]
      const parts = { ...worker, blobs: place.blobs() }
      const hashes = await storeMany(acme, 150, parts.blobs)
      hashes.push(
        await store(acme, parts.blobs, randomBytes(1_000_000)),
        await store(acme, parts.blobs, Buffer.alloc(0)),
      )
      const shared = randomBytes(500)
      for (const tenant of [acme, other]) await store(tenant, parts.blobs, shared)
      const harmed = new Map<string, string>()
      for (const [index, harm] of (['flip', 'cut', 'delete'] as const).entries())
        for (const sha256 of [hashes[20 + index]!, hashes[70 + index]!, hashes[120 + index]!]) {
          place.harm(acme.tenantId, sha256, harm)
          harmed.set(sha256, harm === 'delete' ? 'missing' : 'damaged')
        }
      place.harm(acme.tenantId, hashes[150]!, 'flip')
      place.harm(acme.tenantId, digestOf(shared), 'delete')
      harmed.set(hashes[150]!, 'damaged').set(digestOf(shared), 'missing')

      const nights: number[] = []
      for (let night = 0; night < 30; night++) {
        nights.push(await checkContents(parts, acme.tenantId, AT_LEISURE))
        await checkContents(parts, other.tenantId, AT_LEISURE)
        assert.equal(await checkContents(parts, acme.tenantId, AT_LEISURE), 0, 'once a night')
        service.clock.advance(DAY_MS)
      }
      assert.deepEqual(await findings(acme), harmed)
      assert.deepEqual(await findings(other), new Map(), 'the same content of another tenant is whole')
      assert.equal(sum(nights), hashes.length + 1)
      // Five a night on average; forty would be eight times as many.
      assert.ok(Math.max(...nights) < 40, `about a thirtieth each night, not ${nights.join(', ')}`)
      assert.equal(logged.length, harmed.size)
      assert.ok(logged.every((line) => line.includes(acme.tenantId) && !line.includes('a name that nobody')))
    })
  }

  test('nights without a worker are made good by the next one, and what comes in meanwhile has its turn', async () => {
    const acme = await service.createTenant('Acme')
    const { parts, opened } = watched(worker)
    const first = await storeMany(acme, 90)
    await checkContents(parts, acme.tenantId, AT_LEISURE)
    service.clock.advance(9 * DAY_MS)
    await checkContents(parts, acme.tenantId, AT_LEISURE)
    const isDue = (sha256: string) => Number.parseInt(sha256.slice(0, 8), 16) < (10 / 30) * 2 ** 32
    assert.deepEqual(opened, first.filter(isDue).toSorted(), 'all of ten nights, each once')

    const later = await storeMany(acme, 60)
    service.clock.advance(45 * DAY_MS)
    await checkContents(parts, acme.tenantId, AT_LEISURE)
    const behind = later.filter(isDue)
    assert.deepEqual(opened, [...first, ...later].filter((sha256) => !behind.includes(sha256)).toSorted())

    opened.splice(0)
    for (let night = 0; night < 30; night++) {
      await checkContents(parts, acme.tenantId, AT_LEISURE)
      service.clock.advance(DAY_MS)
    }
    assert.deepEqual(opened, [...first, ...later].toSorted(), 'the next round reads each once, those that came in too')
  })

  test('a clock that was far ahead stops it for no longer than it was wrong', async () => {
    const acme = await service.createTenant('Acme')
    const hashes = await storeMany(acme, 40)
    const now = service.clock.now()
    service.clock.set(new Date(now.getTime() + 400 * DAY_MS))
    await checkContents(worker, acme.tenantId, AT_LEISURE)
    service.clock.set(now)
    let read = 0
    for (let night = 0; night < 30; night++) {
      read += await checkContents(worker, acme.tenantId, AT_LEISURE)
      service.clock.advance(DAY_MS)
    }
    assert.equal(read, hashes.length)
  })

  test('a store that is away accuses nobody, and is tried again', async () => {
    const acme = await service.createTenant('Acme')
    const [sha256] = await storeMany(acme, 60)
    await makeAllDue(acme)
    const away = `${service.blobFolder}-away`
    renameSync(service.blobFolder, away)
    await assert.rejects(checkContents(worker, acme.tenantId, AT_LEISURE))
    mkdirSync(service.blobFolder)
    await assert.rejects(checkContents(worker, acme.tenantId, AT_LEISURE), 'a place where nothing is mounted')
    rmSync(service.blobFolder, { recursive: true })
    renameSync(away, service.blobFolder)
    assert.deepEqual(await findings(acme), new Map())

    const remotely = { ...worker, blobs: bucket }
    await bucket.put(acme.tenantId, await service.platform.blobs.read(acme.tenantId, sha256!))
    s3.fault = () => 'slow down'
    await assert.rejects(checkContents(remotely, acme.tenantId, AT_LEISURE), { code: 9014 })
    s3.fault = () => undefined
    assert.deepEqual(await findings(acme), new Map())
    assert.equal(await checkContents(worker, acme.tenantId, AT_LEISURE), 60)
    assert.deepEqual(await findings(acme), new Map())
    assert.deepEqual(logged, [])
  })

  test('an answer of the store that was wrong once accuses nobody', async () => {
    const acme = await service.createTenant('Acme')
    await storeMany(acme, 20, bucket)
    await makeAllDue(acme)
    const seen = new Set<string>()
    s3.fault = ({ method, key }) => {
      if (method !== 'GET' || seen.has(key)) return undefined
      seen.add(key)
      return 'flip'
    }
    assert.equal(await checkContents({ ...worker, blobs: bucket }, acme.tenantId, AT_LEISURE), 20)
    s3.fault = () => undefined
    assert.equal(seen.size, 20)
    assert.deepEqual(await findings(acme), new Map())
  })

  test('one file that can’t be read holds up no other, and is a trouble only after an hour of tries', async () => {
    const acme = await service.createTenant('Acme')
    const hashes = await storeMany(acme, 60)
    const path = pathOf(acme.tenantId, hashes[7]!)
    const bytes = readFileSync(path)
    rmSync(path)
    mkdirSync(path) // opens, and fails to be read, as a bad sector does
    await makeAllDue(acme)
    assert.equal(await checkContents(worker, acme.tenantId, AT_LEISURE), 60)
    assert.deepEqual(await findings(acme), new Map([[hashes[7]!, 'unreadable']]))
    await runTask('read damaged files again')
    assert.deepEqual(await degraded(), [])
    service.clock.advance(DAY_MS / 24)
    await runTask('read damaged files again')
    assert.deepEqual(await degraded(), ['stored files'])
    rmSync(path, { recursive: true })
    writeFileSync(path, bytes)
    await runTask('read damaged files again')
    assert.deepEqual(await degraded(), [])
  })

  const degraded = async () => {
    const { body } = await readHealth(service.platform)
    return Object.keys(body.checks).filter((name) => body.checks[name] === 'degraded' && name !== 'worker')
  }

  const storageOf = async ({ asAdministrator }: TestTenant) => {
    const { json } = await asAdministrator('GET', '/overview')
    return json.services.find(({ name }: { name: string }) => name === 'storage')
  }

  test('what is damaged is told by readiness and metrics, until it is whole again or needed by nobody', async () => {
    const [acme, other] = [await service.createTenant('Acme'), await service.createTenant('Other')]
    const hashes = await storeMany(acme, 4)
    const [restored, purged] = [hashes[1]!, hashes[2]!]
    const bytes = readFileSync(pathOf(acme.tenantId, restored))
    folder.harm(acme.tenantId, restored, 'flip')
    await makeAllDue(acme)
    folder.harm(acme.tenantId, purged, 'delete')
    await runTask('read stored files')
    await runTask('read damaged files again')
    assert.deepEqual(await degraded(), ['stored files'])
    const { status, metrics } = await readHealth(service.platform)
    assert.equal(status, 200)
    assert.match(metrics, /countersign_files_damaged 2\n/)
    assert.match(metrics, /countersign_trouble{name="stored files"} 1/)
    const [{ detail } = {}] = await service.database.asOwner(`select detail from trouble where name = 'stored files'`)
    const first = restored < purged ? `damaged: content ${restored}` : `missing: content ${purged}`
    assert.equal(detail, `${first} of tenant ${acme.tenantId}, and 1 more`)
    assert.equal((await storageOf(acme)).detail, `${first}, and 1 more`)
    assert.equal(await storageOf(other), undefined, 'it is no trouble of another tenant')
    assert.equal(logged.length, 2)

    await runTask('read damaged files again')
    assert.equal(logged.length, 2, 'it is said once')
    writeFileSync(pathOf(acme.tenantId, restored), bytes)
    await service.database.asOwner(`delete from stored_document where sha256 = decode($1, 'hex')`, [purged])
    await runTask('read damaged files again')
    assert.deepEqual(await degraded(), [])
    assert.equal(await storageOf(acme), undefined)
    assert.match((await readHealth(service.platform)).metrics, /countersign_files_damaged 0\n/)
  })

  test('ended in the middle it goes on where it was, and after a crash close before', async () => {
    const acme = await service.createTenant('Acme')
    const hashes = (await storeMany(acme, 120)).toSorted()
    await makeAllDue(acme)
    const { parts, opened } = watched(worker)
    let left = 70
    assert.equal(await checkContents(parts, acme.tenantId, { ...AT_LEISURE, goesOn: () => left-- > 0 }), opened.length)
    assert.ok(opened.length > 50 && opened.length < 71)
    const seen = opened.length
    const crash = async () => {
      if (opened.length === seen + 20) throw new Error('the process was killed')
    }
    await assert.rejects(checkContents(parts, acme.tenantId, { ...AT_LEISURE, giveWay: crash }))
    await checkContents(parts, acme.tenantId, AT_LEISURE)
    assert.deepEqual(opened, [...hashes.slice(0, seen + 20), ...hashes.slice(seen)])
  })

  test('two workers at once read what is left of one portion twice at most', async () => {
    const acme = await service.createTenant('Acme')
    const hashes = await storeMany(acme, 120)
    folder.harm(acme.tenantId, hashes[5]!, 'delete')
    await makeAllDue(acme)
    const { parts, opened } = watched(worker)
    await Promise.all([1, 2].map(() => checkContents(parts, acme.tenantId, AT_LEISURE)))
    assert.deepEqual([...new Set(opened)].toSorted(), hashes.toSorted())
    assert.ok(opened.length <= 120 + 50 + 2, `${opened.length} readings`)
    assert.deepEqual(await findings(acme), new Map([[hashes[5]!, 'missing']]))
    assert.equal(logged.length, 1)
  })

  test('a document that is purged while it is read is not missed', async () => {
    const acme = await service.createTenant('Acme')
    const hashes = await storeMany(acme, 10)
    await makeAllDue(acme)
    const openRead: BlobStore['openRead'] = async (tenantId, sha256, range) => {
      if (sha256 === hashes[3]) await purge(tenantId, sha256)
      return service.platform.blobs.openRead(tenantId, sha256, range)
    }
    const parts = { ...worker, blobs: overlay(worker.blobs, { openRead }) }
    assert.equal(await checkContents(parts, acme.tenantId, AT_LEISURE), 10)
    assert.equal(await worker.blobs.stat(acme.tenantId, hashes[3]!), undefined)
    assert.deepEqual(await findings(acme), new Map())
  })

  async function purge(tenantId: string, sha256: string): Promise<void> {
    const old = new Date(Date.now() - 8 * DAY_MS)
    if ((await worker.blobs.stat(tenantId, sha256)) !== undefined) utimesSync(pathOf(tenantId, sha256), old, old)
    await service.database.asOwner(`update stored_document set purge_at = $2 where sha256 = decode($1, 'hex')`, [
      sha256,
      old,
    ])
    await purgeUploads(worker, { tenantId, now: new Date() })
  }

  test('it gives way before each file, and reads no more than twenty megabytes a second', async () => {
    const acme = await service.createTenant('Acme')
    for (let file = 0; file < 3; file++) await store(acme, service.platform.blobs, randomBytes(2_000_000))
    await makeAllDue(acme)
    let gaveWay = 0
    const startedAt = performance.now()
    const giveWay = async () => void gaveWay++
    assert.equal(await checkContents(worker, acme.tenantId, { ...AT_LEISURE, giveWay }), 3)
    const tookMs = performance.now() - startedAt
    assert.equal(gaveWay, 3)
    assert.ok(tookMs >= 300, `${tookMs} ms for six megabytes`)
    await recheckDamaged(worker, acme.tenantId, { ...AT_LEISURE, giveWay })
    assert.equal(gaveWay, 3, 'nothing is damaged, so nothing is read again')
  })
})

const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0)
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

function flipped(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes)
  other[other.length >> 1]! ^= 1
  return other
}

/** The same store with a few calls of its own. */
function overlay(store: BlobStore, calls: Partial<BlobStore>): BlobStore {
  return new Proxy(store, {
    get: (target, name) => {
      const own = calls[name as keyof BlobStore] ?? target[name as keyof BlobStore]
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}
