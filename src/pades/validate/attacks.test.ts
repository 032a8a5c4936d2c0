import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AttackClass } from './testing/attack.ts'
import { makeAttacks, makeScene } from './testing/attacks.ts'

/** The numbers of files that each class must have at least. */
const CLASSES = {
  'universal forgery': 24,
  'incremental saving': 12,
  wrapping: 8,
  shadow: 8,
  certification: 4,
}

describe('attacks on signed files', () => {
  let scene: Awaited<ReturnType<typeof makeScene>>
  let classes: AttackClass[]
  before(async () => {
    scene = await makeScene()
    classes = await makeAttacks(scene)
  })

  const attacksOf = (name: string) => classes.find((one) => one.name === name)?.attacks ?? []

  for (const [name, least] of Object.entries(CLASSES)) {
    test(`${name}: no attack is valid, and each is told apart by a reason`, async () => {
      assert(attacksOf(name).length >= least, `${least} files are wanted`)
      for (const { name: attack, attack: file } of attacksOf(name)) {
        const report = await scene.validate(file)
        assert.notEqual(report.verdict, 'valid', attack)
        assert.notEqual(report.verdict, 'unsigned', attack)
        const told = [report, ...report.signatures, ...report.timestamps].flatMap(({ findings }) => findings)
        assert(
          told.some(({ weight }) => weight !== 'note'),
          attack,
        )
      }
    })

    test(`${name}: the honest twin of each attack is valid`, async () => {
      for (const { name: attack, twin } of attacksOf(name)) {
        const report = await scene.validate(twin)
        const told = [report, ...report.signatures, ...report.timestamps].flatMap(({ findings }) => findings)
        assert.equal(report.verdict, 'valid', `${attack}: ${told.map(({ message }) => message).join(' ')}`)
      }
    })
  }

  for (const name of ['universal forgery', 'incremental saving', 'wrapping']) {
    test(`${name}: every attack is invalid, not only in doubt`, async () => {
      for (const { name: attack, attack: file } of attacksOf(name)) {
        assert.equal((await scene.validate(file)).verdict, 'invalid', attack)
      }
    })
  }
})
