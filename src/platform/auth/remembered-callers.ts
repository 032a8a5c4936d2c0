// Answers about callers are kept for a moment, so that a busy one does not cost a look-up a call; what this process
// revokes itself, it forgets at once.
import type { Caller } from './caller.ts'

const REMEMBER_AT_MOST = 20_000

export type RememberedCallers = {
  /** The caller known by this id; otherwise the one who is looked up, who is then remembered. */
  recall(id: string, now: Date, lookUp: () => Promise<{ caller: Caller; forMs: number }>): Promise<Caller>
  forget(): void
}

export function rememberCallers(): RememberedCallers {
  const callers = new Map<string, { caller: Caller; until: number }>()
  let generation = 0
  return {
    async recall(id, now, lookUp) {
      const known = callers.get(id)
      if (known && known.until > now.getTime()) return known.caller
      const startedIn = generation
      const { caller, forMs } = await lookUp()
      if (callers.size >= REMEMBER_AT_MOST) callers.clear()
      // What was looked up before a change was forgotten must not be remembered after it.
      if (startedIn === generation) callers.set(id, { caller, until: now.getTime() + forMs })
      return caller
    },
    forget() {
      generation++
      callers.clear()
    },
  }
}
