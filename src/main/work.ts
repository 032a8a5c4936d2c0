// The worker: does what was asked for earlier. Holds the private keys of certificates. No network reaches it; it reaches
// out to timestamp authorities, mail servers and the receivers of webhooks.
import { availableParallelism } from 'node:os'
import { makeStamping, startSequencer } from '#features/history/index.ts'
import { startDispatcher } from '#features/hooks/dispatcher.ts'
import { makeSender } from '#platform/outbound/sender.ts'
import { freeLeases } from '#platform/jobs/leases.ts'
import { waitUntilSettled } from '#platform/db/settling.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { startSchedule } from '#platform/jobs/schedule.ts'
import { forgetOtherTroubles } from '#platform/troubles/troubles.ts'
import { untilDatabaseAnswers } from './await-database.ts'
import { failToStart, openPlatform, reportUp, stopOnSignals } from './process.ts'
import { jobHandlers, longTasks, ownerTasks, recurringTasks, watchTasks } from './jobs.ts'
import { prepareCertificates } from './prepare-certificates.ts'
import { requireIsolation } from './require-database.ts'
import { listenForWakeUps } from './wake-ups.ts'

const { platform, installation, close } = await openPlatform('work', 'countersign_worker')
const { db, clock, log, keyring, config } = platform

try {
  const { connection } = installation
  const isSpread = config.isDatabaseSpread
  await untilDatabaseAnswers(installation, () => requireIsolation({ connection, isSpread }))
  await untilDatabaseAnswers(installation, () => forgetOtherTroubles(platform))
  await prepareCertificates(platform)
  // Whoever held the leases before was killed: there is no need to wait until they run out.
  if (installation.hasOneWorker) await untilDatabaseAnswers(installation, () => freeLeases(db))
} catch (error) {
  failToStart(log, error)
}
const stopping = new AbortController()
/** Whether what recurs and the log are still being worked on here: they go with the first bucket. */
let isTending = true
const worker = startWorker({
  db,
  clock,
  log,
  handlers: jobHandlers(platform),
  atOnce: availableParallelism() * 4,
  ...(config.isDatabaseSpread && { settle: (tenantId: string) => waitUntilSettled(db, tenantId) }),
  isBusyBeside: (bucket) => dispatcher.isBusy(bucket) || (bucket === 0 && isTending),
})
const sender = makeSender({
  allow: config.hooksAllow,
  allowLoopback: config.allowInsecureHooks,
  caFile: config.hooksCaFile,
})
const dispatcher = startDispatcher({ db, clock, log, keyring, sender, leases: worker })
const isMine = () => !stopping.signal.aborted && worker.holds(0)
const sequencer = startSequencer({ db, clock, log, keyring, isMine, stamp: makeStamping(platform) })
const leisure = { goesOn: isMine, giveWay: () => worker.giveWay() }
const schedules = [
  [...recurringTasks(platform, stopping.signal), ...ownerTasks(installation.connection)],
  watchTasks(platform),
  ...longTasks(platform, { signal: stopping.signal, leisure }).map((task) => [task]),
].map((tasks) => startSchedule({ db, clock, log, tasks, isMine }))
const wakeForEvents = () => {
  dispatcher.wake()
  sequencer.wake()
}
const listener = listenForWakeUps({
  connection: installation.connection,
  log,
  wake: () => {
    worker.wake()
    wakeForEvents()
  },
  wakeForEvents,
})

stopOnSignals(log, async () => {
  stopping.abort()
  const tending = Promise.all([sequencer, ...schedules].map((one) => one.stop())).finally(() => (isTending = false))
  await worker.stop(Promise.all([tending, dispatcher.stop()]))
  await sender.close()
  await listener.stop()
  await close()
})
await worker.isUp
log.info('working')
reportUp({ kind: 'working' })
