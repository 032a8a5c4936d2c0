// docs/security.md and docs/reliability.md promise nothing that no test holds: each test that they name is there, word for
// word, and each figure has the number of trials behind it, the command that finds it anew, and the day.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { PARTS } from '../tools/attack/parts.ts'

const text = readFileSync('docs/security.md', 'utf8')
const reliability = readFileSync('docs/reliability.md', 'utf8')
const operations = reliability.split(/^## /m).find((part) => part.startsWith('Growth'))!
const rows = [...`${text}\n${operations}`.matchAll(/^\| (?!-|what is promised)(.+?) \|$/gm)].map(([, cells]) =>
  cells!.split(' | '),
)

/** The tests of a row: a file and, after it, names of tests in that file. */
function testsOf(cell: string): { file: string; names: string[] }[] {
  const pieces = [...cell.matchAll(/`([^`]+\.test\.ts)`|“([^”]+)”/g)]
  const found: { file: string; names: string[] }[] = []
  for (const [, file, name] of pieces) {
    if (file !== undefined) found.push({ file, names: [] })
    else found.at(-1)?.names.push(name!)
  }
  return found
}

describe('docs/security.md and docs/reliability.md', () => {
  test('has a test in every row', () => {
    assert.ok(rows.length > 30)
    for (const cells of rows) {
      const tests = testsOf(cells.at(-1)!)
      assert.ok(tests.length > 0, cells[0])
      for (const { file, names } of tests) assert.ok(names.length > 0, `${file} in “${cells[0]}” names no test`)
    }
  })

  for (const cells of rows) {
    for (const { file, names } of testsOf(cells.at(-1)!)) {
      test(`“${cells[0]}” is held by ${file}`, () => {
        assert.ok(existsSync(file), file)
        const source = readFileSync(file, 'utf8')
        for (const name of names) assert.ok(source.includes(name), `${file} has no “${name}”`)
      })
    }
  }

  for (const [page, heading] of [
    [text, '## Figures'],
    [reliability, '## Latest figures'],
  ] as const) {
    test(`every figure under “${heading}” has the number of trials behind it, a command and a date`, () => {
      const figures = listFigures(page.slice(page.indexOf(heading)))
      assert.ok(figures.length >= 8)
      for (const figure of figures) {
        assert.match(figure, /\bn = [\d,]+/, figure)
        assert.match(figure, /`(npm (run|test)|node tools\/)|^The same run:/, figure)
        assert.match(figure, /\b\d{4}-\d\d-\d\d\b|^The same run:/, figure)
      }
    })
  }

  test('every command that a page names is there', () => {
    for (const page of ['README.md', ...globSync('docs/**/*.md')]) {
      const faults = listCommands(readFileSync(page, 'utf8')).filter((command) => !isThere(command))
      assert.deepEqual(faults, [], page)
    }
  })

  test('a command that is not there would be noticed', () => {
    const page =
      '`npm run proof:none`, `npm run proof:attack -- nobody`, `npm test -- nowhere`, `npm run bench -- nothing=7`'
    assert.deepEqual(listCommands(page).filter(isThere), [])
    assert.equal(listCommands(page).length, 4)
  })
})

/** The points of a list, each in one line. */
function listFigures(section: string): string[] {
  return [...section.matchAll(/^- (.+(?:\n  .+)*)/gm)].map(([, point]) => point!.replaceAll(/\s+/g, ' '))
}

type Command = { script: string; words: string[] }

/** What npm is asked for, up to the first option or the end of the line. */
function listCommands(page: string): Command[] {
  return [...page.matchAll(/\bnpm (?:run )?(-s )?([a-z0-9:]+)(?: -- ([^`#\n]*))?/g)]
    .filter(([command, , script]) => command.startsWith('npm run') || script === 'test')
    .map(([, , script, rest = '']) => ({
      script: script!,
      words: rest
        .split(/(?:^| )-/)[0]!
        .trim()
        .split(' ')
        .filter(Boolean),
    }))
}

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const bench = readFileSync('bench/run.ts', 'utf8')
const tests = globSync('{src,test,tools,client}/**/*.test.ts')

function isThere({ script, words }: Command): boolean {
  if (scripts[script] === undefined) return false
  if (script === 'proof:attack') return words.every((word) => PARTS.some(({ name }) => name === word))
  if (script === 'bench') return words.every((word) => bench.includes(`\n  ${word.split('=')[0]}: async`))
  if (script === 'test') return words.every((word) => word.startsWith('<') || tests.some((file) => file.includes(word)))
  return true
}
