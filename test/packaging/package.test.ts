// The package that `npm pack` makes of this folder, below a node_modules, where Node runs no TypeScript. The packages
// that it depends on are those that are installed here: nothing is fetched.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { makePdf } from '../small-pdf.ts'

const run = promisify(execFile)

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-packed-'))
  const installed = join(folder, 'node_modules', 'countersign')

  before(async () => {
    await run('npm', ['pack', '--pack-destination', folder])
    const [archive] = globSync('*.tgz', { cwd: folder })
    mkdirSync(installed, { recursive: true })
    execFileSync('tar', ['-xzf', join(folder, archive!), '--strip-components=1', '-C', installed])
    for (const name of readdirSync('node_modules')) {
      if (!name.startsWith('.')) symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
    }
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const countersign = (...args: string[]) =>
    run(process.execPath, [join(installed, 'bin', 'countersign.js'), ...args], { cwd: folder, env: {} })

  test('holds the program as JavaScript, the pages, the migrations and the documentation; no sources, no tests', () => {
    const files = globSync('**/*', { cwd: installed })
    for (const file of [
      'bin/countersign.js',
      'dist/js/dist/web/console/index.html',
      'docs/api/openapi.json',
      'README.md',
    ])
      assert.ok(files.includes(file), file)
    assert.ok(files.some((file) => /^dist\/js\/db\/migrations\/000001_\w+\.sql$/.test(file)))
    const unwanted = /\.tsx?$|\.test\.|\/testing\/|^(src|test|tools|bench|data)\//
    assert.deepEqual(
      files.filter((file) => unwanted.test(file) && !file.startsWith('docs/examples/')),
      [],
    )
  })

  test('every module that one of its modules names is there', () => {
    const root = join(installed, 'dist', 'js')
    const names = /(?:from|import|import\(|new URL\()\s*['"]((?:\.\.?\/|#)[^'"]+)['"]/g
    let count = 0
    for (const file of globSync('{src,client}/**/*.js', { cwd: root })) {
      for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(names)) {
        const path = name === '#client' ? 'client/src/index.js' : name!.replace(/^#/, 'src/')
        const place = name!.startsWith('#') ? join(root, path) : join(root, dirname(file), path)
        // A module of the permission model's own list; npm puts packages elsewhere.
        if (!path.endsWith('node_modules')) assert.ok(existsSync(place), `${file} names ${name}`)
        count += 1
      }
    }
    assert.ok(count > 1000, `${count} names`)
  })

  test('its command runs, and judges a file', async () => {
    assert.match((await countersign('--help')).stdout, /^Usage: countersign COMMAND/)
    writeFileSync(join(folder, 'letter.pdf'), makePdf())
    const failure = await countersign('verify', 'letter.pdf', '--json').catch((error: unknown) => error)
    const { code, stdout } = failure as { code: number; stdout: string }
    assert.deepEqual([code, (JSON.parse(stdout) as { verdict: string }).verdict], [4, 'unsigned'])
  })
})
