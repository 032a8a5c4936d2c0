import assert from 'node:assert/strict'
import { readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { failOutOfFiles } from '../../../../test/out-of-files.ts'
import { startServerProcess } from './server-process.ts'
import { makeScratch } from './testing/scratch.ts'

/** How often this process holds a file open. */
function countOpen(path: string): number {
  const files = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return undefined // The one that listed them.
    }
  })
  return files.filter((file) => file === path).length
}

describe('programs of PostgreSQL that the system has no room for', { skip: process.platform !== 'linux' }, () => {
  // The first is told as an error, as where there are too many processes; the second is thrown, as without memory.
  for (const [postgres, code] of [
    ['/no/such/postgres', 'ENOENT'],
    ['/dev/null/postgres', 'ENOTDIR'],
  ] as const) {
    test(`a server that gives ${code} says so, not what another said last, and leaves nothing open`, async (t) => {
      const data = makeScratch(t)
      const logPath = join(data, 'server.log')
      writeFileSync(logPath, 'the last words of the one before\n')
      const start = startServerProcess({ postgres, args: [], data, logPath, user: undefined, log: () => {} })
      await assert.rejects(start, { reason: 'start-failed', message: new RegExp(`did not start: .*${code}`) })
      assert.equal(countOpen(logPath), 0)
      assert.match(readFileSync(logPath, 'utf8'), /the one before/)
    })
  }

  test('a program that can’t be started for want of files is a failure of its own, and ends nobody', async () => {
    const module = new URL('./run-program.ts', import.meta.url)
    assert.equal(await failOutOfFiles(module, 'runProgram', ['/bin/true', [], { timeoutMs: 100 }]), 'EMFILE')
  })
})
