// How much each subscription key is used. Calls are counted in memory and written down about once a minute for each key,
// so that a busy integrator costs no write a call. A process that is killed loses the calls of its last minute.
import type { Database } from '#platform/db/database.ts'
import { addKeyUsage } from './auth-statements.ts'

const WRITE_EVERY_MS = 60_000

type Usage = { tenantId: string; calls: number; lastCallAt: Date; writtenAt: number }

export type KeyUsage = {
  /** Counts a call; writes down what has gathered when that is due. */
  note(caller: { tenantId: string; keyId: string | undefined }, now: Date): Promise<void>
  /** Writes down whatever is left. */
  flush(): Promise<void>
}

export function makeKeyUsage(db: Database): KeyUsage {
  const used = new Map<string, Usage>()

  async function write(keyId: string, usage: Usage, now: number): Promise<void> {
    const { tenantId, calls, lastCallAt } = usage
    usage.calls = 0
    usage.writtenAt = now
    await db.transaction(tenantId, (tx) => addKeyUsage.run(tx, { tenantId, keyId, calls, now: lastCallAt }))
  }

  return {
    async note({ tenantId, keyId }, now) {
      if (keyId === undefined) return
      const usage = used.get(keyId) ?? { tenantId, calls: 0, lastCallAt: now, writtenAt: 0 }
      usage.calls++
      usage.lastCallAt = now
      used.set(keyId, usage)
      if (now.getTime() - usage.writtenAt >= WRITE_EVERY_MS) await write(keyId, usage, now.getTime())
    },
    async flush() {
      const waiting = [...used].filter(([, { calls }]) => calls > 0)
      for (const [keyId, usage] of waiting) await write(keyId, usage, usage.writtenAt)
    },
  }
}
