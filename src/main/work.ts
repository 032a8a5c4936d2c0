// The worker: does what was asked for earlier. Holds the private keys of certificates. No network reaches
// it; it reaches out to the receivers of webhooks.
import pg from 'pg'
import { availableParallelism } from 'node:os'
import { WAKE_CHANNEL } from '#platform/db/database.ts'
import { startDispatcher } from '#features/hooks/dispatcher.ts'
import { makeSender } from '#platform/outbound/sender.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { startSchedule } from '#platform/jobs/schedule.ts'
import { describeError } from '#platform/log/log.ts'
import { openPlatform, stopOnSignals } from './process.ts'
import { jobHandlers, recurringTasks } from './jobs.ts'

const LISTEN_AGAIN_AFTER_MS = 2_000

const { platform, installation, close } = await openPlatform('work', 'countersign_worker')
const { db, clock, log, keyring, config } = platform

const worker = startWorker({
  db,
  clock,
  log,
  handlers: jobHandlers(platform),
  atOnce: availableParallelism() * 4,
  isBusyBeside: (bucket) => dispatcher.isBusy(bucket),
})
const sender = makeSender({
  allow: config.hooksAllow,
  allowLoopback: config.allowInsecureHooks,
  caFile: config.hooksCaFile,
})
const dispatcher = startDispatcher({ db, clock, log, keyring, sender, leases: worker })
const schedule = startSchedule({ db, clock, log, tasks: recurringTasks(platform), isMine: () => worker.holds(0) })
const listener = listenForWakeUps(() => {
  worker.wake()
  dispatcher.wake()
})

stopOnSignals(log, async () => {
  await schedule.stop()
  await dispatcher.stop()
  await worker.stop()
  await sender.close()
  await listener.stop()
  await close()
})
log.info('working')
process.send?.({ kind: 'working' })

/** Hears of new jobs at once. The worker also looks by itself, so a lost connection costs a second at most. */
function listenForWakeUps(wake: () => void): { stop(): Promise<void> } {
  let isStopped = false
  let client: pg.Client | undefined
  const listen = async () => {
    const fresh = new pg.Client(installation.connection)
    client = fresh
    fresh.on('error', (error) => log.warn({ error: describeError(error) }, 'the wake-up connection was lost'))
    fresh.on('end', () => {
      if (!isStopped) setTimeout(() => void listen().catch(() => {}), LISTEN_AGAIN_AFTER_MS).unref()
    })
    fresh.on('notification', wake)
    await fresh.connect()
    await fresh.query(`listen ${WAKE_CHANNEL}`)
  }
  listen().catch((error: unknown) => log.warn({ error: describeError(error) }, 'listening for wake-ups failed'))
  return {
    async stop() {
      isStopped = true
      await client?.end()
    },
  }
}
