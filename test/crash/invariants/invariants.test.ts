// Every invariant can fail: for each thing that it looks at there is a small world that breaks it, and an empty one that does
// not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ledger } from '../ledger.ts'
import { checkWorld, INVARIANTS, problemsOf } from './index.ts'
import { BROKEN_FILES } from './worlds/broken-files.ts'
import { BROKEN_OUTSIDE, mailOf, REMINDED, SUBSCRIPTION } from './worlds/broken-outside.ts'
import { BROKEN_PROMISES } from './worlds/broken-promises.ts'
import {
  BROKEN_SIGNATURES,
  evidence,
  ownSeal,
  rangeDigest,
  sealedAsIntended,
  signedFile,
  toSeal,
} from './worlds/broken-signatures.ts'
import { BROKEN_STATES } from './worlds/broken-states.ts'
import { at, event, hash, makeWorld, type Broken } from './worlds/small-world.ts'

const BROKEN: Broken = {
  ...BROKEN_PROMISES,
  ...BROKEN_STATES,
  ...BROKEN_FILES,
  ...BROKEN_SIGNATURES,
  ...BROKEN_OUTSIDE,
}

describe('the invariants', () => {
  test('hold in a world where nothing has happened', () => {
    assert.deepEqual(problemsOf(checkWorld(makeWorld())), [])
  })

  test('that need rest are not looked at before there is any', () => {
    const names = checkWorld(makeWorld({ isAtRest: false })).map(({ name }) => name)
    assert.ok(!names.includes('comes-to-rest') && names.includes('answered-is-kept'))
  })

  test('that look for what must not be there count the look, and a place that there is none of is not looked at', () => {
    const { check } = INVARIANTS.find(({ name }) => name === 'nothing-left-behind')!
    assert.equal(check(makeWorld()).checked, 2)
    assert.equal(check(makeWorld({ staged: undefined })).checked, 1)
    assert.deepEqual(check(makeWorld({ held: ['a lock'] })).problems, ['a lock is still held'])
  })

  for (const { name, check } of INVARIANTS) {
    test(`notice what breaks ${name}`, () => {
      const worlds = Object.entries(BROKEN[name] ?? {})
      assert.ok(worlds.length > 0, `no world breaks ${name}`)
      for (const [what, broken] of worlds) assert.equal(check(makeWorld(broken)).problems.length, 1, what)
    })
  }

  test('find nothing wrong with evidence and seals that are as they should be', () => {
    const [whole, counted] = ['evidence-is-whole', 'keys-are-counted'].map((wanted) =>
      INVARIANTS.find(({ name }) => name === wanted)!,
    )
    assert.deepEqual(whole!.check(makeWorld(evidence())), { checked: 1, problems: [] })
    assert.deepEqual(counted!.check(makeWorld(sealedAsIntended)), { checked: 1, problems: [] })
  })

  test('find who was erased in certificates alone, which are part of what was signed', () => {
    const { check } = INVARIANTS.find(({ name }) => name === 'erased-stays-erased')!
    const texts = [
      { table: 'signature_intent', text: '(CN=Aino p0ofzq0)' },
      { table: 'signatory', text: '(s1,,)' },
    ]
    const ledger = (told: Ledger) => told.erased.push({ word: 'p0ofzq0', requestIds: ['r1'] })
    assert.deepEqual(check(makeWorld({ texts, ledger })), { checked: 1, problems: [] })
  })

  test('let a sealing request be read in parts while it changes, and whole when it does not', () => {
    const { check } = INVARIANTS.find(({ name }) => name === 'reads-are-whole')!
    const ledger = (told: Ledger) =>
      told.sealingsInParts.push(
        { requestId: 'r1', areSealed: [], steady: { status: 'Draft', told: 'Draft' } },
        { requestId: 'r1', areSealed: [true, true], steady: undefined },
        { requestId: 'r1', areSealed: [true, true], steady: { status: 'Processed', told: 'Processed' } },
      )
    assert.deepEqual(check(makeWorld({ ledger })), { checked: 3, problems: [] })
  })

  test('let an event pass that happens while a subscription to it is being made', () => {
    const { check } = INVARIANTS.find(({ name }) => name === 'every-event-is-handed-out')!
    const rows = {
      event: [event(2, 'signatorysigned')],
      event_feed: [{ event_id: 'e2' }],
      hook_subscription: [SUBSCRIPTION],
    }
    const ledger = (told: Ledger) => told.subscribedAt.set('h1', at(3).getTime())
    assert.deepEqual(check(makeWorld({ rows, ledger })).problems, [])
  })

  test('let an e-mail arrive that was on its way when its request ended, and the notice of that end at any time', () => {
    const { check } = INVARIANTS.find(({ name }) => name === 'over-is-over')!
    assert.deepEqual(check(makeWorld({ ...REMINDED, mails: [mailOf('m', { second: 3 })] })).problems, [])
    const [message] = REMINDED.rows.message
    const rows = { ...REMINDED.rows, message: [{ ...message, kind: 'canceled' }] }
    assert.deepEqual(check(makeWorld({ rows, mails: [mailOf('m', { second: 999 })] })).problems, [])
  })

  test('that look for signatures know those that were planned, and seals of what was to be sealed', () => {
    const { check } = INVARIANTS.find(({ name }) => name === 'no-signature-unrecorded')!
    const planned = { signature_intent: [{ id: 'i', certificate: Buffer.from('mine'), digest: rangeDigest }] }
    const intended = toSeal(hash('given\n%%EOF\n').toString('hex'))
    const sealed = { certificate: ownSeal, event: [intended.event], event_body: [intended.body] }
    for (const rows of [planned, sealed])
      assert.deepEqual(check(makeWorld({ ...signedFile, rows })), { checked: 1, problems: [] })
  })
})
