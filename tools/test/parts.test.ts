import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { splitIntoParts } from './parts.ts'

describe('the parts of the tests', () => {
  test('are four, begun with the browser tests, and each file is in one of them', () => {
    const files = [
      'bench/z.test.ts',
      'src/features/hooks/a.test.ts',
      'src/pades/b.test.ts',
      'test/c.test.ts',
      'test/client/d.test.ts',
      'test/journeys/e.test.ts',
    ]
    assert.deepEqual(splitIntoParts(files), [
      ['test/journeys/e.test.ts'],
      ['src/features/hooks/a.test.ts'],
      ['test/c.test.ts', 'test/client/d.test.ts'],
      ['bench/z.test.ts', 'src/pades/b.test.ts'],
    ])
  })

  test('are fewer where there are fewer files', () => {
    assert.deepEqual(splitIntoParts(['src/main/a.test.ts']), [['src/main/a.test.ts']])
    assert.deepEqual(splitIntoParts([]), [])
  })
})
