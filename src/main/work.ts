// The worker: does what was asked for earlier. Holds the private keys of certificates, and faces no network.
import { availableParallelism } from 'node:os'
import { startWorker } from '#platform/jobs/worker.ts'
import { startSchedule } from '#platform/jobs/schedule.ts'
import { openPlatform, stopOnSignals } from './process.ts'
import { jobHandlers, recurringTasks } from './jobs.ts'
import { prepareCertificates } from './prepare-certificates.ts'
import { listenForWakeUps } from './wake-ups.ts'

const { platform, installation, close } = await openPlatform('work', 'countersign_worker')
const { db, clock, log } = platform

await prepareCertificates(platform)
const worker = startWorker({ db, clock, log, handlers: jobHandlers(platform), atOnce: availableParallelism() * 4 })
const schedule = startSchedule({ db, clock, log, tasks: recurringTasks(platform), isMine: () => worker.holds(0) })
const listener = listenForWakeUps({ connection: installation.connection, worker, log })

stopOnSignals(log, async () => {
  await schedule.stop()
  await worker.stop()
  await listener.stop()
  await close()
})
log.info('working')
process.send?.({ kind: 'working' })
