import { historyKeys } from '#features/event/index.ts'
import type { Platform } from '#platform/platform.ts'
import { TROUBLE } from '#platform/troubles/trouble-names.ts'
import { noteTrouble } from '#platform/troubles/troubles.ts'
import { auditLog } from './audit-log.ts'

/** Audits the whole log, and lets readiness and the service's own log know if anything in it was altered. */
export async function watchLog(platform: Platform, signal: AbortSignal): Promise<void> {
  const { db, keyring, log } = platform
  const keys = historyKeys(keyring).map(({ publicKey }) => publicKey)
  const { problems, events } = await auditLog({ db, keys, signal })
  for (const problem of problems) log.error({ problem }, 'the history is not intact')
  if (problems.length === 0) log.info({ events }, 'the history is intact')
  await noteTrouble(platform, TROUBLE.history, problems[0])
}
