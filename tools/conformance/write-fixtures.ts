// `node tools/conformance/write-fixtures.ts`: writes test/fixtures/judged anew, with what pyHanko and DSS say about the
// files. Both must be installed; only needed when what we sign has changed.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Authority } from './authority.ts'
import { writeBundle } from './bundle.ts'
import { DOCUMENT_KINDS } from './documents.ts'
import { ALGORITHMS, BEGIN, LEVELS, signOnce } from './files.ts'
import type { SignedFile } from './signed-file.ts'
import { askDss } from './judges/dss.ts'
import { askPyhanko } from './judges/pyhanko.ts'

const FOLDER = fileURLToPath(new URL('../../test/fixtures/judged', import.meta.url))
const MAX_FILE_BYTES = 60_000

/** Every level with every kind of key, and one file for each kind of structure. */
async function makeFiles(authority: Authority): Promise<SignedFile[]> {
  const files: (SignedFile | undefined)[] = []
  for (const kind of DOCUMENT_KINDS.filter(({ name }) => name === 'classic')) {
    for (const algorithm of ALGORITHMS) {
      for (const level of LEVELS) files.push(await signOnce({ authority, algorithm }, { kind, level }))
    }
  }
  for (const kind of DOCUMENT_KINDS.filter(({ name }) => name === 'object-streams' || name === 'certified')) {
    files.push(await signOnce({ authority, algorithm: 'ES256' }, { kind, level: 'B-LTA' }))
  }
  return files.filter((file) => file !== undefined)
}

const writeJson = (name: string, value: unknown) =>
  writeFileSync(join(FOLDER, name), `${JSON.stringify(value, undefined, 1)}\n`)

function emptyFolder(): void {
  mkdirSync(FOLDER, { recursive: true })
  for (const name of readdirSync(FOLDER)) if (/\.(pdf|cer|json)$/.test(name)) rmSync(join(FOLDER, name))
}

const authority = await Authority.begin(BEGIN, ALGORITHMS)
const files = await makeFiles(authority)
const tooLarge = files.filter(({ pdf }) => pdf.length > MAX_FILE_BYTES)
if (tooLarge.length > 0) throw new Error(`Too large for a fixture: ${tooLarge.map(({ name }) => name).join(', ')}`)

const temporary = mkdtempSync(join(tmpdir(), 'conformance-'))
try {
  const bundle = writeBundle(temporary, { files, root: authority.root.certificate })
  const { time, future } = bundle
  const answers = { pyhanko: askPyhanko(bundle), dss: askDss(bundle, time), 'dss-later': askDss(bundle, future) }

  emptyFolder()
  writeFileSync(join(FOLDER, 'root.cer'), bundle.root)
  for (const { name, pdf } of files) writeFileSync(join(FOLDER, name), pdf)
  const facts = files.map(({ name, levels, documentTimestamps }) => [name, { levels, documentTimestamps }])
  writeJson('index.json', { judgedAt: time, judgedLaterAt: future, files: Object.fromEntries(facts) })
  for (const [judge, answer] of Object.entries(answers)) writeJson(`${judge}.json`, answer)
  console.log(`${files.length} files, judged by pyHanko ${answers.pyhanko.version} and DSS ${answers.dss.version}`)
} finally {
  rmSync(temporary, { recursive: true })
}
