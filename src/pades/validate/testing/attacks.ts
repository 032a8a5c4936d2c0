// All attacks that the literature knows on signed PDFs, made from scratch by the test that runs them.
import type { ValidationData } from '../../validation-data.ts'
import type { AttackClass, Scene } from './attack.ts'
import { certificationAttacks } from './certification.ts'
import { incrementalSaves } from './incremental-saving.ts'
import { shadows } from './shadow.ts'
import { universalForgeries } from './universal-forgery.ts'
import { wrappings } from './wrapping.ts'
import { makeWorld, type World } from './world.ts'

/** A world in which fresh answers about every certificate can be had, so that only the attack decides. */
export async function makeScene(): Promise<Scene> {
  const world = await makeWorld()
  const made: Parameters<World['validationData']> = []
  const signatory = world.signatory.bind(world)
  world.signatory = async (...of) => {
    const signer = await signatory(...of)
    made.push(signer)
    return signer
  }
  const answers = new Map<number, Promise<ValidationData>>()
  const validate = async (pdf: Buffer) => {
    const fresh = answers.get(made.length) ?? world.validationData(...made)
    answers.set(made.length, fresh)
    const { ocsps } = await fresh
    return world.validate(pdf, { revocation: { ocsps } })
  }
  return { world, validate }
}

/** Every attack with its honest twin, by class. */
export async function makeAttacks(scene: Scene): Promise<AttackClass[]> {
  return [
    { name: 'universal forgery', attacks: await universalForgeries(scene) },
    { name: 'incremental saving', attacks: await incrementalSaves(scene) },
    { name: 'wrapping', attacks: await wrappings(scene) },
    { name: 'shadow', attacks: await shadows(scene) },
    { name: 'certification', attacks: await certificationAttacks(scene) },
  ]
}
