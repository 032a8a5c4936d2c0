// Notices a server that is there and says nothing: a network that swallows everything, a machine that has stopped. TCP
// goes on trying for a quarter of an hour, and so long each call would wait and keep its place in the pool.
//
// A limit on statements can't tell that from work that takes long: whoever repeats a call waits up to ten seconds for its
// twin's lock, and a statement has fifteen, but a call is to be answered within five. So silence makes us ask for a new
// session. A server that gives one is only busy, and we go on waiting; one that does not is taken for gone: everything
// fails at once that waits or comes, until there is a session again.
//
// Time is counted in looks. Between two of them everything is read that has arrived, so that a process that had no time
// to listen takes nobody for silent.
import type { Socket } from 'node:net'
import pg from 'pg'
import { awaitsAnswer } from './batch.ts'

const LOOK_EVERY_MS = 500
/** A second without a word: we ask for a session. */
const DOUBT_AFTER = 2
/** It has another 2.5 s for that, which is enough for a slow network and a busy machine. */
const ANSWER_WITHIN = 5
/**
 * One connection alone may be dead, as at a firewall that has forgotten it. The server ends each statement after 15 s;
 * after twice that not even a batch of several is still at work.
 */
const HOPELESS_AFTER = 60

/**
 * For connections on which nothing may be said for long: one whose other end is gone without a word is noticed after
 * twenty seconds, and what lies between does not forget one that is alive.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

export const KEEPS_SILENT = 'the database keeps silent'

export type Silence = {
  /** Throws where the server is known to be silent: there is no use in waiting for it. */
  requireHeard(): void
  stop(): void
}

export type Watched = { pool: pg.Pool; connection: pg.ClientConfig; lookEveryMs?: number | undefined }

/** What was heard on a connection so far, and for how many looks nothing, although something was asked. */
type Heard = { bytes: number; quietLooks: number }

/** Watches the connections of a pool. It costs nothing for a statement: a look reads what the sockets count anyway. */
export function watchSilence({ pool, connection, lookEveryMs = LOOK_EVERY_MS }: Watched): Silence {
  const clients = new Map<pg.PoolClient, Heard>()
  let inUse = 0
  let hasNewSession = false
  let quietLooks = 0
  let isSilent = false
  let question: { stop(): void; looks: number } | undefined
  pool.on('acquire', () => inUse++)
  pool.on('release', () => inUse--)
  pool.on('remove', (client) => clients.delete(client))
  pool.on('connect', (client) => {
    clients.set(client, { bytes: 0, quietLooks: 0 })
    hasNewSession = true
  })

  function look(): void {
    const looks = clients
      .entries()
      .map(([client, heard]) => lookAt(client, heard))
      .toArray()
    const isConnecting = pool.waitingCount > 0 || pool.totalCount > pool.idleCount + inUse
    const isHeard = hasNewSession || looks.includes('heard')
    const isAwaited = isConnecting || looks.includes('quiet')
    hasNewSession = false
    if (isSilent) askAgain()
    else if (isHeard || !isAwaited) beAtEase()
    else doubt()
  }

  function doubt(): void {
    quietLooks++
    if (quietLooks === DOUBT_AFTER) ask()
    if (quietLooks < DOUBT_AFTER + ANSWER_WITHIN) return
    isSilent = true
    // Also those that nobody uses: what lies between may have forgotten them.
    for (const client of clients.keys()) hangUp(client)
    ask()
  }

  function beAtEase(): void {
    quietLooks = 0
    isSilent = false
    question?.stop()
    question = undefined
  }

  function askAgain(): void {
    if (++question!.looks >= ANSWER_WITHIN) ask()
  }

  function ask(): void {
    question?.stop()
    const asked = askForSession(connection, {
      onAnswer: beAtEase,
      onFailure: () => (question!.looks = ANSWER_WITHIN),
    })
    question = { ...asked, looks: 0 }
  }

  const timer = setInterval(look, lookEveryMs).unref()
  return {
    requireHeard() {
      if (isSilent) throw new Error(KEEPS_SILENT)
    },
    stop() {
      clearInterval(timer)
      question?.stop()
    },
  }
}

function lookAt(client: pg.PoolClient, heard: Heard): 'heard' | 'quiet' | 'idle' {
  const { bytesRead } = socketOf(client)
  const isNew = bytesRead !== heard.bytes
  const isQuiet = !isNew && awaitsAnswer(client.connection)
  heard.bytes = bytesRead
  heard.quietLooks = isQuiet ? heard.quietLooks + 1 : 0
  if (heard.quietLooks >= HOPELESS_AFTER) hangUp(client)
  return isNew ? 'heard' : isQuiet ? 'quiet' : 'idle'
}

function hangUp(client: pg.PoolClient): void {
  socketOf(client).destroy(new Error(KEEPS_SILENT))
}

function socketOf({ connection }: { connection: pg.Connection }): Socket {
  return connection.stream as Socket
}

type Outcomes = { onAnswer: () => void; onFailure: () => void }

/** Asks for a session of its own. That the server says why there is none is an answer as well. */
function askForSession(connection: pg.ClientConfig, { onAnswer, onFailure }: Outcomes): { stop(): void } {
  const client = new pg.Client(connection)
  let isOver = false
  let isOpen = false
  client.on('error', () => {})
  client.connect().then(
    () => {
      isOpen = true
      if (!isOver) onAnswer()
    },
    (error: unknown) => {
      if (isOver) return
      if (error instanceof pg.DatabaseError) onAnswer()
      else onFailure()
    },
  )
  return {
    stop() {
      isOver = true
      if (isOpen) void client.end()
      else socketOf(client).destroy()
    },
  }
}
