// A checkpoint under a timestamp of RFC 3161 can't have been made later than that, not even by whoever holds our keys.
import { createHash } from 'node:crypto'
import { timestamper } from '#features/certificates/index.ts'
import type { Platform } from '#platform/platform.ts'
import { endStampSoon, findLatestStamp, insertCheckpoint, readHead } from './log-statements.ts'

const MINUTE_MS = 60_000
/** While something happens at all. */
const STAMP_EVERY_MS = 60 * MINUTE_MS
/** After requests were closed. Closing one asks the authority several times already, so this costs little beside it. */
const STAMP_SOON_EVERY_MS = { own: 0, outside: MINUTE_MS }
const TRY_AGAIN_AFTER_MS = MINUTE_MS

/** Answers with what stamps the newest checkpoint whenever that is due. */
export function makeStamping(platform: Platform): () => Promise<void> {
  const { db, clock, config } = platform
  const stamp = timestamper(platform)
  const soonMs = STAMP_SOON_EVERY_MS[config.timestamps === undefined ? 'own' : 'outside']
  let notBefore = 0

  return async () => {
    if (clock.now().getTime() < notBefore) return
    const { head, latest } = await db.systemTransaction(async (tx) => ({
      head: await readHead.one(tx, {}),
      latest: await findLatestStamp.maybeOne(tx, {}),
    }))
    const { size, note } = head
    const waitMs = head.stampSoon ? soonMs : STAMP_EVERY_MS
    const isNew = note !== null && size > (latest?.size ?? 0)
    const isTime = latest === undefined || clock.now().getTime() - latest.stampedAt.getTime() >= waitMs
    if (!isNew || !isTime) return

    notBefore = clock.now().getTime() + TRY_AGAIN_AFTER_MS
    const digest = createHash('sha256').update(note).digest()
    const timestamp = await stamp({ hash: 'sha256', digest })
    await db.systemTransaction(async (tx) => {
      await insertCheckpoint.run(tx, { size, note, timestamp, now: clock.now() })
      await endStampSoon.run(tx, { size })
    })
    notBefore = 0
  }
}
