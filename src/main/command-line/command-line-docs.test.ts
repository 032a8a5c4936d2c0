// docs/command-line.md says what the commands themselves say.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { COMMANDS } from '../commands/index.ts'
import { EXIT, EXIT_MEANINGS, type Command } from './command.ts'

const page = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8')

/** Every command with its whole name, `key create` and the like included. */
const commands: [name: string, command: Command][] = Object.entries(COMMANDS)
  .flatMap(([name, found]) => {
    if ('commands' in found)
      return Object.entries(found.commands).map(([verb, one]) => [`${name} ${verb}`, one] as const)
    return 'run' in found ? [[name, found] as const] : []
  })
  .map(([name, command]) => [name, command])

/** The cells below this head. */
function tableBelow(...head: string[]): string[][] {
  const lines = page.split('\n')
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const start = lines.findIndex((line) => line.startsWith('|') && cells(line).join() === head.join())
  assert.ok(start >= 0, `there is no table with ${head.join(', ')}`)
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines.slice(start + 2, end).map(cells)
}

describe('docs/command-line.md', () => {
  test('names every command, and none that is not there', () => {
    const named = tableBelow('Command', 'does').flatMap(([cell]) => cell!.match(/`[^`]+`/g)!.map(unquote))
    const words = (text: string) => text.split(' ').filter((word) => /^[a-z][a-z-]*$/.test(word))
    // `key create`, `list`, `rotate`: a word alone goes with the group before it.
    let group = ''
    const whole = named.map((name) => {
      const [first, ...rest] = words(name)
      if (rest.length > 0) group = first!
      return rest.length === 0 && !Object.hasOwn(COMMANDS, first!) ? `${group} ${first}` : [first, ...rest].join(' ')
    })
    assert.deepEqual(whole.sort(), commands.map(([name]) => name).sort())
  })

  test('has the meanings of the exit codes', () => {
    const expected = Object.values(EXIT).map((code) => [String(code), EXIT_MEANINGS[code]])
    assert.deepEqual(tableBelow('Exit code', 'means'), expected)
  })

  test('has what a command’s own exit codes mean', () => {
    const expected = commands.flatMap(([name, { exitCodes = {} }]) =>
      Object.entries(exitCodes).map(([code, meaning]) => [`\`${name}\``, code, meaning]),
    )
    assert.deepEqual(tableBelow('Command', 'Exit code', 'means'), expected)
  })
})

const unquote = (text: string) => text.slice(1, -1)
