import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Figures } from './figures.ts'
import { INVARIANTS } from './invariants/index.ts'
import { ENOUGH_KILLS, writeReport, type ReportOptions } from './report.ts'
import { STEPS } from './workload/steps.ts'

const OPTIONS: ReportOptions = { again: 'npm run proof:crash -- --seed 1', leftOut: [] }
const DISK = 'power cuts'

/** Of a campaign in which everything was looked at and answered, but for what is named. */
function figuresOf({ kills = ENOUGH_KILLS, unseen = '', unanswered = '' } = {}): Figures {
  const figures = new Figures()
  figures.kills = kills
  figures.note(INVARIANTS.map(({ name }) => ({ name, checked: name === unseen ? 0 : 3, problems: [] })))
  const operations = STEPS.flatMap(({ changes }) => changes)
  figures.noteCalls(new Map(operations.map((name) => [name, { answered: name === unanswered ? 0 : 2, unknown: 5 }])))
  return figures
}

const report = (figures: Figures, problems: string[] = [], options = OPTIONS) =>
  writeReport({ figures, problems }, options)
const says = (lines: string[], text: string) => assert.ok(lines.join('\n').includes(text), lines.join('\n'))

describe('the report of a campaign', () => {
  test('is good where everything was looked at and nothing was broken', () => {
    const { lines, hasHeld } = report(figuresOf())
    assert.equal(hasHeld, true)
    says(lines, 'Nothing lost, nothing doubled.')
    assert.ok(!lines.some((line) => /NEVER|NOT PROVEN|SKIPPED/.test(line)))
  })

  test('is bad where something was broken, and says how to run it again', () => {
    const { lines, hasHeld } = report(
      figuresOf(),
      Array.from({ length: 31 }, () => 'one-end: r1'),
    )
    assert.equal(hasHeld, false)
    for (const text of ['BROKEN one-end: r1', '… and 1 more', `Run it again: ${OPTIONS.again}`]) says(lines, text)
  })

  test('is bad after a thousand kills where an invariant was never looked at, and not before', () => {
    const unseen = INVARIANTS[0]!.name
    const { lines, hasHeld } = report(figuresOf({ unseen }))
    assert.equal(hasHeld, false)
    says(lines, `NEVER  ${unseen}`)
    says(lines, `NOT PROVEN: ${unseen} was never looked at, in 1000 kills`)
    const early = report(figuresOf({ unseen, kills: ENOUGH_KILLS - 1 }))
    assert.equal(early.hasHeld, true)
    says(early.lines, `NEVER  ${unseen}`)
  })

  test('is bad after a thousand kills where an operation was never answered, and not before', () => {
    const unanswered = STEPS[0]!.changes[0]!
    const { lines, hasHeld } = report(figuresOf({ unanswered }))
    assert.equal(hasHeld, false)
    says(lines, `NOT PROVEN: ${unanswered} was never answered, in 1000 kills`)
    const early = report(figuresOf({ unanswered, kills: ENOUGH_KILLS - 1 }))
    assert.equal(early.hasHeld, true)
    says(early.lines, `NEVER ANSWERED ${unanswered}`)
  })

  test('is bad where faults were skipped that the machine could do, however short it was', () => {
    const figures = figuresOf({ kills: 1 })
    figures.skip({ what: DISK, why: 'mkfs.ext4: no room', isMachine: false })
    const { lines, hasHeld } = report(figures)
    assert.equal(hasHeld, false)
    says(lines, `SKIPPED ${DISK}: mkfs.ext4: no room`)
    says(lines, `NOT PROVEN: ${DISK} were skipped`)
  })

  test('says plainly what the machine cannot do, and what was left out on purpose', () => {
    const figures = figuresOf()
    figures.skip({ what: DISK, why: 'needs Linux', isMachine: true })
    const { lines, hasHeld } = report(figures, [], { ...OPTIONS, leftOut: ['full disks'] })
    assert.equal(hasHeld, true)
    says(lines, `This machine can't do ${DISK} (needs Linux): nothing here speaks of them.`)
    says(lines, 'LEFT OUT full disks, as it was asked for')
  })

  test('is bad where the service was ready again too late', () => {
    const figures = figuresOf()
    for (let n = 0; n < 100; n++) figures.recoveries.push({ name: 'kill the server', ms: 3_001 })
    const { lines, hasHeld } = report(figures)
    assert.equal(hasHeld, false)
    says(lines, 'TOO SLOW')
  })
})
