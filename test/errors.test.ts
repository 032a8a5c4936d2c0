import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { ERRORS_PATH, writeErrorsPage } from '../tools/reference/errors-page.ts'

describe('the list of errors', () => {
  test('docs/errors.md lists exactly the codes of the code (npm run openapi writes it)', async () => {
    assert.equal(readFileSync(ERRORS_PATH, 'utf8'), await writeErrorsPage())
  })

  test('no code is made up on the spot: each is declared once, with its meaning', () => {
    for (const file of globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))) {
      assert.doesNotMatch(readFileSync(file, 'utf8'), /new AppError\(\s*'\w+',\s*\d/, file)
    }
  })
})
