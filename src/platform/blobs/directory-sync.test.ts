import assert from 'node:assert/strict'
import type { FileHandle } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { DirectorySync } from './directory-sync.ts'
import { realFileSystem } from './file-system.ts'

/** Folders whose fsyncs end when the test says so. */
function heldFolders() {
  const waiting: { succeed: () => void; fail: (error: Error) => void }[] = []
  const handle = {
    sync: () => new Promise<void>((resolve, reject) => waiting.push({ succeed: resolve, fail: reject })),
    close: async () => undefined,
  } as unknown as FileHandle
  return { waiting, directories: new DirectorySync({ ...realFileSystem, open: async () => handle }) }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('fsyncs of folders', { skip: process.platform === 'win32' }, () => {
  test('those who come while one is running share the next, because the running one may miss their change', async () => {
    const { waiting, directories } = heldFolders()
    const done: string[] = []
    const ask = (name: string): Promise<number> => directories.sync('/a').then(() => done.push(name))
    const all = [ask('first')]
    await tick()
    all.push(ask('second'), ask('third'))
    await tick()
    assert.equal(waiting.length, 1)
    waiting[0]?.succeed()
    await tick()
    assert.deepEqual(done, ['first'])
    assert.equal(waiting.length, 2)
    waiting[1]?.succeed()
    await Promise.all(all)
    assert.deepEqual(done, ['first', 'second', 'third'])
    assert.equal(waiting.length, 2)
  })

  test('a failure is told to those who waited for it, and the next one starts afresh', async () => {
    const { waiting, directories } = heldFolders()
    const first = assert.rejects(directories.sync('/a'), /broken/)
    await tick()
    const second = directories.sync('/a')
    waiting[0]?.fail(new Error('broken'))
    await first
    await tick()
    waiting[1]?.succeed()
    await second
  })

  test('different folders do not wait for each other', async () => {
    const { waiting, directories } = heldFolders()
    const both = [directories.sync('/a'), directories.sync('/b')]
    await tick()
    assert.equal(waiting.length, 2)
    for (const each of waiting) each.succeed()
    await Promise.all(both)
  })

  test('a folder is opened once, unless its fsync failed, and only so many stay open', async () => {
    const opened: string[] = []
    const closed: string[] = []
    let isBroken = false
    const open = async (folder: string): Promise<FileHandle> => {
      opened.push(folder)
      const sync = async () => {
        if (isBroken) throw new Error('broken')
      }
      return { sync, close: async () => void closed.push(folder) } as unknown as FileHandle
    }
    const directories = new DirectorySync({ ...realFileSystem, open: open as typeof realFileSystem.open })
    for (let count = 0; count < 3; count++) await directories.sync('/a')
    assert.deepEqual([opened, closed], [['/a'], []])

    isBroken = true
    await assert.rejects(directories.sync('/a'), /broken/)
    isBroken = false
    await directories.sync('/a')
    assert.deepEqual([opened, closed], [['/a', '/a'], ['/a']])

    for (let count = 0; count < 300; count++) await directories.sync(`/${count}`)
    assert.equal(opened.length - closed.length, 256)
    await directories.close()
    assert.equal(opened.length, closed.length)
  })
})
