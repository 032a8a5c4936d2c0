// The feed as server-sent events (HTML Living Standard 9.2): each event as soon as it is handed out, under the cursor that
// a reader goes on from after the connection was lost. Nothing is gathered for a reader who does not read: the next page
// is fetched when the one before has been taken.
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { Caller } from '#platform/auth/caller.ts'
import { AppError } from '#platform/errors.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import type { LiveStream } from '#platform/http/live-streams.ts'
import { makeFeedCursor } from './feed-cursor.ts'
import { FEED_CHANNEL } from './hand-out.ts'
import { readFeedFrom, representFeedEvent, type FeedEvent } from './read-feed.ts'
import { makeBell, type Bell } from './bell.ts'

const PAGE_SIZE = 100
/** Beyond this the reader is behind, and nothing more is fetched for it. */
const BUFFER_BYTES = 64 * 1024
/** Proxies cut connections on which nothing happens for a minute or less. */
const HEARTBEAT_MS = 15_000
/** Announcements may get lost, so a stream also looks by itself. */
const LOOK_EVERY_MS = 5_000
/** What a reader is told to wait before it connects again. */
const CONNECT_AGAIN_MS = 2_000

const TAKEN_WITHIN_MS = 10_000

export type StreamFeed = {
  caller: Caller
  /** Who calls by what is known later; throws once the caller's rights have ended. */
  admitAgain: () => Promise<Caller>
  position: number
  heartbeatMs?: number
}

/** An answer that tells every event after the position, until the reader goes, its rights end, or the server stops. */
export function streamFeed(platform: Platform, wanted: StreamFeed): Readable {
  const live = platform.liveStreams.open(wanted.caller.userId)
  const out = new PassThrough({ highWaterMark: BUFFER_BYTES })
  const bell = makeBell(live.signal)
  const { tenantId } = wanted.caller
  const stopListening = platform.db.listen(FEED_CHANNEL, (what) => what === tenantId && bell.ring())
  out.once('close', () => live.end())
  // An answer that nobody takes, since the call failed after all, is not kept open.
  const untaken = setTimeout(() => out.readableDidRead || out.destroy(), TAKEN_WITHIN_MS)
  tell(platform, wanted, { live, out, bell })
    .catch((error: unknown) => {
      const isExpected = live.signal.aborted || (error instanceof AppError && error.classification !== 'InternalError')
      if (!isExpected) platform.log.warn({ error: describeError(error) }, 'a stream of events broke off')
    })
    .finally(() => {
      clearTimeout(untaken)
      stopListening()
      live.end()
      out.end()
    })
  return out
}

type Telling = { live: LiveStream; out: PassThrough; bell: Bell }

async function tell(platform: Platform, wanted: StreamFeed, { live, out, bell }: Telling): Promise<void> {
  const { signal } = live
  const { tenantId } = wanted.caller
  const cursorAt = (position: number) => makeFeedCursor(platform.keyring, { tenantId, position })
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain', { signal })
  }
  const { heartbeatMs = HEARTBEAT_MS } = wanted
  let { caller, position } = wanted
  let told = position
  await write(`retry: ${CONNECT_AGAIN_MS}\nid: ${cursorAt(position)}\n\n`)
  for (let beatAt = performance.now() + heartbeatMs; !signal.aborted;) {
    if (performance.now() >= beatAt) {
      caller = await wanted.admitAgain()
      // What the reader does not reach moves its cursor too, or it would look through all of that again.
      await write(position > told ? `id: ${cursorAt(position)}\n\n` : ': still here\n\n')
      told = position
      beatAt = performance.now() + heartbeatMs
    }
    const page = await platform.db.transaction(tenantId, (tx) =>
      readFeedFrom(tx, { caller, position, pageSize: PAGE_SIZE }),
    )
    for (const event of page.events) await write(frame(tenantId, event, cursorAt(event.position)))
    told = page.events.at(-1)?.position ?? told
    position = page.position
    if (!page.hasMore) await bell.wait(Math.min(LOOK_EVERY_MS, Math.max(0, beatAt - performance.now())))
  }
}

function frame(tenantId: string, event: FeedEvent, cursor: string): string {
  return `id: ${cursor}\ndata: ${JSON.stringify(representFeedEvent(tenantId, event))}\n\n`
}
