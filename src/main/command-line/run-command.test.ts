import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COMMANDS } from '../commands/index.ts'
import { openShell } from '../../../test/command-line.ts'
import { CommandFailure, EXIT, type Command } from './command.ts'
import { runCommandLine } from './run-command.ts'
import { makeTerminal } from './terminal.ts'

const shell = openShell()

const greet: Command = {
  purpose: 'greet somebody',
  description: 'Greets.',
  positionals: ['NAME', '[TITLE]'],
  options: { loud: { about: 'Louder.' }, language: { value: 'CODE', about: 'In which language.' } },
  async run(terminal, { positionals, text, has }) {
    if (positionals[0] === 'nobody') throw new CommandFailure('there is nobody', { fix: 'Come back later.' })
    if (positionals[0] === 'fault') throw new TypeError('a fault of ours')
    if (positionals[0] === 'lost') throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    terminal.answer({ positionals, language: text('language') ?? null, isLoud: has('loud') }, positionals.join(' '))
    return EXIT.good
  },
}

describe('the command line', () => {
  const run = async (...args: string[]) => {
    let [out, err] = ['', '']
    const exitCode = await runCommandLine({ greet, people: { purpose: 'people', commands: { greet } } }, args, {
      out: (text) => (out += text),
      err: (text) => (err += text),
      isInteractive: false,
      environment: {},
    })
    return { exitCode, out, err }
  }

  test('reads arguments, options and switches', async () => {
    const { exitCode, out } = await run('greet', 'Ada', '--language', 'fi', '--loud', '--json')
    assert.equal(exitCode, 0)
    assert.deepEqual(JSON.parse(out), { positionals: ['Ada'], language: 'fi', isLoud: true })
    assert.equal((await run('people', 'greet', 'Ada', 'Countess')).out, 'Ada Countess\n')
  })

  for (const [args, why] of [
    [['greet'], /NAME is missing/],
    [['greet', 'a', 'b', 'c'], /"c" is too much/],
    [['greet', 'a', '--quiet'], /Unknown option '--quiet'/],
    [['greet', 'a', '--language'], /argument missing/],
    [['greet', 'a', '--loud=yes'], /does not take an argument/],
    [['people'], /what to do is missing/],
    [['people', 'toString'], /there is no "toString" here/],
    [['constructor'], /there is no command "constructor"/],
    [[], /Usage: countersign COMMAND/],
  ] as const) {
    test(`refuses ${JSON.stringify(args)} with the usage`, async () => {
      const { exitCode, out, err } = await run(...args)
      assert.equal(exitCode, 2)
      assert.equal(out, '')
      assert.match(err, why)
      assert.match(err, /Usage: countersign/)
    })
  }

  test('a failure is a sentence, what to do, and exit code 1; in JSON the same', async () => {
    const { exitCode, out, err } = await run('greet', 'nobody')
    assert.deepEqual(
      { exitCode, out, err },
      { exitCode: 1, out: '', err: 'countersign: there is nobody\nCome back later.\n' },
    )
    const json = await run('greet', 'nobody', '--json')
    assert.equal(json.exitCode, 1)
    assert.deepEqual(JSON.parse(json.out), { error: 'there is nobody', fix: 'Come back later.' })
    assert.equal((await run('greet', 'lost')).err, 'countersign: no such file\n')
  })

  test('a fault of ours is not hidden', async () => {
    await assert.rejects(run('greet', 'fault'), TypeError)
  })

  test('draws a bar where somebody looks, and nothing where nobody does', () => {
    for (const [isInteractive, isJson, isDrawn] of [
      [true, false, true],
      [false, false, false],
      [true, true, false],
    ] as const) {
      let err = ''
      const streams = { out: () => {}, err: (text: string) => void (err += text), isInteractive, environment: {} }
      const bar = makeTerminal(streams, isJson).progress('Copying', 4)
      bar.add(2)
      bar.done()
      assert.equal(/Copying █+ 100 %\n$/.test(err), isDrawn, err)
    }
  })

  test('every command refuses an option that it does not have, and more than it asks for', async () => {
    for (const [name, command] of Object.entries(COMMANDS)) {
      if ('runWith' in command) continue
      const verbs = 'commands' in command ? Object.keys(command.commands).map((verb) => [name, verb]) : [[name]]
      for (const words of verbs) {
        for (const wrong of [['--no-such-option'], Array.from({ length: 9 }, () => 'too-much')]) {
          const { exitCode, out, err } = await shell(...words, ...wrong)
          assert.deepEqual([exitCode, out], [EXIT.usage, ''], [...words, ...wrong].join(' '))
          assert.match(err, new RegExp(`Usage: countersign ${words.join(' ')}`))
        }
      }
    }
  })

  test('the processes that need a database of their own say so', async () => {
    for (const name of ['serve', 'work', 'migrate']) {
      const { exitCode, err } = await shell(name)
      assert.deepEqual([exitCode, /DATABASE_URL is needed/.test(err)], [EXIT.usage, true], `${name}: ${err}`)
    }
  })

  test('every command explains itself: usage, options and exit codes', async () => {
    for (const [name, command] of Object.entries(COMMANDS)) {
      const verbs = 'commands' in command ? Object.keys(command.commands).map((verb) => [name, verb]) : []
      for (const words of [[name], ...verbs]) {
        const { exitCode, out, err } = await shell(...words, '--help')
        if ('runWith' in command) continue // It speaks for itself.
        assert.deepEqual([exitCode, err], [0, ''], words.join(' '))
        assert.match(out, new RegExp(`^Usage: countersign ${words.join(' ')}`))
        for (const line of out.split('\n')) assert.ok(line.length <= 104, line)
      }
    }
  })
})
