import type { Platform } from '#platform/platform.ts'
import { keepMeasurement } from '#platform/troubles/trouble-statements.ts'
import { TROUBLE } from '#platform/troubles/trouble-names.ts'
import { noteTrouble } from '#platform/troubles/troubles.ts'
import { endsSoon, listExpiries } from './list-expiries.ts'

/** Measures when the first certificate in use ends, and lets readiness know where that is soon. */
export async function watchExpiries(platform: Platform, tenantIds: readonly string[]): Promise<void> {
  const now = platform.clock.now()
  const expiries = await listExpiries(platform, tenantIds)
  if (expiries.length === 0) return
  const first = expiries.reduce((one, other) => (one.notAfter <= other.notAfter ? one : other))
  const value = Math.floor(first.notAfter.getTime() / 1000)
  await platform.db.systemTransaction((tx) => keepMeasurement.run(tx, { name: 'certificate_end_seconds', value }))
  const detail = `${first.kind} ${first.subject} ends on ${first.notAfter.toISOString().slice(0, 10)}`
  await noteTrouble(platform, TROUBLE.certificates, endsSoon(first, now) ? detail : undefined)
}
