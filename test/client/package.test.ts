// The client as others get it: packed, installed into an empty folder, run by plain Node and read by the compiler.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { compile, installClient } from './installed-client.ts'
import { startService, type TestService } from '../service.ts'
import { makePdf } from '../small-pdf.ts'

const run = promisify(execFile)
const MOST_LINES = 15
const MOST_BYTES = 6 * 1024

describe('the client’s package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-package-'))
  const built = join(folder, 'built')
  const empty = join(folder, 'empty')
  let service: TestService
  let key: string

  before(async () => {
    await installClient({ built, into: empty })
    writeFileSync(join(empty, 'lease.pdf'), makePdf())
    service = await startService()
    key = (await service.createTenant()).key
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const firstExample = () => {
    const [, example] = /```ts\n([\s\S]*?)```/.exec(readFileSync('client/README.md', 'utf8'))!
    return example!
  }

  test('holds JavaScript, types, the README and the licence, and depends on nothing', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', built], { cwd: folder })
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
    const paths = files.map(({ path }) => path)
    for (const path of ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts'])
      assert.ok(paths.includes(path), path)
    assert.deepEqual(
      paths.filter((path) => !/^(LICENSE|README\.md|package\.json|dist\/[\w/-]+\.(js|d\.ts))$/.test(path)),
      [],
    )
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'))
    assert.deepEqual([dependencies, peerDependencies], [undefined, undefined])
  })

  test(`the README’s first signature has at most ${MOST_LINES} lines, and runs on plain Node`, async (context) => {
    const example = firstExample()
    assert.ok(example.trim().split('\n').length <= MOST_LINES, `${example.trim().split('\n').length} lines`)
    writeFileSync(join(empty, 'first.js'), example.replace('http://127.0.0.1:8080', service.url))
    const programs = [process.execPath, ...(await otherNodes())]
    for (const program of programs) {
      const { stdout } = await run(program, ['first.js'], { cwd: empty, env: { KEY: key } })
      assert.match(stdout, /\/sign\//)
      context.diagnostic(`ran on ${(await run(program, ['--version'])).stdout.trim()}`)
    }
  })

  test('the compiler accepts it, strictly and with the types of the package itself', async () => {
    writeFileSync(join(empty, 'first.ts'), `${firstExample()}\nexport const link: Promise<{ url: string }> | 0 = 0\n`)
    await compile(empty, ['first.ts'])
  })

  test(`a page that bundles it pays less than ${MOST_BYTES / 1024} KB`, async (context) => {
    const entry = join(empty, 'page.js')
    writeFileSync(entry, "import * as client from '@countersign/client'\nglobalThis.client = client\n")
    const { output } = (await build({
      configFile: false,
      root: empty,
      logLevel: 'error',
      build: { write: false, target: 'es2022', rolldownOptions: { input: entry } },
    })) as Rolldown.RolldownOutput
    const bytes = brotliCompressSync(output[0].code).length
    context.diagnostic(`${bytes} bytes compressed by Brotli`)
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes`)
  })
})

/** The Node that the machine has by itself, which may be older than the one that the service brings. */
async function otherNodes(): Promise<string[]> {
  for (const program of ['/usr/local/bin/node', '/usr/bin/node']) {
    const version = await run(program, ['--version']).catch(() => undefined)
    const [major = 0, minor = 0] = version?.stdout.slice(1).split('.').map(Number) ?? []
    if (major > 20 || (major === 20 && minor >= 3)) return [program]
  }
  return []
}
