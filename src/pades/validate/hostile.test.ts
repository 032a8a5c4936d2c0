import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { makePdf } from '../testing/documents.ts'
import { makeHostileFiles, type HostileFile } from './testing/hostile.ts'
import { makeWorld, type World } from './testing/world.ts'

const MAX_SECONDS = 2
const MAX_MEMORY_MB = 256
const MAX_TRIES = 4
const JUDGE = join(import.meta.dirname, 'testing/judge-file.ts')

interface Cost {
  readonly verdict: string
  readonly seconds: number
  readonly memoryMb: number
}

/** What it costs to judge a file. Other work on the machine only ever adds to it, so the least of a few tries counts. */
async function costOf(hostile: HostileFile, world: World): Promise<Cost> {
  let least = await costOfOnce(hostile, world)
  for (let tries = 1; tries < MAX_TRIES && !isWithinBounds(least); tries++) {
    const { verdict, seconds, memoryMb } = await costOfOnce(hostile, world)
    least = { verdict, seconds: Math.min(seconds, least.seconds), memoryMb: Math.min(memoryMb, least.memoryMb) }
  }
  return least
}

const isWithinBounds = ({ seconds, memoryMb }: Cost) => seconds < MAX_SECONDS && memoryMb < MAX_MEMORY_MB

const tell = ({ seconds, memoryMb }: Cost) => `${seconds} s, ${memoryMb} MB`

/** In a process that does nothing else. */
async function costOfOnce({ pdf }: HostileFile, { root, now }: World): Promise<Cost> {
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
        const cost = await costOf(hostile, world)
        assert(isWithinBounds(cost), tell(cost))
      })
    }
  })

  test('a document that a hundred people have signed, each stamped for the archive, is judged in the same bounds', async () => {
    const world = await makeWorld()
    let pdf = makePdf()
    for (let at = 0; at < 100; at++) {
      pdf = await world.sign(pdf, { signer: await world.signatory(`Person ${at}`), field: { name: `S${at}` } })
    }
    const cost = await costOf({ name: 'a hundred', pdf }, world)
    assert.equal(cost.verdict, 'valid')
    assert(isWithinBounds(cost), tell(cost))
  })
})
