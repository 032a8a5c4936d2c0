import type { PoolConfig } from 'pg'

/** What a measured server is told at its start. */
export type Setup = { connection: PoolConfig; folder: string; tenantId: string; key: string }

/** The longest turn of a server's event loop: by the clock, and without the time that other processes had the processor. */
export type LongestTurn = { ms: number; processorMs: number }

export function receiveSetup(): Promise<Setup> {
  return new Promise((resolve) => process.once('message', (message) => resolve(message as Setup)))
}

export function reportUrl(url: string): void {
  process.on('disconnect', () => process.exit())
  process.send!({ url })
}
