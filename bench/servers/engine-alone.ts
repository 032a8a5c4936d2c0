// The engine and its self-check with nothing around them: what a core can seal at most.
import { Memory } from '#pades/validate/memory.ts'
import { makeWorld } from '#pades/validate/testing/world.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { signPdf } from '#pades/sign.ts'
import { bufferSource } from '#pades/source.ts'
import { samplePdf } from '../sample-pdf.ts'

const SIZE_BYTES = 100 * 1024
/** How many of them are sealed before it counts, and how many then. */
const [warmUp = '30', counted = '1000'] = process.argv.slice(2)

const world = await makeWorld()
const signer = await world.seal()
const validationData = await world.validationData(signer)
const judging = { trustAnchors: [world.root.certificate], time: world.now }
/** As the product's own judge has one. */
const memory = new Memory()

async function sealOnce(pdf: Buffer): Promise<void> {
  const revisions = await signPdf(bufferSource(pdf), {
    signer,
    level: 'B-LTA',
    tsa: world.tsa,
    time: world.now,
    field: { name: 'Seal' },
    validationData: async () => validationData,
  })
  const { verdict } = await validatePdf(Buffer.concat([pdf, ...revisions]), judging, memory)
  if (verdict !== 'valid') throw new Error(`the engine made a file that is ${verdict}`)
}

const pdf = samplePdf(SIZE_BYTES)
for (let count = 0; count < Number(warmUp); count++) await sealOnce(pdf)
const startedAt = performance.now()
const usedBefore = process.cpuUsage()
for (let count = 0; count < Number(counted); count++) await sealOnce(pdf)
const { user, system } = process.cpuUsage(usedBefore)
const perSecond = Number(counted) / ((performance.now() - startedAt) / 1000)
console.log(JSON.stringify({ perSecond, cpuMs: (user + system) / 1000 / Number(counted) }))
