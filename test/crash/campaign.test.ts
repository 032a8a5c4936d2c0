import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planLife } from './campaign.ts'
import { Random } from './workload/random.ts'

const NOTHING = { disk: undefined, storage: undefined, sharesWork: undefined }

describe('the plan of a life', () => {
  test('is shorter where more of its faults would end the database more often than it is started again', () => {
    const only = ['kill the database', 'kill everything at once']
    const plan = planLife(new Random(7), { count: 9, has: NOTHING, only }).map(({ name }) => name)
    assert.deepEqual(plan, [...Array(4).fill('kill the database'), 'kill everything at once'])
  })

  test('has as many faults as were asked for, the last of which ends everything', () => {
    const plan = planLife(new Random(7), { count: 9, has: NOTHING, only: undefined })
    const ends = plan.map(({ endsEverything = false }) => endsEverything)
    assert.deepEqual(ends, [...Array(8).fill(false), true])
  })
})
