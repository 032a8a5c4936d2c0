import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { makeWorld } from '#pades/validate/testing/world.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { makePdf as manyObjects } from '#pades/testing/documents.ts'
import { AppError } from '#platform/errors.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { makeValidationThreads, validationThreads } from './validation-threads.ts'

const validateInThread = validationThreads.validate

describe('judging files in another thread', () => {
  test('many at once: each hears exactly what this thread would say', async () => {
    const world = await makeWorld()
    const sealed = await world.sign(makePdf(), { signer: await world.seal() })
    const broken = Buffer.from(sealed)
    broken[60] = 0x21
    const options = { trustAnchors: [world.root.certificate], time: world.now }
    const files = [sealed, broken, makePdf('unsigned'), Buffer.from('not a document'), sealed]
    const own = await Promise.all(files.map((file) => validatePdf(file, options)))
    const reports = await Promise.all(files.map((file) => validateInThread(file, options)))
    assert.deepEqual(reports, own)
    assert.deepEqual(await Promise.all(files.map((file) => validateInThread(file, options, { isBulk: true }))), own)
    assert.equal(reports[0]?.verdict, 'valid')
    assert.notEqual(reports[1]?.verdict, 'valid')
  })

  test('answers of an authority that the file does not carry go along', async () => {
    const world = await makeWorld()
    const signer = await world.seal()
    const stamped = await world.sign(makePdf(), { signer, level: 'B-T' })
    const { ocsps } = await world.validationData(signer)
    const options = { trustAnchors: [world.root.certificate], time: world.now, revocation: { ocsps } }
    assert.equal((await validateInThread(stamped, options)).verdict, 'valid')
  })

  test('a file that takes more memory than a thread may have ends it, and the next one is judged', async () => {
    const { validate } = makeValidationThreads({ heapMb: 15 })
    const options = { trustAnchors: [], time: new Date() }
    const objects = Array.from({ length: 150_000 }, () => `[ ${'<< /A [ 1 2 3 ] /B (text) >> '.repeat(6)}]`)
    await assert.rejects(validate(manyObjects({ extraObjects: objects }), options), {
      code: 'ERR_WORKER_OUT_OF_MEMORY',
    })
    assert.equal((await validate(makePdf(), options)).verdict, 'unsigned')
  })

  for (const isBulk of [false, true])
    test(`what is judged is written where it was asked for, and is gone from here${isBulk ? ', in bulk' : ''}`, async () => {
      const world = await makeWorld()
      const sealed = await world.sign(makePdf(), { signer: await world.seal() })
      const copy = Buffer.from(sealed)
      const folder = await mkdtemp(join(tmpdir(), 'judged-'))
      const at = (name: string) => ({ path: join(folder, name), isBulk })
      try {
        const options = { trustAnchors: [world.root.certificate], time: world.now }
        const own = await validatePdf(sealed, options)
        const { report, written } = await validationThreads.validateAndWrite(sealed, options, at('file'))
        assert.deepEqual(report, own)
        assert.equal(sealed.length, 0)
        assert.deepEqual(await readFile(written.path), copy)
        assert.deepEqual([written.sha256, written.sizeBytes], [hash('sha256', copy), copy.length])
        closeSync(written.fd)
        for (const place of ['file', 'nowhere/file'])
          await assert.rejects(
            validationThreads.validateAndWrite(Buffer.from(copy), options, at(place)),
            (error) => error instanceof AppError && error.code === 9010,
          )
      } finally {
        await rm(folder, { recursive: true })
      }
    })

  test('options that can’t be read are refused, and the next question is answered', async () => {
    const options = { trustAnchors: [Buffer.from('no certificate')], time: new Date() }
    await assert.rejects(validateInThread(makePdf(), options), Error)
    const answered = await validateInThread(makePdf(), { ...options, trustAnchors: [] })
    assert.equal(answered.verdict, 'unsigned')
  })
})
