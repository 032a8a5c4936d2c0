// docs/security.md and docs/reliability.md promise nothing that no test holds: each test that they name is there, word for
// word.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

const text = readFileSync('docs/security.md', 'utf8')
const operations = readFileSync('docs/reliability.md', 'utf8')
  .split(/^## /m)
  .find((part) => part.startsWith('Growth'))!
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

  test('every figure has the number of trials behind it', () => {
    const lines = text
      .slice(text.indexOf('## Figures'))
      .split('\n')
      .filter((line) => line.startsWith('- '))
    assert.ok(lines.length >= 4)
    for (const line of lines) assert.match(line, /\bn = [\d,]+/, line)
  })
})
