// How long it takes to refuse a key says nothing about how much of it is right: keys that differ from a real one in the
// last character, and keys that have nothing in common with any, are refused in turns, and the times are compared by
// Welch's test. Above 4.5 there is a difference, with less than one chance in a hundred thousand to be wrong.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { makeAuthenticator } from '#platform/auth/authenticate.ts'
import { leastOf } from './least-of.ts'
import { startService, type TestService } from './service.ts'

/** `npm run proof:attack` takes more. */
const SAMPLES = Number(process.env['COUNTERSIGN_TIMING_SAMPLES'] ?? 1_000)
const MOST = 4.5

describe('the time that a wrong key takes', () => {
  let service: TestService
  let key: string

  before(async () => {
    service = await startService()
    key = (await service.createTenant()).key
  })
  after(() => service.stop())

  /** Never the key itself, whatever it ends with: it has no dots. */
  const near = () => `${key.slice(0, -2)}.${randomBytes(1).toString('hex')[0]}`
  const far = () => randomBytes(key.length).toString('hex').slice(0, key.length)

  /** How sure it is that they differ. */
  async function compare(): Promise<number> {
    const { authenticate } = makeAuthenticator(service.platform)
    const times: { near: number[]; far: number[] } = { near: [], far: [] }
    const refuse = async (kind: 'near' | 'far') => {
      const wrong = kind === 'near' ? near() : far()
      const startedAt = process.hrtime.bigint()
      await assert.rejects(authenticate(wrong, undefined))
      times[kind].push(Number(process.hrtime.bigint() - startedAt))
    }
    for (let n = 0; n < 50; n++) await refuse(n % 2 === 0 ? 'near' : 'far')
    for (const kind of ['near', 'far'] as const) times[kind].length = 0
    for (let n = 0; n < SAMPLES; n++) {
      const order = Math.random() < 0.5 ? (['near', 'far'] as const) : (['far', 'near'] as const)
      for (const kind of order) await refuse(kind)
    }
    return Math.abs(welch(withoutPauses(times.near), withoutPauses(times.far)))
  }

  test('is the same for one that is nearly right and for one that is all wrong', async (t) => {
    // A difference shows every time; what other work on the machine does to one kind more than to the other does not.
    const difference = await leastOf(compare, { below: MOST })
    t.diagnostic(`t = ${difference.toFixed(2)}, n = ${SAMPLES} of each`)
    assert.ok(difference < MOST, `t = ${difference}`)
  })

  test('would show a comparison that ends at the first wrong character', () => {
    const early = Array.from({ length: SAMPLES }, () => 1_000 + Math.random() * 100)
    const late = Array.from({ length: SAMPLES }, () => 1_030 + Math.random() * 100)
    assert.ok(Math.abs(welch(early, late)) > MOST)
  })
})

/** A moment in which the machine did something else says nothing about us. */
function withoutPauses(times: readonly number[]): number[] {
  return times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length * 0.9))
}

function welch(a: readonly number[], b: readonly number[]): number {
  const [first, second] = [describeSample(a), describeSample(b)]
  return (first.mean - second.mean) / Math.sqrt(first.variance / a.length + second.variance / b.length)
}

function describeSample(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return { mean, variance }
}
