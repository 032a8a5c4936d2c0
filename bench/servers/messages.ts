import type { PoolConfig } from 'pg'

/** What a measured server is told at its start. */
export type Setup = { connection: PoolConfig; folder: string; tenantId: string; key: string }

export function receiveSetup(): Promise<Setup> {
  return new Promise((resolve) => process.once('message', (message) => resolve(message as Setup)))
}

export function reportUrl(url: string): void {
  process.on('disconnect', () => process.exit())
  process.send!({ url })
}
