import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readStrength } from './authentication.ts'

describe('the words for a strength', () => {
  const words: [strength: string, ...others: string[]][] = [
    ['None', 'none', 'NONE'],
    ['Email', 'email', 'Low', 'Basic', 'Weak', 'WEAK'],
    ['Sms', 'SMS', 'Medium', 'Substantial'],
    ['Strong', 'High', 'Eid', 'eID'],
  ]
  for (const [strength, ...others] of words) {
    test(`${others.join(', ')}: ${strength}`, () => {
      for (const word of [strength, ...others]) assert.equal(readStrength(word, 'field'), strength, word)
    })
  }

  test('any other is refused with the list', () => {
    for (const word of ['', 'Email ', 'strongest', 'toString', '__proto__'])
      assert.throws(() => readStrength(word, 'readingAuthenticationStrength'), {
        classification: 'InvalidArgument',
        message: /^readingAuthenticationStrength: must be None, Email .* Sms .* Strong/,
      })
  })
})
