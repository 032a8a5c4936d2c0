import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitUntilKept } from './settling.ts'

describe('waiting for the machine of a tenant', () => {
  const answering = (...answers: string[][]) => {
    const asked: string[][] = []
    const listOpen = async () => {
      const answer = answers[Math.min(asked.length, answers.length - 1)]!
      asked.push(answer)
      return answer
    }
    return { asked, listOpen }
  }

  test('asks once where nothing is promised', async () => {
    const { asked, listOpen } = answering([])
    await waitUntilKept(listOpen)
    assert.equal(asked.length, 1)
  })

  test('ends when the promises are kept that were open at first, however many follow', async () => {
    const { asked, listOpen } = answering(['one', 'two'], ['two', 'three'], ['three', 'four'])
    await waitUntilKept(listOpen)
    assert.equal(asked.length, 3)
  })

  test('gives up on one that is not kept, so that the job is tried again later', async () => {
    await assert.rejects(waitUntilKept(answering(['one']).listOpen, 50), /has not committed yet/)
  })
})
