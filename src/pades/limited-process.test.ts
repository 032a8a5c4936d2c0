import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failOutOfFiles } from '../../test/out-of-files.ts'
import { runLimited, type ProcessLimits } from './limited-process.ts'

const MB = 1024 * 1024
const LIMITS: ProcessLimits = { timeoutMs: 60_000, memoryBytes: 200 * MB, maxFileBytes: MB }
/** Buffers lie outside of the heap, which no setting of the heap bounds. */
const GREEDY = 'const taken = []; setInterval(() => taken.push(Buffer.alloc(16 * 1024 * 1024, 1)), 5)'

/** Runs it as on a machine without prlimit, where only our own eyes hold the limits. */
function runWithoutKernelLimits(script: string, limits: Partial<ProcessLimits> = {}) {
  const path = process.env['PATH']
  process.env['PATH'] = ''
  try {
    return runLimited(process.execPath, ['-e', script], { ...LIMITS, ...limits })
  } finally {
    process.env['PATH'] = path
  }
}

describe('a program on a stranger’s file', () => {
  test('is stopped when it occupies too much memory, in the heap or outside of it', async () => {
    const { exitCode, hasOutgrown, hasTimedOut } = await runWithoutKernelLimits(GREEDY)
    assert.deepEqual(
      { exitCode, hasOutgrown, hasTimedOut },
      { exitCode: undefined, hasOutgrown: true, hasTimedOut: false },
    )
  })

  test('is stopped when its time is over', async () => {
    const { exitCode, hasOutgrown, hasTimedOut } = await runWithoutKernelLimits('for (;;);', { timeoutMs: 300 })
    assert.deepEqual(
      { exitCode, hasOutgrown, hasTimedOut },
      { exitCode: undefined, hasOutgrown: false, hasTimedOut: true },
    )
  })

  test('has no environment, and what it complains about is cut short', async () => {
    const script = 'console.error(JSON.stringify(process.env) + "x".repeat(5_000)); process.exitCode = 7'
    const { exitCode, complaint } = await runWithoutKernelLimits(script)
    assert.equal(exitCode, 7)
    assert.match(complaint, /^\{\}x/)
    assert.equal(complaint.length, 2_000)
  })

  test('that can’t be started for want of files is a failure of its own, and ends nobody', async () => {
    const module = new URL('./limited-process.ts', import.meta.url)
    assert.equal(await failOutOfFiles(module, 'runLimited', ['/bin/true', [], LIMITS]), 'EMFILE')
  })
})
