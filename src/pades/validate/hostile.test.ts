import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { leastOf } from '../../../test/least-of.ts'
import { createSignatureFields } from '../fields.ts'
import { bufferSource } from '../source.ts'
import { makePdf } from '../testing/documents.ts'
import { makeHostileFiles, packedForm, type HostileFile } from './testing/hostile.ts'
import { makeWorld, type World } from './testing/world.ts'

const MAX_SECONDS = 2
const MAX_MEMORY_MB = 256
const JUDGE = join(import.meta.dirname, 'testing/judge-file.ts')

interface Cost {
  readonly verdict: string
  readonly seconds: number
  readonly memoryMb: number
}

/** How much of what is allowed it takes to judge a file: 1 is all of the time, or all of the memory. */
async function shareOfBounds(hostile: HostileFile, world: World, verdict?: string): Promise<number> {
  const measure = async () => {
    const cost = await costOf(hostile, world)
    if (verdict !== undefined) assert.equal(cost.verdict, verdict)
    return Math.max(cost.seconds / MAX_SECONDS, cost.memoryMb / MAX_MEMORY_MB)
  }
  return leastOf(measure, { below: 1 })
}

/** What it costs in a process that does nothing else. */
async function costOf({ pdf }: HostileFile, { root, now }: World): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-hostile-'))
  try {
    const [file, certificate] = [join(folder, 'file.pdf'), join(folder, 'root.cer')]
    await Promise.all([writeFile(file, pdf), writeFile(certificate, root.certificate)])
    const { stdout } = await promisify(execFile)(process.execPath, [JUDGE, file, certificate, now.toISOString()])
    return JSON.parse(stdout) as Cost
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('files made to keep a validator busy', () => {
  test('none takes two seconds of work or 256 MB', async (t) => {
    const world = await makeWorld()
    for await (const hostile of makeHostileFiles(world)) {
      await t.test(hostile.name, async () => {
        const share = await shareOfBounds(hostile, world)
        assert(share < 1, `${share} of what is allowed`)
      })
    }
  })

  const documents: [what: string, pdf: Buffer][] = [
    ['a document', makePdf()],
    ['a form of fields that are packed and below each other', packedForm(130)],
  ]
  for (const [what, document] of documents) {
    test(`${what} that a hundred people have signed, each stamped for the archive, is judged in the same bounds`, async () => {
      const world = await makeWorld()
      // As in a request: every field is made before the first person signs.
      const fields = Array.from({ length: 100 }, (_, at) => ({ name: `S${at}` }))
      let pdf: Buffer = Buffer.concat([document, await createSignatureFields(bufferSource(document), fields)])
      for (const field of fields)
        pdf = await world.sign(pdf, { signer: await world.signatory(field.name), field: field.name })
      pdf = await world.sign(pdf, { signer: await world.seal(), field: { name: 'Seal' } })
      // It is far from the end of what is allowed: an archive can be stamped again and again.
      for (let times = 0; times < 40; times++) pdf = await world.archive(pdf, await world.validationData())
      const share = await shareOfBounds({ name: what, pdf }, world, 'valid')
      assert(share < 1, `${share} of what is allowed`)
    })
  }
})
