// A real worker inside the test's process, with the worker's own database role: what it may not touch fails here too.
import { makeStamping, startSequencer } from '#features/history/index.ts'
import { startDispatcher } from '#features/hooks/dispatcher.ts'
import { makePlatform } from '#main/platform.ts'
import { jobHandlers } from '#main/jobs.ts'
import { listenForWakeUps } from '#main/wake-ups.ts'
import type { JobHandler } from '#platform/jobs/job-handler.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import { makeSender } from '#platform/outbound/sender.ts'
import type { Platform } from '#platform/platform.ts'
import type { TestDatabase } from './database.ts'

export type TestWorker = {
  platform: Platform
  worker: Worker
  stop(): Promise<void>
}

export type TestWorkerOptions = {
  /** Instead of all the handlers of the product. */
  handlers?: (platform: Platform) => JobHandler[]
  atOnce?: number
  /** Hands events out and delivers webhooks as well. */
  delivers?: boolean
  /** Whether checkpoints of the log are timestamped: otherwise nobody but the handlers asks the authority. */
  stampsLog?: boolean
}

type Surroundings = { platform: Platform; secretKey: string; database: TestDatabase }

/** The platform as the worker has it: the same parts, another role. */
export function workerPlatform({ platform, secretKey, database }: Surroundings): Platform {
  const { config, blobs, log, clock } = platform
  return makePlatform({ config, secretKey, db: database.open('countersign_worker'), blobs, log, clock })
}

export function startTestWorker(around: Surroundings, options: TestWorkerOptions = {}): TestWorker {
  const platform = workerPlatform(around)
  const { db, clock, log, keyring } = platform
  const { handlers = jobHandlers, atOnce = 4, stampsLog = true, delivers = false } = options
  const worker = startWorker({ db, clock, log, handlers: handlers(platform), atOnce })
  const isMine = () => worker.holds(0)
  const stamp = stampsLog ? makeStamping(platform) : async () => {}
  const sequencer = startSequencer({ db, clock, log, keyring, isMine, stamp })
  const deliveries = delivers ? startDeliveries(platform, worker) : undefined
  const wakeForEvents = () => {
    sequencer.wake()
    deliveries?.wake()
  }
  const wake = () => {
    worker.wake()
    wakeForEvents()
  }
  const listener = listenForWakeUps({ connection: around.database.connection, wake, wakeForEvents, log })
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await deliveries?.stop()
    await sequencer.stop()
    await worker.stop()
    await listener.stop()
  }
  return { platform, worker, stop: () => (stopped ??= stop()) }
}

function startDeliveries(platform: Platform, leases: Worker) {
  const { allowInsecureHooks: allowLoopback, hooksCaFile: caFile, hooksAllow: allow } = platform.config
  const sender = makeSender({ allow, allowLoopback, caFile })
  const dispatcher = startDispatcher({ ...platform, sender, leases })
  return {
    wake: () => dispatcher.wake(),
    async stop() {
      await dispatcher.stop()
      await sender.close()
    },
  }
}
