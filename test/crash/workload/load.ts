// Clients of several tenants at once, until they are told to stop.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Random } from './random.ts'
import { STEPS } from './steps.ts'

const PAUSE_MS = [2, 25] as const
const TOTAL_WEIGHT = STEPS.reduce((sum, { weight }) => sum + weight, 0)

/** Lets every client take one step after the other. The answer stops them and waits for the steps that run. */
export function startLoad(clients: readonly Client[]): () => Promise<void> {
  const ending = new AbortController()
  const running = clients.map(async (client) => {
    while (!ending.signal.aborted) {
      await chooseStep(client.random).run(client)
      await sleep(client.random.between(...PAUSE_MS))
    }
  })
  return async () => {
    ending.abort()
    await Promise.all(running)
  }
}

function chooseStep(random: Random): (typeof STEPS)[number] {
  let left = random.next() * TOTAL_WEIGHT
  return STEPS.find(({ weight }) => (left -= weight) < 0) ?? STEPS[0]!
}
