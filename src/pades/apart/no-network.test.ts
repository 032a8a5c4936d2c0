// What reads strangers' files asks nobody anything, whatever addresses stand in them. The kernel tells.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { makePdf, stream } from '../testing/documents.ts'
import { skipWithout } from '../testing/judges.ts'
import { makeWorld } from '../validate/testing/world.ts'

const ADDRESS = 'http://127.0.0.1:9/'
const ELSEWHERE = `<< /Type /Filespec /FS /URL /F (${ADDRESS}) >>`
const ASKING = {
  'a link to open': `/OpenAction << /S /URI /URI (${ADDRESS}) >>`,
  'a form to send': `/OpenAction << /S /SubmitForm /F ${ELSEWHERE} >>`,
  'data to import': `/OpenAction << /S /ImportData /F ${ELSEWHERE} >>`,
  'another document': `/OpenAction << /S /GoToR /F ${ELSEWHERE} /D [0 /Fit] >>`,
  'a program': `/OpenAction << /S /Launch /F ${ELSEWHERE} >>`,
  'a script': `/OpenAction << /S /JavaScript /JS (app.launchURL("${ADDRESS}")) >>`,
  'a place on the web': `/URI << /Base (${ADDRESS}) >>`,
}
const TRACED = new URL('./testing/read-files.ts', import.meta.url).pathname

describe('what reads strangers’ files', { skip: skipWithout('strace') }, () => {
  let folder: string
  before(() => (folder = mkdtempSync(join(tmpdir(), 'countersign-network-'))))
  after(() => rmSync(folder, { recursive: true }))

  const keep = (name: string, bytes: Uint8Array) => writeFileSync(join(folder, `${name}.pdf`), bytes)

  async function watch(...command: string[]): Promise<{ said: string; connections: string[] }> {
    const trace = join(tmpdir(), `countersign-strace-${process.pid}`)
    const watched = ['-f', '-qq', '-e', 'trace=connect,sendto,sendmsg', '-e', 'signal=none', '-o', trace]
    const { stdout } = await promisify(execFile)('strace', [...watched, process.execPath, ...command])
    const lines = readFileSync(trace, 'utf8').split('\n')
    rmSync(trace)
    return { said: stdout.trim(), connections: lines.filter((line) => line.includes('AF_INET')) }
  }

  test('connects to nobody, neither for addresses in a document nor for those in its certificates', async () => {
    const world = await makeWorld()
    for (const [what, catalogEntries] of Object.entries(ASKING)) keep(what, makePdf({ catalogEntries }))
    keep('content elsewhere', makePdf({ extraObjects: [stream(`/F ${ELSEWHERE} `, Buffer.from('x'))] }))
    keep('certificates that name addresses', await world.sign(makePdf(), { signer: await world.seal() }))
    const { said, connections } = await watch(TRACED, folder)
    assert.deepEqual(connections, [])
    const judged = JSON.parse(said) as string[]
    assert.equal(judged.length, Object.keys(ASKING).length + 2)
    assert.ok(judged.includes('unsigned') && judged.includes('indeterminate'), said)
  })

  test('would be seen if it did', async () => {
    const { connections } = await watch('-e', `require('node:net').connect(9, '127.0.0.1').on('error', () => {})`)
    assert.ok(connections.length > 0)
  })
})
