// Runs the harness against a product with a planted fault, until an invariant breaks that the fault is meant to break.
import { fileURLToPath } from 'node:url'
import { runCampaign } from './campaign.ts'
import { singleMachine } from './deployment/single-machine.ts'
import { PLANT_VARIABLE, type Plant } from './plants.ts'
import { startSurroundings } from './surroundings.ts'

const PRELOAD = fileURLToPath(new URL('./plant.ts', import.meta.url))

export type Hunt = {
  /** Skipped where this machine can't do what would bring the fault to light. */
  verdict: 'caught' | 'MISSED' | 'SKIPPED'
  broken: string[]
  kills: number
  problems: string[]
}

export async function huntPlant(plant: Plant, { seed, minutes }: { seed: number; minutes: number }): Promise<Hunt> {
  const needsDisk = plant.faults.includes('the power is cut')
  const { figures, problems } = await runCampaign({
    seed,
    startSurroundings,
    describe: ({ environment }) =>
      singleMachine({
        environment: { ...environment, [PLANT_VARIABLE]: plant.name },
        onOwnDisk: needsDisk,
        preload: PRELOAD,
      }),
    kills: 200,
    minutes,
    livesEach: 6,
    faultsEach: needsDisk ? 1 : 4,
    clients: 6,
    tenants: 2,
    faults: plant.faults,
    ...(plant.strikesAmid && { strikesAmid: plant.strikesAmid }),
  })
  const broken = [...new Set(problems.map((problem) => problem.split(':')[0]!))]
  const isCaught = broken.some((name) => plant.breaks.includes(name))
  const verdict = isCaught ? 'caught' : needsDisk && figures.skipped.size > 0 ? 'SKIPPED' : 'MISSED'
  return { verdict, broken, kills: figures.kills, problems }
}
