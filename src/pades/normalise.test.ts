import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { checkPdf } from './intake.ts'
import { findProgram } from './limited-process.ts'
import { createNormaliser, type NormaliserOptions } from './normalise.ts'
import { PdfRefused, type RefusalReason } from './refused.ts'
import { signPdf } from './sign.ts'
import { bufferSource } from './source.ts'
import { makeTestAuthority, TEST_TIME } from './testing/authority.ts'
import { makePdf, type DocumentShape } from './testing/documents.ts'
import { skipWithout, withFile } from './testing/judges.ts'
import { checkSignatures } from './testing/signature-check.ts'

const refusedAs = (reason: RefusalReason) => (error: unknown) => error instanceof PdfRefused && error.reason === reason

const edited = (shape: DocumentShape, from: string | RegExp, to: string) =>
  Buffer.from(makePdf(shape).toString('latin1').replace(from, to), 'latin1')

const DAMAGED = {
  'a wrong startxref': edited({ pages: 3 }, /startxref\n\d+/, 'startxref\n7'),
  'table entries of 19 bytes': edited({ pages: 3 }, / n \n/g, ' n\n'),
  'objects that have moved': edited({ pages: 3 }, '1 0 obj', '% a comment of some length\n1 0 obj'),
}

/** On a busy machine a small file may be written anew before its time is seen to be over. */
const SLOW = edited({ extraObjects: Array.from({ length: 100_000 }, () => '[ 0 ]') }, /startxref\n\d+/, 'startxref\n7')

const encrypted = (userPassword: string, permissions: string[] = []) =>
  withFile(makePdf(), (path) => {
    execFileSync('qpdf', ['--encrypt', userPassword, 'owner', '256', ...permissions, '--', path, `${path}.out`])
    return readFileSync(`${path}.out`)
  })

const WRITERS: [string, NormaliserOptions, string | false][] = [
  ['qpdf', {}, skipWithout('qpdf')],
  ['@libpdf/core', { qpdf: false }, false],
]

describe('normalising', () => {
  for (const [writer, options, skip] of WRITERS) {
    for (const [name, pdf] of Object.entries(DAMAGED)) {
      test(`${writer} repairs ${name}, and the result can be signed`, { skip }, async () => {
        const { bytes, facts, writtenBy } = await createNormaliser(options)(bufferSource(pdf))
        assert.equal(writtenBy, writer)
        assert.equal(facts.pageCount, 3)
        const { signer } = await makeTestAuthority()
        const sign = { signer, level: 'B-B', time: TEST_TIME, field: { name: 'S' } } as const
        const signed = Buffer.concat([bytes, ...(await signPdf(bufferSource(bytes), sign))])
        assert.equal(checkSignatures(signed).length, 1)
      })
    }

    test(`usage rights are left out, and nothing else is lost, where there is ${writer}`, { skip }, async () => {
      const rights = '<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 1 2 3] /Contents <00> >>'
      const pdf = makePdf({ pages: 3, catalogEntries: `/Lang (fi) /Perms << /UR3 ${rights} >>` })
      const { bytes, facts } = await createNormaliser(options)(bufferSource(pdf), { reason: 'usage-rights' })
      assert.equal(facts.pageCount, 3)
      assert(bytes.includes('/Lang') && !bytes.includes('/UR3') && !bytes.includes('/ByteRange'))
    })

    test(
      `${writer} opens what is encrypted with an empty password, and only that`,
      { skip: skip || skipWithout('qpdf') },
      async () => {
        const open = encrypted('')
        assert((await checkPdf(bufferSource(open))).needsNormalising)
        const { facts } = await createNormaliser(options)(bufferSource(open))
        assert.equal(facts.pageCount, 1)
        await assert.rejects(createNormaliser(options)(bufferSource(encrypted('secret'))), refusedAs('password'))
      },
    )

    test(`${writer} gives up on rubbish in words`, { skip }, async () => {
      const rubbish = Buffer.from('%PDF-1.7\nnothing here\n%%EOF\n')
      await assert.rejects(createNormaliser(options)(bufferSource(rubbish)), refusedAs('not-repairable'))
    })

    test(`${writer} is stopped when its time is over`, { skip }, async () => {
      await assert.rejects(createNormaliser({ ...options, timeoutMs: 1 })(bufferSource(SLOW)), refusedAs('too-complex'))
    })

    test(`${writer}: scripts are refused after the repair as they are before`, { skip }, async () => {
      const pdf = edited(
        { catalogEntries: '/OpenAction << /S /JavaScript /JS (x) >>' },
        /startxref\n\d+/,
        'startxref\n7',
      )
      await assert.rejects(createNormaliser(options)(bufferSource(pdf)), refusedAs('active-content'))
    })
  }

  test(
    'without qpdf, what its author has protected against changes stays so',
    { skip: skipWithout('qpdf') },
    async () => {
      const pdf = encrypted('', ['--modify=none'])
      await assert.rejects(createNormaliser({ qpdf: false })(bufferSource(pdf)), refusedAs('encrypted'))
    },
  )

  test('memory has a limit', { skip: findProgram('prlimit') === undefined && 'prlimit is not installed' }, async () => {
    const pdf = Object.values(DAMAGED)[0] as Buffer
    const starved = createNormaliser({ qpdf: false, memoryBytes: 8 * 1024 * 1024 })
    // The kernel's limit ends it as a crash, the watcher of its memory as too complex: whichever comes first.
    const isRefused = (error: unknown) => refusedAs('not-repairable')(error) || refusedAs('too-complex')(error)
    await assert.rejects(starved(bufferSource(pdf)), isRefused)
  })

  test('a document that may carry signatures is never written anew', async () => {
    const signed = Buffer.concat([makePdf(), Buffer.from('/ByteRange [0 1 2 3]')])
    await assert.rejects(createNormaliser()(bufferSource(signed)), refusedAs('signed-and-damaged'))
  })

  test('at its limit it says that it is busy, and afterwards it works again', async () => {
    const normalise = createNormaliser({ maxProcesses: 1, qpdf: false })
    const pdf = Object.values(DAMAGED)[0] as Buffer
    const results = await Promise.allSettled([1, 2, 3].map(() => normalise(bufferSource(pdf))))
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 2)
    assert(refused.every(({ reason }) => refusedAs('busy')(reason)))
    assert.equal((await normalise(bufferSource(pdf))).facts.pageCount, 3)
  })

  test('nothing is left behind, whether it worked or not', async () => {
    const temporaryFolder = mkdtempSync(join(tmpdir(), 'pades-normalise-'))
    const pdf = Object.values(DAMAGED)[0] as Buffer
    await createNormaliser({ temporaryFolder })(bufferSource(pdf))
    await assert.rejects(createNormaliser({ temporaryFolder, timeoutMs: 1 })(bufferSource(SLOW)))
    assert.deepEqual(readdirSync(temporaryFolder), [])
    rmdirSync(temporaryFolder)
  })
})
