import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeWorld } from '#pades/validate/testing/world.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { AppError } from '#platform/errors.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { BOUNDS, makeJudges } from './judges.ts'

const time = new Date('2026-11-15T04:00:00Z')
const options = { trustAnchors: [], time }

describe('judges of strangers’ files', () => {
  test('each hears exactly what the validator says', async () => {
    const world = await makeWorld()
    const sealed = await world.sign(makePdf(), { signer: await world.seal() })
    const trusting = { trustAnchors: [world.root.certificate], time: world.now }
    const judges = makeJudges({ ...BOUNDS, threads: 2 })
    const files = [sealed, makePdf(), Buffer.from('%PDF-1.7 and nothing else')]
    const reports = await Promise.all(files.map((file) => judges.judge(file, trusting)))
    assert.deepEqual(reports, await Promise.all(files.map((file) => validatePdf(file, trusting))))
    assert.deepEqual(
      reports.map(({ verdict }) => verdict),
      ['valid', 'unsigned', 'invalid'],
    )
  })

  test('of many at once as many are judged as there is room for, the others hear that it is busy', async () => {
    const judges = makeJudges({ ...BOUNDS, threads: 1, waiting: 2 })
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => judges.judge(makePdf(), options)))
    const refused = asked.filter((result) => result.status === 'rejected').map(({ reason }) => reason as AppError)
    assert.deepEqual(
      refused.map(({ code, retryAfterS }) => [code, retryAfterS]),
      [9110, 9110, 9110].map((code) => [code, 5]),
    )
    assert.equal((await judges.judge(makePdf(), options)).verdict, 'unsigned', 'there is room again')
  })

  test('a file that computes for too long is in doubt, and the next one is judged', async () => {
    const judges = makeJudges({ ...BOUNDS, threads: 1, computingMs: 60 })
    const report = await judges.judge(makeSlowPdf(), options)
    assert.equal(report.verdict, 'indeterminate')
    assert.match(report.findings[0]!.message, /more time or memory/)
    assert.equal((await judges.judge(makePdf(), options)).verdict, 'unsigned')
  })

  test('a file that nobody has time for hears that it is busy', async () => {
    const judges = makeJudges({ ...BOUNDS, threads: 1, waitMs: 1 })
    await assert.rejects(judges.judge(makeSlowPdf(), options), { code: 9110 })
    assert.equal((await makeJudges().judge(makePdf(), options)).verdict, 'unsigned')
  })

  test('a file that takes too much memory ends its thread and nothing else', async () => {
    const judges = makeJudges({ ...BOUNDS, threads: 1, heapMb: 20 })
    const report = await judges.judge(makeSlowPdf(), options)
    assert.equal(report.verdict, 'indeterminate')
    assert.equal((await judges.judge(makePdf(), options)).verdict, 'unsigned')
  })

  test('options that can’t be read are a fault of ours, and the next one is judged', async () => {
    const judges = makeJudges({ ...BOUNDS, threads: 1 })
    await assert.rejects(judges.judge(makePdf(), { trustAnchors: [Buffer.from('none')], time }), Error)
    assert.equal((await judges.judge(makePdf(), options)).verdict, 'unsigned')
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
