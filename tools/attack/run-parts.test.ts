import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { PARTS, type Part } from './parts.ts'
import { describeOutcomes, runParts } from './run-parts.ts'

function part(name: string, script: string, more: Partial<Part> = {}): Part {
  const args = ['-e', script]
  return { name, about: `what ${name} does`, trials: 7, args, environment: {}, takesOptions: false, ...more }
}

const held = async (...parts: Part[]) => (await runParts(parts, { seed: 3 })).map(({ hasHeld }) => hasHeld)

describe('the parts of the proof against attackers', () => {
  test('are all run, and a failing one is told, whichever it is', async () => {
    const [good, bad] = [part('good', ''), part('bad', 'process.exit(1)')]
    const killed = part('killed', 'process.kill(process.pid, "SIGKILL")')
    assert.deepEqual(await held(bad, good, killed, good), [false, true, false, true])
  })

  test('count their trials by their output, and have not held where there were none', async () => {
    const trials = /^tried (\d+)$/gm
    const counting = part('counting', 'console.log("tried 3\\nℹ p99 = 4 ms\\nℹ tests 1\\ntried 4")', { trials })
    const [outcome] = await runParts([counting], { seed: 3 })
    assert.deepEqual([outcome!.trials, outcome!.hasHeld, outcome!.figures], [7, true, ['p99 = 4 ms']])
    assert.deepEqual(await held(part('idle', '', { trials })), [false])
  })

  test('get their environment and the seed, and options where they take some', async () => {
    let printed = ''
    const script = 'console.log(process.env.SIZE, process.env.COUNTERSIGN_TEST_SEED, process.argv.slice(1).join(" "))'
    const sized = part('sized', script, {
      environment: { SIZE: 'large' },
      args: ['-e', script, '--'],
      takesOptions: true,
    })
    await runParts([sized], { seed: 3, more: ['--each', '5'], onOutput: (text) => (printed += text) })
    assert.match(printed, /large 3 --seed 3 --each 5/)
  })

  test('are told in one table, with what was measured below it', async () => {
    const about = { about: 'x', seconds: 1.25, figures: ['t = 0.2'] }
    const table = describeOutcomes([
      { ...about, name: 'one', trials: 10_000, hasHeld: true },
      { ...about, name: 'other', trials: 5, hasHeld: false, figures: [] },
    ])
    assert.deepEqual(table.split('\n'), [
      'part   what       n  seconds  outcome',
      'one    x     10,000      1.3  held',
      'other  x          5      1.3  FAILED',
      '',
      'one: t = 0.2',
    ])
  })

  test('name tests and tools that there are, and sizes that are read', () => {
    const files = globSync('{src,test}/**/*.test.ts')
    for (const { name, args, environment } of PARTS) {
      const [program, ...words] = args
      assert.ok(existsSync(program!), name)
      if (program !== 'tools/test.ts') continue
      assert.ok(words.length > 0, name)
      for (const word of words) {
        const found = files.filter((file) => file.includes(word))
        assert.ok(found.length > 0, word)
        const text = found.map((file) => readFileSync(file, 'utf8')).join('\n')
        for (const variable of Object.keys(environment)) assert.ok(text.includes(variable), variable)
      }
    }
  })

  test('each have a command, as the document on security says', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    const named = new Set(readFileSync('docs/security.md', 'utf8').match(/(?<=npm run )proof:\w+/g))
    for (const name of named) assert.ok(name in scripts, name)
    for (const [, command] of Object.entries(scripts)) {
      const [, name] = /tools\/prove-attack\.ts (\w+)/.exec(command) ?? []
      assert.ok(name === undefined || PARTS.some((one) => one.name === name), command)
    }
  })
})
