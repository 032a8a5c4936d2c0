import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { freemem } from 'node:os'
import { describe, test, type TestContext } from 'node:test'
import { leastOf } from '../../../test/least-of.ts'
import { ownChildren } from '../../../test/processes.ts'
import { until } from '../../../test/until.ts'
import { checkPdf, type CheckPdf } from '../intake.ts'
import { PdfRefused } from '../refused.ts'
import { bufferSource } from '../source.ts'
import { makePdf, stream } from '../testing/documents.ts'
import { makeWorld } from '../validate/testing/world.ts'
import { validatePdf } from '../validate/validate-pdf.ts'
import { makeIntake } from './intake.ts'
import { BOUNDS, makeReaders } from './readers.ts'

const MB = 1024 * 1024
const GREEDY = new URL('./testing/greedy-child.ts', import.meta.url)
const KILLED = new URL('./testing/killed-child.ts', import.meta.url)
const LATE = new URL('./testing/late-child.ts', import.meta.url)
const LINUX = { skip: process.platform !== 'linux', timeout: 60_000 }
const MOMENT_MS = 250
const time = new Date('2026-11-15T04:00:00Z')
const options = { trustAnchors: [], time }

describe('strangers’ files, read apart', () => {
  test('each hears exactly what the validator says', async () => {
    const world = await makeWorld()
    const sealed = await world.sign(makePdf(), { signer: await world.seal() })
    const trusting = { trustAnchors: [world.root.certificate], time: world.now }
    const readers = makeReaders({ ...BOUNDS, processes: 2 })
    const files = [sealed, makePdf(), Buffer.from('%PDF-1.7 and nothing else')]
    const reports = await Promise.all(files.map((file) => readers.validate(file, trusting)))
    assert.deepEqual(reports, await Promise.all(files.map((file) => validatePdf(file, trusting))))
    assert.deepEqual(
      reports.map(({ verdict }) => verdict),
      ['valid', 'unsigned', 'invalid'],
    )
  })

  test('of many at once as many are judged as there is room for, the others hear that it is busy', async () => {
    const readers = makeReaders({ ...BOUNDS, processes: 1, waiting: 2 })
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => readers.validate(makePdf(), options)))
    const refused = asked.filter((result) => result.status === 'rejected').map(({ reason }) => reason as PdfRefused)
    assert.deepEqual(
      refused.map(({ reason }) => reason),
      ['busy', 'busy', 'busy'],
    )
    assert.equal((await readers.validate(makePdf(), options)).verdict, 'unsigned', 'there is room again')
  })

  test('a file that computes for too long is in doubt, and the next one is judged', async () => {
    const readers = makeReaders({ ...BOUNDS, processes: 1, computingMs: 150 })
    const report = await readers.validate(makeSlowPdf(), options)
    assert.equal(report.verdict, 'indeterminate')
    assert.match(report.findings[0]!.message, /more time or memory/)
    assert.equal((await readers.validate(makePdf(), options)).verdict, 'unsigned')
  })

  test('a file that nobody has time for hears that it is busy', async () => {
    const readers = makeReaders({ ...BOUNDS, processes: 1, waitMs: 1 })
    await assert.rejects(readers.validate(makeSlowPdf(), options), { reason: 'busy' })
    assert.equal((await makeReaders().validate(makePdf(), options)).verdict, 'unsigned')
  })

  test('a file that takes too much memory ends its process and nothing else', async () => {
    const readers = makeReaders({ ...BOUNDS, processes: 1, heapMb: 20 })
    const report = await readers.validate(makeSlowPdf(), options)
    assert.equal(report.verdict, 'indeterminate')
    assert.equal((await readers.validate(makePdf(), options)).verdict, 'unsigned')
  })

  test('each has two seconds of computing and 320 MB, where nobody says otherwise', () => {
    assert.equal(BOUNDS.computingMs, 2_000)
    assert.equal(BOUNDS.memoryBytes, 320 * MB)
    assert.ok(BOUNDS.heapMb * MB < BOUNDS.memoryBytes)
  })

  test('memory outside of the heap counts: whoever takes it without end is stopped at the bound', async () => {
    const memoryBytes = 128 * MB
    const readers = makeReaders({ ...BOUNDS, processes: 1, memoryBytes }, GREEDY)
    const takenMb = async () => {
      const before = freemem()
      let least = before
      const look = setInterval(() => (least = Math.min(least, freemem())), 10)
      const report = await readers.validate(makePdf(), options).finally(() => clearInterval(look))
      assert.equal(report.verdict, 'indeterminate')
      return (before - least) / MB
    }
    // Between two looks it takes some more, and the machine has other work.
    const leastMb = await leastOf(takenMb, { below: 2_000 })
    assert.ok(leastMb < 2_000, `${Math.round(leastMb)} MB`)
  })

  test('what reads a file has no environment, and may neither read, write nor start anything else', async () => {
    const readers = makeReaders({ ...BOUNDS, processes: 1 }, GREEDY)
    const told = await readers.check(makePdf(), {}).catch((error: Error) => error.message)
    assert.deepEqual(JSON.parse(told as string), {
      environment: [],
      read: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      start: 'ERR_ACCESS_DENIED',
    })
  })

  test('a process that nobody needs any more goes, and the next file gets another', async () => {
    const readers = makeReaders({ ...BOUNDS, processes: 1, restMs: 50 })
    const children = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length
    const atFirst = children()
    await readers.validate(makePdf(), options)
    await until('the process is gone', async () => children() <= atFirst)
    assert.equal((await readers.validate(makePdf(), options)).verdict, 'unsigned')
  })

  test('options that can’t be read are a fault of ours, and the next one is judged', async () => {
    const readers = makeReaders({ ...BOUNDS, processes: 1 })
    await assert.rejects(readers.validate(makePdf(), { trustAnchors: [Buffer.from('none')], time }), Error)
    assert.equal((await readers.validate(makePdf(), options)).verdict, 'unsigned')
  })
})

describe('a process for strangers’ files that ends by accident', () => {
  test('before it is asked: the file of that moment may come again, and the next one is judged', LINUX, async (t) => {
    const others = listReaders()
    const readers = makeReaders({ ...BOUNDS, processes: 1, waitMs: 1_000 })
    await readers.validate(makePdf(), options)
    const pid = listReaders().find((reader) => !others.includes(reader))!
    const release = holdLooks(t, { after: 0 })
    const refused = assert.rejects(readers.check(makePdf(), {}), { reason: 'busy' })
    process.kill(pid, 'SIGKILL')
    await until('the process is gone', async () => !existsSync(`/proc/${pid}`))
    release()
    await refused
    assert.equal((await readers.validate(makePdf(), options)).verdict, 'unsigned')
  })

  test('while it reads: nothing is said about the file', LINUX, async () => {
    const readers = makeReaders({ ...BOUNDS, processes: 1 }, KILLED)
    await assert.rejects(readers.check(makePdf(), {}), { reason: 'busy' })
    await assert.rejects(readers.validate(makePdf(), options), { reason: 'busy' })
  })

  test('before it is there: the file fails, and the next one is judged', LINUX, async (t) => {
    const readers = makeReaders({ ...BOUNDS, processes: 1 })
    const { execPath } = process
    t.after(() => (process.execPath = execPath))
    // The first is told as an error, as where there are too many processes; the second is thrown, as without memory.
    for (const program of ['/no/such/program', '/dev/null/program']) {
      process.execPath = program
      await assert.rejects(readers.check(makePdf(), {}), (error) => !(error instanceof PdfRefused))
    }
    process.execPath = execPath
    assert.equal((await readers.validate(makePdf(), options)).verdict, 'unsigned')
  })
})

test('what a file has used is not held against the next one, however late it is known', LINUX, async (t) => {
  const release = holdLooks(t, { after: 1 })
  const readers = makeReaders({ ...BOUNDS, processes: 1, computingMs: 100 }, LATE)
  await assert.rejects(readers.check(makePdf(), {}), { message: 'read' })
  const next = readers.check(makePdf(), {})
  release()
  await assert.rejects(next, { message: 'read' })
})

/** What the kernel says about processes comes at once for so many looks, and for those after them when it is let go. */
function holdLooks(t: TestContext, { after }: { after: number }): () => void {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const { readFile } = files
  let looks = 0
  const late = async (path: string, encoding: BufferEncoding) => {
    if (/^\/proc\/\d+\/status$/.test(path) && ++looks > after) await isReleased
    return readFile(path, encoding)
  }
  t.mock.method(files, 'readFile', late)
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return release
}

const listReaders = () => ownChildren('apart/child.ts')

describe('looking at an upload in a process that serves others', () => {
  const asked: number[] = []
  const readers = makeReaders({ ...BOUNDS, processes: 1 })
  const look = makeIntake({
    check: (bytes, intake) => {
      asked.push(bytes.length)
      return readers.check(bytes, intake)
    },
  })

  const files: [what: string, pdf: Buffer, isApart: boolean][] = [
    ['an ordinary document', makePdf({ pages: 3 }), false],
    ['a large one of few objects', makePdf({ extraObjects: [stream('', Buffer.alloc(3 * MB))] }), false],
    ['one with a script', makePdf({ catalogEntries: '/OpenAction << /S /JavaScript /JS (x) >>' }), false],
    ['one of many objects', makePdf({ extraObjects: Array.from({ length: 8_000 }, () => '0') }), true],
    [
      'one of long lists',
      makePdf({ extraObjects: Array.from({ length: 40 }, () => `[${'0 '.repeat(20_000)}]`) }),
      true,
    ],
    ['one that is too complex', makePdf({ extraObjects: Array.from({ length: 120_000 }, () => '[0 0]') }), true],
    ['rubbish', Buffer.from('%PDF-1.7 nothing'), false],
  ]
  for (const [what, pdf, isApart] of files) {
    test(`${what} gets the same answer as ever, ${isApart ? 'apart' : 'at once'}`, async () => {
      asked.length = 0
      const outcomeOf = (check: CheckPdf) =>
        check(bufferSource(pdf)).catch((error: PdfRefused) => [error.reason, error.message])
      assert.deepEqual(await outcomeOf(look), await outcomeOf(checkPdf))
      assert.deepEqual(asked, isApart ? [pdf.length] : [])
    })
  }

  test('a moment is short, whatever the file is made of', async (t) => {
    const heavy = [
      makePdf({
        extraObjects: Array.from({ length: 600 }, () => `${'['.repeat(90)}${'[ ] '.repeat(9_000)}${']'.repeat(90)}`),
      }),
      makePdf({ extraObjects: Array.from({ length: 12 }, () => `[ (${'\\101'.repeat(250_000)}) ]`) }),
      makePdf({ extraObjects: Array.from({ length: 150_000 }, () => '0') }),
    ]
    const hasty = makeIntake({ check: () => Promise.reject(new PdfRefused('too-complex', 'for a moment')) })
    for (const pdf of heavy) {
      const computed = async () => {
        const before = process.cpuUsage()
        await assert.rejects(hasty(bufferSource(pdf)), { reason: 'too-complex' })
        const { user, system } = process.cpuUsage(before)
        return (user + system) / 1000
      }
      const leastMs = await leastOf(computed, { below: MOMENT_MS })
      t.diagnostic(`${Math.round(leastMs)} ms`)
      assert.ok(leastMs < MOMENT_MS, `${leastMs} ms`)
    }
  })
})

/** Many objects, each within its bounds: all of them are read. */
function makeSlowPdf(): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>']
  for (let index = 0; index < 60_000; index++) objects.push(`[ ${'<< /A [ 1 2 3 ] /B (text) >> '.repeat(6)}]`)
  const parts = ['%PDF-1.7\n']
  let at = parts[0]!.length
  const offsets = objects.map((object, index) => {
    const text = `${index + 1} 0 obj\n${object}\nendobj\n`
    const offset = at
    parts.push(text)
    at += text.length
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`)
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`)
  return Buffer.from(parts.join(''), 'latin1')
}
