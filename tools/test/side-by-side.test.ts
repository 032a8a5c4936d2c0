import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { until } from '../../test/until.ts'
import { runSideBySide } from './side-by-side.ts'

const NODE_ARGS = ['--test', '--test-isolation=none', '--test-force-exit']

describe('tests in several processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-side-by-side-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  function write(name: string, body: string): string {
    const file = join(folder, name)
    const imports = `import { describe, test } from 'node:test'; import assert from 'node:assert/strict'`
    writeFileSync(file, `${imports}; import { existsSync, writeFileSync } from 'node:fs'\n${body}`)
    return file
  }

  /** A test that ends only when the other one of a pair has begun. */
  const writeMeeting = (own: string, other: string) => {
    const [here, there] = [own, other].map((name) => JSON.stringify(join(folder, `${name}.begun`)))
    return write(
      `${own}.test.mjs`,
      `describe('${own}', () => test('meets ${other}', async () => {
         writeFileSync(${here}, '')
         while (!existsSync(${there})) await new Promise((resolve) => setTimeout(resolve, 20))
       }))`,
    )
  }

  async function run(parts: string[][], atOnce = 2): Promise<{ output: string; havePassed: boolean }> {
    const output = new PassThrough()
    const [printed, havePassed] = await Promise.all([
      text(output),
      runSideBySide(parts, { atOnce, nodeArgs: NODE_ARGS, output }),
    ])
    return { output: printed, havePassed }
  }

  test('run at the same time, and are counted together', async () => {
    const good = write('good.test.mjs', `test('good', () => {}); test.skip('left out', () => {})`)
    const parts = [[writeMeeting('left', 'right'), good], [writeMeeting('right', 'left')]]
    const { output, havePassed } = await run(parts)
    assert.ok(havePassed, output)
    for (const line of [/^▶ left\n {2}✔ meets right/m, /^▶ right\n {2}✔ meets left/m, /^✔ good/m])
      assert.match(output, line)
    assert.match(
      output,
      /ℹ tests 4\nℹ suites 2\nℹ pass 3\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms/,
    )
    assert.equal(output.match(/^ℹ tests/gm)?.length, 1)
  })

  test('print one suite after the other, and what they say themselves', async () => {
    const talking = write(
      'talking.test.mjs',
      `describe('talking\u2028on', () => test('aloud', (t) => {
         process.stdout.write('half a line')
         t.diagnostic('a figure')
       }))`,
    )
    const { output, havePassed } = await run([[talking]], 1)
    assert.ok(havePassed)
    assert.match(output, /half a line\n/)
    assert.match(output, /^▶ talking\u2028on\n {2}✔ aloud .*\n {2}ℹ a figure\n✔ talking\u2028on/m)
  })

  test('fail as a whole if one fails; the others are run, and the failures stand at the end with their place', async () => {
    const bad = write(
      'bad.test.mjs',
      `describe('bad', () => {
         test('sum', () => assert.deepEqual({ sum: 1 }, { sum: 2 }))
         test('odd', () => { throw { odd: true } })
       })`,
    )
    const late = write('late.test.mjs', `test('late', () => {})`)
    const { output, havePassed } = await run([[bad], [late]], 1)
    assert.equal(havePassed, false)
    assert.match(output, /✔ late/)
    assert.match(output, /ℹ pass 1\nℹ fail 2\n/)
    const [, end] = output.split('✖ failing tests:')
    assert.match(end!, /test at .*bad\.test\.mjs:3:\d+\n✖ sum .*\n {2}AssertionError \[ERR_ASSERTION\]/)
    for (const line of [/\+ {3}sum: 1/, /at .*bad\.test\.mjs/, /✖ odd .*\n {2}\{ odd: true \}/])
      assert.match(end!, line)
    assert.match(output, /bad\.test\.mjs: ended with 1, \d+ s/)
  })

  test('are heard to the end, however slowly the one that reports reads', async () => {
    const many = write(
      'many.test.mjs',
      `for (let at = 0; at < 1_000; at++) test('number ' + at + ' of a long name'.repeat(20), () => {})`,
    )
    const busy = new Writable({
      write(_chunk, _encoding, done) {
        for (const end = performance.now() + 1; performance.now() < end;);
        done()
      },
    })
    assert.ok(await runSideBySide([[many]], { atOnce: 1, nodeArgs: NODE_ARGS, output: busy }))
  })

  test('fail if a process dies, which is said', async () => {
    const dying = write('dying.test.mjs', `test('last words', () => process.kill(process.pid, 'SIGKILL'))`)
    const silent = write('silent.test.mjs', `test('never heard of', () => {})`)
    const { output, havePassed } = await run([[dying, silent], [write('well.test.mjs', `test('well', () => {})`)]])
    assert.equal(havePassed, false)
    assert.match(output, /dying\.test\.mjs and 1 more: died with SIGKILL before its tests were through/)
    assert.match(output, /✔ well/)
  })

  test('fail if a process leaves before its tests are through, however friendly', async () => {
    const { havePassed, output } = await run([[write('leaving.test.mjs', `test('leaves', () => process.exit(0))`)]])
    assert.equal(havePassed, false)
    assert.match(output, /leaving\.test\.mjs: died with 0 before its tests were through/)
  })

  test('all end when they are told to, and no further one is begun', async () => {
    const forever = (name: string) =>
      write(
        `${name}.test.mjs`,
        `test('${name}', async () => {
           writeFileSync(${JSON.stringify(join(folder, name))}, String(process.pid))
           await new Promise((resolve) => setTimeout(resolve, 600_000))
         })`,
      )
    const parts = ['first', 'second', 'third'].map((name) => [forever(name)])
    const program = join(folder, 'run.ts')
    writeFileSync(
      program,
      `import { runSideBySide } from ${JSON.stringify(import.meta.resolve('./side-by-side.ts'))}
       const options = ${JSON.stringify({ atOnce: 2, nodeArgs: NODE_ARGS })}
       process.exitCode = (await runSideBySide(${JSON.stringify(parts)}, options)) ? 0 : 1`,
    )
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const printed = text(child.stdout)
    const ended = once(child, 'exit')
    const pids = ['first', 'second'].map((name) => join(folder, name))
    await until('both to run', async () => pids.every((path) => existsSync(path) && readFileSync(path, 'utf8') !== ''))
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [1, null])
    assert.match(await printed, /Interrupted while running:/)
    for (const path of pids) assert.throws(() => process.kill(Number(readFileSync(path, 'utf8')), 0), { code: 'ESRCH' })
    assert.ok(!existsSync(join(folder, 'third')))
  })
})
