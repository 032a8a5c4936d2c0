import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type FileHandle, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { BlobStore } from './blob-store.ts'
import { type FileSystem, realFileSystem } from './file-system.ts'
import { openLocalBlobs } from './local-blobs.ts'
import { readStaged } from './testing/read-staged.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const withCode = (code: number) => (error: unknown) => error instanceof AppError && error.code === code

/** The real file system, which notes each call and throws where `fail` returns an error for it. */
function watched(calls: string[], fail: (call: string) => Error | undefined = () => undefined): FileSystem {
  const note = (call: string): void => {
    calls.push(call)
    const error = fail(call)
    if (error !== undefined) throw error
  }
  const watchHandle = (handle: FileHandle, path: string): FileHandle =>
    new Proxy(handle, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          note(`${String(name)} ${path}`)
          return (await Reflect.apply(member, target, args)) as unknown
        }
      },
    })
  return {
    ...realFileSystem,
    open: async (path, flags, mode) => {
      note(`open ${flags} ${String(path)}`)
      return watchHandle(await realFileSystem.open(path, flags, mode), String(path))
    },
    rename: async (from, to) => {
      note(`rename ${String(from)} ${String(to)}`)
      await realFileSystem.rename(from, to)
    },
  }
}

const systemError = (code: string): Error => Object.assign(new Error(`${code}: simulated`), { code })

const staged = (folder: string): Promise<string[]> => readdir(join(folder, 'staging'))
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)
const isFullAndSaysWhen = (error: unknown): boolean =>
  withCode(9011)(error) && (error as AppError).retryAfterS !== undefined

async function stage(store: BlobStore, chunks: Uint8Array[]) {
  const writer = await store.begin()
  for (const chunk of chunks) await writer.write(chunk)
  return writer.finish()
}

/** A writer that has taken more than stays in memory. */
async function beginInFile(store: BlobStore) {
  const writer = await store.begin()
  for (let n = 0; n < 2; n++) await writer.write(randomBytes(300_000))
  return writer
}

describe('blobs in a folder', () => {
  const tenantId = newId()
  let root: string
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'blobs-'))
  })
  after(async () => {
    await Promise.all(opened.map((store) => store.close()))
    await rm(root, { recursive: true })
  })

  /** A store that is closed after all tests. */
  const opened: BlobStore[] = []
  const open: typeof openLocalBlobs = async (...given) => {
    const store = await openLocalBlobs(...given)
    opened.push(store)
    return store
  }
  const freshFolder = (): string => join(root, newId())
  const fileOf = (folder: string, hash: string): string => join(folder, tenantId, hash.slice(0, 2), hash)

  test('what is staged, committed and read back is the same, for sizes around every buffer', async () => {
    const store = await open(freshFolder())
    for (const size of [0, 1, 262_143, 262_144, 262_145, 1_000_000]) {
      const bytes = randomBytes(size)
      const blob = await stage(store, [bytes.subarray(0, size >> 1), bytes.subarray(size >> 1)])
      assert.deepEqual([blob.sha256, blob.sizeBytes], [sha256(bytes), size])
      assert.deepEqual(await readStaged(blob), bytes)
      await store.commit(tenantId, blob)
      const read = await store.openRead(tenantId, blob.sha256)
      assert.equal(read.sizeBytes, size)
      assert.deepEqual(await buffer(read.stream), bytes)
      const hash = createHash('sha256')
      assert.deepEqual(await store.read(tenantId, blob.sha256, { hash }), bytes)
      assert.equal(hash.update('more').digest('hex'), sha256(Buffer.concat([bytes, Buffer.from('more')])))
      await store.verify(tenantId, blob.sha256)
    }
  })

  test('bytes are synced before they get their name, and the name before the caller hears of it', async () => {
    const folder = freshFolder()
    const calls: string[] = []
    const store = await open(folder, watched(calls))
    calls.length = 0
    const { sha256: hash } = await store.put(tenantId, Buffer.from('first'))
    const name = (call: string): string =>
      call
        .split(' ')
        .map((word) => (word.includes('staging') ? 'STAGED' : word.startsWith('/') ? relative(folder, word) : word))
        .join(' ')
    const ab = hash.slice(0, 2)
    const seen = calls.map(name)
    assert.deepEqual(seen.slice(0, 5), [
      'open wx STAGED',
      'writev STAGED',
      'sync STAGED',
      'close STAGED',
      `rename STAGED ${tenantId}/${ab}/${hash}`,
    ])
    const synced = seen.slice(5).filter((call) => call.startsWith('sync'))
    assert.deepEqual(synced.sort(), ['sync ', `sync ${tenantId}`, `sync ${tenantId}/${ab}`].sort())
  })

  test('small blobs wait in memory until they are committed, as long as all of them together are few', async () => {
    const folder = freshFolder()
    const store = await open(folder)
    const blobs = [await stage(store, [randomBytes(200_000)])]
    assert.deepEqual(await staged(folder), [])
    while ((await staged(folder)).length === 0) {
      assert.ok(blobs.length * 200_000 <= 40 * 1024 * 1024, 'there is a bound')
      blobs.push(await stage(store, [randomBytes(200_000)]))
    }
    assert.ok('path' in blobs.at(-1)!.content)
    for (const blob of blobs) await blob.discard()
    assert.deepEqual(await staged(folder), [])
    assert.ok('bytes' in (await stage(store, [randomBytes(200_000)])).content, 'there is room again')
  })

  test('a second blob in a folder that is known to last syncs that folder alone', async () => {
    const calls: string[] = []
    const store = await open(freshFolder(), watched(calls))
    const { sha256: hash } = await store.put(tenantId, Buffer.from('again'))
    calls.length = 0
    await store.put(tenantId, Buffer.from('again'))
    const synced = calls.filter((call) => call.startsWith('sync')).map((call) => basename(call.split(' ')[1] ?? ''))
    assert.equal(synced.length, 2)
    assert.equal(synced[1], hash.slice(0, 2))
  })

  for (const [what, failing, code] of [
    ['the fsync of the file', (call: string) => call.startsWith('sync') && call.includes('staging'), 9010],
    ['the rename', (call: string) => call.startsWith('rename'), 9010],
    ['the fsync of the folder', (call: string) => /^sync .*\/[0-9a-f]{2}$/.test(call), 9010],
  ] as const) {
    test(`${what} fails: the commit fails, nothing is synced twice, nothing is left in staging`, async () => {
      const folder = freshFolder()
      const calls: string[] = []
      const store = await open(
        folder,
        watched(calls, (call) => (failing(call) ? systemError('EIO') : undefined)),
      )
      calls.length = 0
      await assert.rejects(store.put(tenantId, Buffer.from('content')), withCode(code))
      const fileSyncs = calls.filter((call) => call.startsWith('sync') && call.includes('staging'))
      assert.equal(fileSyncs.length, 1)
      assert.deepEqual(await staged(folder), [])
    })
  }

  test('a full disk answers "try again later" and leaves nothing, and the store works again once there is room', async () => {
    const folder = freshFolder()
    let isFull = true
    const store = await open(
      folder,
      watched([], (call) => (isFull && call.startsWith('writev') ? systemError('ENOSPC') : undefined)),
    )
    await assert.rejects(store.put(tenantId, randomBytes(2_000_000)), isFullAndSaysWhen)
    await assert.rejects(store.checkWritable(), isFullAndSaysWhen)
    assert.deepEqual(await staged(folder), [])
    isFull = false
    await store.checkWritable()
    await store.put(tenantId, randomBytes(10))
    assert.deepEqual(await staged(folder), [])
  })

  test('a disk that takes no more writes in the middle is told as that, though nothing can be tidied up', async () => {
    const folder = freshFolder()
    let isReadOnly = false
    const changes = /^(mkdir|rename|unlink)/
    const store = await open(
      folder,
      watched([], (call) => (isReadOnly && changes.test(call) ? systemError('EROFS') : undefined)),
    )
    const blob = await stage(store, [randomBytes(2_000_000)])
    isReadOnly = true
    await assert.rejects(store.commit(tenantId, blob), withCode(9010))
    await blob.discard()
  })

  test('a write that the disk takes only in part is continued', async () => {
    const store = await open(freshFolder(), {
      ...realFileSystem,
      open: async (...args) => {
        const handle = await realFileSystem.open(...args)
        handle.writev = async (chunks) => {
          const first = chunks[0]
          assert.ok(first !== undefined)
          const { bytesWritten } = await handle.write(first, 0, Math.min(first.byteLength, 1000))
          return { bytesWritten, buffers: chunks }
        }
        return handle
      },
    })
    const bytes = randomBytes(5_500)
    const { sha256: hash } = await store.put(tenantId, bytes)
    assert.deepEqual(await buffer((await store.openRead(tenantId, hash)).stream), bytes)
  })

  test('aborted and discarded uploads leave nothing, also when asked twice', async () => {
    const folder = freshFolder()
    const store = await open(folder)
    const writer = await store.begin()
    await writer.write(randomBytes(600_000))
    await writer.abort()
    await writer.abort()
    await assert.rejects(writer.write(randomBytes(1)))
    const blob = await stage(store, [randomBytes(10)])
    await blob.discard()
    await blob.discard()
    assert.deepEqual(await staged(folder), [])
    await assert.rejects(store.commit(tenantId, blob))
  })

  test('a blob is committed once, and discarding it afterwards keeps what is stored', async () => {
    const store = await open(freshFolder())
    const blob = await stage(store, [Buffer.from('once')])
    await store.commit(tenantId, blob)
    await blob.discard()
    await assert.rejects(store.commit(tenantId, blob))
    await store.verify(tenantId, blob.sha256)
  })

  test('fifty uploads of the same content at once: each succeeds, one file is there', async () => {
    const folder = freshFolder()
    const store = await open(folder)
    const bytes = randomBytes(300_000)
    await Promise.all(Array.from({ length: 50 }, () => store.put(tenantId, bytes)))
    const blobs = await Array.fromAsync(store.list(tenantId))
    assert.deepEqual(
      blobs.map((blob) => [blob.sha256, blob.sizeBytes]),
      [[sha256(bytes), bytes.length]],
    )
    await store.verify(tenantId, sha256(bytes))
    assert.deepEqual(await staged(folder), [])
  })

  test('commits into one folder at once share their fsyncs', async () => {
    const calls: string[] = []
    const store = await open(freshFolder(), watched(calls))
    const bytes = randomBytes(10)
    const blobs = await Promise.all(Array.from({ length: 40 }, () => stage(store, [bytes])))
    calls.length = 0
    await Promise.all(blobs.map((blob) => store.commit(tenantId, blob)))
    const folderSyncs = calls.filter((call) => call.startsWith('sync') && !call.includes('staging'))
    assert.ok(folderSyncs.length < 100, `${folderSyncs.length} of the 160 that would be needed one by one`)
  })

  test('a range is read alone; one outside of the blob is refused', async () => {
    const store = await open(freshFolder())
    const bytes = randomBytes(700_000)
    const { sha256: hash } = await store.put(tenantId, bytes)
    for (const [start, end] of [
      [0, 0],
      [5, 300_000],
      [699_999, 699_999],
    ] as const) {
      const { stream, sizeBytes } = await store.openRead(tenantId, hash, { start, end })
      assert.equal(sizeBytes, bytes.length)
      assert.deepEqual(await buffer(stream), bytes.subarray(start, end + 1))
    }
    await assert.rejects(store.openRead(tenantId, hash, { start: 0, end: 700_000 }))
    await assert.rejects(store.openRead(tenantId, hash, { start: -1 }))
  })

  test('a flipped bit or a lost tail is noticed and never served as a whole document', async () => {
    const folder = freshFolder()
    const store = await open(folder)
    for (const damage of ['flip', 'cut', 'empty'] as const) {
      const bytes = randomBytes(600_000)
      const { sha256: hash } = await store.put(tenantId, bytes)
      const path = fileOf(folder, hash)
      if (damage === 'flip') await writeFile(path, Buffer.from(bytes.map((byte, at) => (at === 77 ? byte ^ 1 : byte))))
      else await truncate(path, damage === 'cut' ? 599_999 : 0)
      await assert.rejects(store.verify(tenantId, hash), withCode(9013))
      await assert.rejects(store.read(tenantId, hash), withCode(9013))
      const { stream } = await store.openRead(tenantId, hash)
      let served = 0
      await assert.rejects(async () => {
        for await (const chunk of stream) served += (chunk as Buffer).length
      }, withCode(9013))
      assert.ok(served < 599_999)
      await store.put(tenantId, bytes)
      await store.verify(tenantId, hash)
    }
  })

  test('what is not there is missing, also under another tenant', async () => {
    const store = await open(freshFolder())
    const { sha256: hash } = await store.put(tenantId, Buffer.from('mine'))
    const stranger = newId()
    await assert.rejects(store.openRead(stranger, hash), withCode(9012))
    await assert.rejects(store.read(stranger, hash), withCode(9012))
    assert.equal(await store.stat(stranger, hash), undefined)
    assert.equal(await store.remove(stranger, hash), false)
    assert.deepEqual(await Array.fromAsync(store.list(stranger)), [])
    assert.equal((await store.stat(tenantId, hash))?.sizeBytes, 4)
  })

  test('names that are no tenant or no hash never become a path', async () => {
    const store = await open(freshFolder())
    const hash = sha256(Buffer.from(''))
    for (const tenant of ['..', '', `${tenantId}/..`, '/etc', 'staging']) await assert.rejects(store.stat(tenant, hash))
    for (const name of ['..', '', hash.toUpperCase(), `${hash}/..`, hash.slice(1), `${hash}\n`]) {
      await assert.rejects(store.stat(tenantId, name), name)
    }
  })

  test('removal spares a blob that was stored again since the collector looked', async () => {
    const store = await open(freshFolder())
    const { sha256: hash } = await store.put(tenantId, Buffer.from('again'))
    assert.equal(await store.remove(tenantId, hash, { onlyIfOlderThan: new Date(Date.now() - 60_000) }), false)
    const requireLock = () => Promise.reject(new Error('the lock is gone'))
    await assert.rejects(store.remove(tenantId, hash, { requireLock }), /the lock is gone/)
    assert.equal(await store.remove(tenantId, hash, { onlyIfOlderThan: new Date(Date.now() + 60_000) }), true)
    assert.equal(await store.remove(tenantId, hash), false)
  })

  test('opening clears what a crash left behind, and spares an upload that is under way', async () => {
    const folder = freshFolder()
    const first = await open(folder)
    const writer = await beginInFile(first)
    const ours = (await staged(folder))[0] ?? ''
    const predecessor = join(folder, 'staging', ours.replace(/.{12}$/, '0'.repeat(12)))
    const [old, recent] = [join(folder, 'staging', 'other-1-a'), join(folder, 'staging', 'other-1-b')]
    for (const path of [predecessor, old, recent]) await writeFile(path, 'half')
    await utimes(predecessor, hoursAgo(5), hoursAgo(5))
    await utimes(old, hoursAgo(25), hoursAgo(25))
    await utimes(recent, hoursAgo(5), hoursAgo(5))
    await open(folder)
    assert.deepEqual((await staged(folder)).sort(), [ours, 'other-1-b'].sort())
    await writer.abort()
  })

  test('opening clears at once what a process left that has ended, and spares one that lives', async () => {
    const folder = freshFolder()
    const writer = await beginInFile(await open(folder))
    const [ours = ''] = await staged(folder)
    await writer.abort()
    const ended = spawnSync(process.execPath, ['--version']).pid
    const of = (pid: number) => ours.replace(`-${process.pid}-`, `-${pid}-`)
    for (const pid of [ended, process.ppid]) await writeFile(join(folder, 'staging', of(pid)), 'half')
    await open(folder)
    const left = process.platform === 'linux' ? [of(process.ppid)] : [of(ended), of(process.ppid)]
    assert.deepEqual((await staged(folder)).sort(), left.sort())
  })

  test('a stream that nobody reads gives its file back', async () => {
    const calls: string[] = []
    const store = await open(freshFolder(), watched(calls))
    const { sha256: hash } = await store.put(tenantId, Buffer.from('unread'))
    const { stream } = await store.openRead(tenantId, hash)
    calls.length = 0
    stream.destroy()
    await once(stream, 'close')
    assert.equal(calls.filter((call) => call.startsWith('close')).length, 1)
  })
})
