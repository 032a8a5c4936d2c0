// Hears what other processes announce. Announcements are hints: whoever listens also looks by itself now and then, so a
// lost connection costs a moment and nothing else.
import pg from 'pg'
import { KEEP_ALIVE } from './silence.ts'

const LISTEN_AGAIN_AFTER_MS = 2_000
const BEGIN_WITHIN_MS = 5_000

export type Listeners = {
  /** Calls `heard` with whatever is announced on the channel, until the answer is called. */
  listen(channel: string, heard: Heard): () => void
  stop(): Promise<void>
}

type Heard = (what: string) => void

/** Any number of listeners with one connection a channel, which lasts as long as somebody listens. */
export function makeListeners(around: { connection: pg.ClientConfig; onError: (error: Error) => void }): Listeners {
  const channels = new Map<string, { all: Set<Heard>; stop(): Promise<void> }>()
  const open = (channel: string) => {
    const all = new Set<Heard>()
    const { stop } = listenTo({ ...around, channel, heard: (what) => all.forEach((heard) => heard(what)) })
    return { all, stop }
  }
  return {
    listen(channel, heard) {
      const found = channels.get(channel) ?? open(channel)
      channels.set(channel, found)
      found.all.add(heard)
      return () => {
        if (!found.all.delete(heard) || found.all.size > 0) return
        channels.delete(channel)
        void found.stop()
      }
    },
    async stop() {
      await Promise.all(channels.values().map((channel) => channel.stop()))
    },
  }
}

export type Listening = {
  connection: pg.ClientConfig
  channel: string
  heard: Heard
  onError: (error: Error) => void
}

/** Calls `heard` with whatever is announced on the channel, until `stop`. */
export function listenTo({ connection, channel, heard, onError }: Listening): { stop(): Promise<void> } {
  let isStopped = false
  let client: pg.Client | undefined
  let again: NodeJS.Timeout | undefined
  const listen = async () => {
    const within = { connectionTimeoutMillis: BEGIN_WITHIN_MS, query_timeout: BEGIN_WITHIN_MS }
    const fresh = new pg.Client({ ...connection, ...within, ...KEEP_ALIVE })
    client = fresh
    fresh.on('error', onError)
    fresh.on('end', () => {
      if (!isStopped) again = setTimeout(() => void begin(), LISTEN_AGAIN_AFTER_MS)
      again?.unref()
    })
    fresh.on('notification', ({ payload = '' }) => heard(payload))
    await fresh.connect()
    await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
  }
  const begin = () =>
    listen().catch((error: Error) => {
      onError(error)
      void client?.end() // Its end is what leads to the next.
    })
  const begun = begin()
  return {
    async stop() {
      isStopped = true
      clearTimeout(again)
      await begun
      await client?.end().catch(() => {})
    },
  }
}
