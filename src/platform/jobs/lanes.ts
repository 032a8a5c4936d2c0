// Jobs run in lanes, so that a long line of one kind holds up no other.
import type { listDueJobs } from './job-statements.ts'
import type { JobHandler } from './job-handler.ts'

const BULK_SHARE = 0.75
const LOOK_AHEAD = 4

export type Due = Awaited<ReturnType<typeof listDueJobs.many>>[number]
/** A job, and under which generation of its bucket's lease it was found. */
export type Found = { job: Due; generation: number }
type Running = { bucket: number; done: Promise<void> }

/** Queues that share room. No lane waits for another's jobs to end. */
export type Lane = {
  queues: string[]
  /** So many run at a time. */
  atOnce: number
  /** So many are looked for: with a long backlog, looking is what costs most. */
  ahead: number
  /** Found, waiting for room. */
  line: Found[]
  running: Map<string, Running>
}

/** The first lane is that of what somebody waits for. */
export function makeLanes(handlers: readonly JobHandler[], atOnce: number): [Lane, ...Lane[]] {
  const queuesOf = (belongs: (handler: JobHandler) => boolean) => handlers.filter(belongs).map(({ queue }) => queue)
  const lane = (queues: string[], room: number, ahead: number): Lane => ({
    queues,
    atOnce: room,
    ahead,
    line: [],
    running: new Map(),
  })
  const bulkAtOnce = Math.max(1, Math.floor(atOnce * BULK_SHARE))
  const bulk = queuesOf((handler) => !handler.isInteractive && handler.atOnce === undefined)
  const own = handlers.filter((handler) => !handler.isInteractive && handler.atOnce !== undefined)
  return [
    lane(
      queuesOf((handler) => handler.isInteractive === true),
      atOnce,
      atOnce,
    ),
    lane(bulk, bulkAtOnce, bulkAtOnce * LOOK_AHEAD),
    ...own.map(({ queue, atOnce: room = bulkAtOnce }) => lane([queue], room, room * LOOK_AHEAD)),
  ]
}
