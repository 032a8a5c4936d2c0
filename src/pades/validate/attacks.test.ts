import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ValidationReport } from './report.ts'
import { makeAttacks, makeScene } from './testing/attacks.ts'

/** How many files each class must have at least. */
const CLASSES = {
  'universal forgery': 24,
  'incremental saving': 12,
  wrapping: 8,
  shadow: 8,
  certification: 4,
}

/** In these classes nothing is left to doubt. */
const CLEAR_CUT = ['universal forgery', 'incremental saving', 'wrapping']

interface Judged {
  readonly kind: string
  readonly name: string
  readonly attack: ValidationReport
  readonly twin: ValidationReport
}

const reasons = (report: ValidationReport) =>
  [report, ...report.signatures, ...report.timestamps]
    .flatMap(({ findings }) => findings)
    .filter(({ weight }) => weight !== 'note')
    .map(({ message }) => message)
    .join(' ')

describe('attacks on signed files', () => {
  const judged: Judged[] = []
  before(async () => {
    const scene = await makeScene()
    const twins = new Map<Buffer, Promise<ValidationReport>>()
    const judgeTwin = (twin: Buffer) => {
      const report = twins.get(twin) ?? scene.validate(twin)
      twins.set(twin, report)
      return report
    }
    for (const { name: kind, attacks } of await makeAttacks(scene)) {
      for (const { name, attack, twin } of attacks) {
        judged.push({ kind, name, attack: await scene.validate(attack), twin: await judgeTwin(twin) })
      }
    }
  })

  for (const [kind, least] of Object.entries(CLASSES)) {
    const all = () => judged.filter((one) => one.kind === kind)

    test(`${kind}: no attack is valid, and each is given a reason`, () => {
      assert(all().length >= least, `${least} files are wanted`)
      for (const { name, attack } of all()) {
        assert(['invalid', 'indeterminate'].includes(attack.verdict), `${name}: ${attack.verdict}`)
        assert.notEqual(reasons(attack), '', name)
      }
    })

    test(`${kind}: the honest twin of each attack is valid`, () => {
      for (const { name, twin } of all()) assert.equal(twin.verdict, 'valid', `${name}: ${reasons(twin)}`)
    })
  }

  test('what is plainly forged is invalid, not only in doubt', (t) => {
    t.diagnostic(`${judged.length} attacks`)
    for (const { kind, name, attack } of judged) {
      if (CLEAR_CUT.includes(kind)) assert.equal(attack.verdict, 'invalid', `${name}: ${reasons(attack)}`)
    }
  })
})
