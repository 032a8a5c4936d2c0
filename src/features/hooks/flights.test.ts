import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Flights, type DueLane } from './flights.ts'

const lane = (changes: Partial<DueLane> = {}): DueLane => ({
  subscriptionId: 'a',
  bucket: 1,
  allowed: 10,
  closedUntil: null,
  ...changes,
})

/** Takes on as many as there is room for and answers with those that may go. */
function fill(flights: Flights<string>, due: DueLane, prefix = due.subscriptionId): string[] {
  const room = flights.roomFor(due)
  for (let number = 0; number < room; number++) flights.take(due, `${prefix}${number}`, `${prefix}${number}`)
  const gone: string[] = []
  for (let next = flights.next(due.subscriptionId); next; next = flights.next(due.subscriptionId)) gone.push(next)
  return gone
}

describe('what a worker has taken on', () => {
  test('is as many of a lane as may be in the air, one where it was closed', () => {
    assert.equal(fill(new Flights(), lane()).length, 10)
    assert.equal(fill(new Flights(), lane({ allowed: 2 })).length, 2)
    assert.equal(fill(new Flights(), lane({ closedUntil: new Date(0) })).length, 1)
  })

  test('is more of a lane in which something has just arrived, but no more of it is in the air', () => {
    const flights = new Flights<string>()
    fill(flights, lane())
    assert.equal(flights.roomFor(lane()), 0)
    flights.land('a', { isSuccess: true })
    const room = flights.roomFor(lane())
    assert.equal(room, 10)
    assert.deepEqual(fill(flights, lane(), 'more'), ['more0'])
    assert.equal(flights.roomFor(lane()), 10, 'thirty in all')
    fill(flights, lane(), 'yet more')
    assert.equal(flights.roomFor(lane()), 0)
  })

  test('goes back after a failure, and nothing more is taken before the next look', () => {
    const flights = new Flights<string>()
    fill(flights, lane())
    flights.land('a', { isSuccess: true })
    fill(flights, lane(), 'more')
    flights.land('a', { isSuccess: false })
    assert.equal(flights.next('a'), undefined)
    flights.end('a', 'a0', { isSuccess: false })
    assert.equal(flights.roomFor(lane()), 0)
    flights.beginLook()
    assert.ok(flights.roomFor(lane()) > 0)
  })

  test('keeps a request until its result is recorded', () => {
    const flights = new Flights<string>()
    fill(flights, lane({ allowed: 1 }))
    flights.land('a', { isSuccess: true })
    assert.deepEqual(flights.requestsOf(['a']), ['a0'])
    assert.ok(flights.isBusy(1))
    flights.end('a', 'a0', { isSuccess: true })
    assert.deepEqual(flights.requestsOf(['a']), [])
    assert.ok(!flights.isBusy(1))
  })

  test('is shared where many receivers take their time: two for each lane', () => {
    const flights = new Flights<string>()
    for (let number = 0; number < 26; number++) fill(flights, lane({ subscriptionId: `slow${number}` }))
    assert.equal(fill(flights, lane({ subscriptionId: 'late' })).length, 2)
  })

  test('is given back when the worker stops', () => {
    const flights = new Flights<string>()
    fill(flights, lane())
    flights.land('a', { isSuccess: true })
    fill(flights, lane(), 'more')
    flights.clearLines({ all: true })
    assert.equal(flights.requestsOf(['a']).length, 11)
    assert.deepEqual(flights.lanesInLine(), [])
  })
})
