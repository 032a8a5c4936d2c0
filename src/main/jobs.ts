// What the worker does: the jobs of every feature, and what recurs.
import type { ClientConfig } from 'pg'
import { forgetInvitationCounts, watchAbuse } from '#features/abuse/index.ts'
import { certificateJobs, refreshPublished, renewSeals, watchExpiries } from '#features/certificates/index.ts'
import { logPassedOver, watchLog } from '#features/history/index.ts'
import { forgetEnded } from '#features/identity/index.ts'
import { forgetEndedSecrets, hookJobs } from '#features/hooks/jobs.ts'
import { forgetOldMessages, messageJobs } from '#features/messages/index.ts'
import { listTenants } from '#features/onboarding/index.ts'
import { askForRenewals, renewalJobs, type Publishers } from '#features/renewal/index.ts'
import { deleteExpired } from '#features/retention/index.ts'
import { publishRenewedSeal, sealingJobs } from '#features/sealing/index.ts'
import { checkIdentityProviders, forgetOldSessions } from '#features/signer/index.ts'
import {
  expireRequests,
  publishRenewedDocument,
  publishRenewedEvidence,
  remindBeforeExpiry,
} from '#features/signing/index.ts'
import { signingJobs } from '#features/signing/jobs.ts'
import {
  checkContents,
  purgeOrphanedContent,
  purgeUploads,
  recheckDamaged,
  watchDamage,
  type Leisure,
} from '#features/storage/index.ts'
import { deleteExpiredCredentials, deleteOldKeyUsage } from '#platform/auth/auth-statements.ts'
import { keepPartitions } from '#platform/db/partitions.ts'
import { NIL_UUID } from '#platform/ids.ts'
import { deleteOldAnswers } from '#platform/http/idempotency.ts'
import { watchQueues } from '#platform/jobs/watch-queues.ts'
import { goThrough } from '#platform/jobs/go-through.ts'
import type { JobHandler } from '#platform/jobs/job-handler.ts'
import type { RecurringTask } from '#platform/jobs/schedule.ts'
import type { Platform } from '#platform/platform.ts'
import { messageFacts } from './message-facts.ts'
import { recheckServices } from './recheck-services.ts'
import { renewSecrets } from './renew-secrets.ts'

const MINUTE_MS = 60_000
/** A little less than three looks of the schedule. */
const WATCH_EVERY_MS = 14_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** The same month of the year before can still be compared. */
const USAGE_KEPT_DAYS = 400

/** Whose files are renewed for the archive. */
const renewedFiles: Publishers = {
  signaturedocument: publishRenewedDocument,
  evidence: publishRenewedEvidence,
  sealingdocument: publishRenewedSeal,
}

export function jobHandlers(platform: Platform): JobHandler[] {
  return [
    ...signingJobs(platform),
    ...messageJobs(platform, messageFacts),
    ...sealingJobs(platform),
    ...certificateJobs(platform),
    ...hookJobs(platform),
    ...renewalJobs(platform, renewedFiles),
  ]
}

/** They end early when the signal says so. */
export function recurringTasks(platform: Platform, signal?: AbortSignal): RecurringTask[] {
  const { db, config } = platform
  const tenants = { platform, signal }
  const isKeyChanging = config.previousSecretKey !== undefined
  return [
    ...(isKeyChanging ? [renewal(platform)] : []),
    {
      name: 'forget old idempotent answers',
      everyMs: 10 * MINUTE_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => forgetAnswers(tenantId, now)),
    },
    {
      name: 'forget ended logins',
      everyMs: 10 * MINUTE_MS,
      run: async (now) => {
        const forget = (tenantId: string) => db.transaction(tenantId, (tx) => forgetEnded(tx, { tenantId, now }))
        // Attempts to sign in as nobody are counted in no tenant.
        await forEachTenant(tenants, forget).finally(() => forget(NIL_UUID))
      },
    },
    {
      name: 'purge uploads that nothing uses',
      everyMs: 60 * MINUTE_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => purgeUploads(platform, { tenantId, now })),
    },
    {
      name: 'remove documents without a record',
      everyMs: DAY_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => purgeOrphanedContent(platform, { tenantId, now })),
    },
    {
      name: 'renew seal certificates',
      everyMs: 60 * MINUTE_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => renewSeals(platform, { tenantId, now })),
    },
    {
      name: 'see when certificates end',
      everyMs: 10 * MINUTE_MS,
      run: async () => watchExpiries(platform, await listTenantIds(platform)),
    },
    {
      name: 'renew files before their timestamps end',
      everyMs: DAY_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => askForRenewals(platform, { tenantId, now })),
    },
    {
      name: 'delete requests that are not kept any longer',
      everyMs: DAY_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => deleteExpired(platform, { tenantId, now })),
    },
    {
      name: 'publish revocation lists and answers anew',
      everyMs: 60 * MINUTE_MS,
      run: (now) => refreshPublished(platform, now),
    },
    {
      name: 'forget old usage of keys',
      everyMs: DAY_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => forgetUsage(tenantId, now)),
    },
    {
      name: 'forget old counts of invitations',
      everyMs: DAY_MS,
      run: (now) =>
        forEachTenant(tenants, (tenantId) =>
          db.transaction(tenantId, (tx) => forgetInvitationCounts(tx, { tenantId, now })),
        ),
    },
    {
      name: 'forget webhook secrets that were changed',
      everyMs: 60 * MINUTE_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => forgetEndedSecrets(db, tenantId, now)),
    },
    {
      name: 'log events that were passed over',
      everyMs: 10 * MINUTE_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => logPassedOver(platform, tenantId, now)),
    },
    {
      name: 'forget expired credentials',
      everyMs: 10 * MINUTE_MS,
      // A day later than they end: until then, whoever comes with an expired link hears that it has expired.
      run: async (now) =>
        void (await db.systemTransaction((tx) =>
          deleteExpiredCredentials.run(tx, { now: new Date(now.getTime() - DAY_MS) }),
        )),
    },
    {
      name: 'end signature requests whose time is up',
      everyMs: MINUTE_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => expireRequests(platform, tenantId, now)),
    },
    {
      name: 'remind signatories before requests expire',
      everyMs: 10 * MINUTE_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => remindBeforeExpiry(platform, tenantId, now)),
    },
    {
      name: 'see whether identity providers answer',
      everyMs: 5 * MINUTE_MS,
      run: () => checkIdentityProviders(platform),
    },
    {
      name: 'forget old messages',
      everyMs: DAY_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => forgetOldMessages(platform, tenantId, now)),
    },
    {
      name: 'forget sessions of signatories',
      everyMs: 60 * MINUTE_MS,
      run: (now) => forEachTenant(tenants, (tenantId) => forgetOldSessions(platform, tenantId, now)),
    },
  ]

  async function forgetUsage(tenantId: string, now: Date): Promise<void> {
    const before = new Date(now.getTime() - USAGE_KEPT_DAYS * DAY_MS)
    await db.transaction(tenantId, (tx) => deleteOldKeyUsage.run(tx, { tenantId, before }))
  }

  async function forgetAnswers(tenantId: string, now: Date): Promise<void> {
    const before = new Date(now.getTime() - DAY_MS)
    await db.transaction(tenantId, (tx) => deleteOldAnswers.run(tx, { tenantId, before }))
  }
}

/** What readiness tells: in a schedule of their own, so that nothing which takes long keeps them from looking. */
export function watchTasks(platform: Platform): RecurringTask[] {
  return [
    { name: 'see how long jobs wait', everyMs: WATCH_EVERY_MS, run: () => watchQueues(platform) },
    { name: 'see whether accounts are abused', everyMs: MINUTE_MS, run: () => watchAbuse(platform) },
    { name: 'see whether what failed works again', everyMs: MINUTE_MS, run: () => recheckServices(platform) },
  ]
}

/** What only the owner of the tables may do. */
export function ownerTasks(connection: ClientConfig): RecurringTask[] {
  return [{ name: 'keep partitions', everyMs: 60 * MINUTE_MS, run: (now) => keepPartitions(connection, now) }]
}

type LongWork = { signal: AbortSignal; leisure: Leisure }

/** What takes long, and so must not hold up anything, nor each other. It ends early when the signal says so. */
export function longTasks(platform: Platform, { signal, leisure }: LongWork): RecurringTask[] {
  const tenants = { platform, signal }
  return [
    { name: 'audit the history', everyMs: DAY_MS, run: () => watchLog(platform, signal) },
    {
      // Often, because a tenant that has been read today costs a question: so it goes on soon after whatever stopped it.
      name: 'read stored files',
      everyMs: 10 * MINUTE_MS,
      run: () => forEachTenant(tenants, (tenantId) => checkContents(platform, tenantId, leisure)),
    },
    { name: 'read damaged files again', everyMs: 10 * MINUTE_MS, run: () => recheckAll(tenants, leisure) },
  ]
}

/** What was found is told whether or not the store can be asked again. */
async function recheckAll(tenants: Tenants, leisure: Leisure): Promise<void> {
  const { platform } = tenants
  try {
    await forEachTenant(tenants, (tenantId) => recheckDamaged(platform, tenantId, leisure))
  } finally {
    if (leisure.goesOn()) await watchDamage(platform, await listTenantIds(platform))
  }
}

/** By the name of the present key: a change is taken up at once, whenever the last one was. */
function renewal(platform: Platform): RecurringTask {
  return {
    name: `encrypt secrets under key ${platform.keyring.presentKey}`,
    everyMs: 60 * MINUTE_MS,
    run: async () => void (await renewSecrets(platform)),
  }
}

type Tenants = { platform: Platform; signal: AbortSignal | undefined }

async function forEachTenant(
  { platform, signal }: Tenants,
  work: (tenantId: string) => Promise<unknown>,
): Promise<void> {
  await goThrough(await listTenantIds(platform), work, { what: 'tenants', nameOf: (id) => id, signal })
}

async function listTenantIds({ db }: Platform): Promise<string[]> {
  const tenants = await db.systemTransaction((tx) => listTenants.many(tx, {}))
  return tenants.map(({ id }) => id)
}
