// What it costs to validate a file, beside its limit: the checks of signatures that it needs and one pass of SHA-256, by
// node:crypto alone.
import crypto, { createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { makeWorld } from '#pades/validate/testing/world.ts'
import { samplePdf } from './sample-pdf.ts'
import { percent, type Line } from './table.ts'

const SIZES: readonly [name: string, sizeBytes: number][] = [
  ['100 KB', 100 * 1024],
  ['10 MB', 10 * 1024 * 1024],
]
const ROUNDS = 5
const ROUND_MS = 400

export async function measureValidation(): Promise<Line[]> {
  const world = await makeWorld()
  const lines: Line[] = []
  for (const [name, sizeBytes] of SIZES) {
    const file = await world.sign(samplePdf(sizeBytes), { signer: await world.signatory(), level: 'B-LTA' })
    const validate = async () => {
      const { verdict } = await world.validate(file)
      if (verdict !== 'valid') throw new Error(`a file that is ${verdict}`)
    }
    const checks = await countChecks(validate)
    const [ours, limit] = [await processorMs(validate), await processorMs(limitOf(file, checks))]
    lines.push({
      what: `validate a B-LTA file of ${name}`,
      ours: `${ours.toFixed(2)} ms of processor, ${(1000 / ours).toFixed(0)} a core-second`,
      beside: `${checks} checks of signatures and SHA-256 alone ${limit.toFixed(2)} ms`,
      ratio: percent(limit / ours),
    })
  }
  return lines
}

/** How many signatures are checked meanwhile: of the document, of timestamps, of certificates and of answers about them. */
async function countChecks(work: () => Promise<void>): Promise<number> {
  const original = crypto.verify
  let checks = 0
  crypto.verify = ((...given: Parameters<typeof original>) => {
    checks++
    return original(...given)
  }) as typeof original
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    crypto.verify = original
    syncBuiltinESMExports()
  }
  return checks
}

function limitOf(file: Buffer, checks: number): () => Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const message = Buffer.alloc(200)
  const signature = sign('sha256', message, privateKey)
  return async () => {
    for (let n = 0; n < checks; n++) verify('sha256', message, publicKey, signature)
    createHash('sha256').update(file).digest()
  }
}

/** Of one call, the best of several rounds. */
async function processorMs(work: () => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    const usedMs = () => {
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    let calls = 0
    do {
      await work()
      calls++
    } while (usedMs() < ROUND_MS)
    best = Math.min(best, usedMs() / calls)
  }
  return best
}
