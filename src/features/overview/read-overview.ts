import { readInvitations, readReports } from '#features/abuse/index.ts'
import { listCertificatesInUse } from '#features/certificates/index.ts'
import { countRequests } from '#features/counts/index.ts'
import { summariseSubscriptions } from '#features/hooks/index.ts'
import { countTroubledMessages } from '#features/messages/index.ts'
import { listReachableDepartments, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Work } from '#platform/http/route.ts'
import { measureJobsOf } from '#platform/jobs/measure-jobs.ts'
import { describeServices } from './describe-services.ts'

const COUNTED = {
  draft: 'Draft',
  open: 'Open',
  processing: 'Processing',
  error: 'Error',
  archivingFailed: 'ArchivingFailed',
} as const

/** How things are within the caller's reach; how the service itself is, for those who look after it. */
export async function readOverview(work: Work, { caller }: { caller: Caller }) {
  const { tx } = work
  const departmentIds = await listReachableDepartments(tx, caller)
  const counted = await countByStatus(tx, { tenantId: caller.tenantId, departmentIds })
  if (caller.role === 'user')
    return {
      ...counted,
      invitations: null,
      reports: null,
      messages: null,
      webhooks: null,
      jobs: null,
      services: null,
      certificates: null,
    }
  return { ...counted, ...(await readHealth(work, { caller, departmentIds })) }
}

type Reach = { tenantId: string; departmentIds: string[] | undefined }

async function countByStatus(tx: Tx, reach: Reach) {
  const count = (kind: 'signaturerequest' | 'sealingrequest', status: string) =>
    countRequests(tx, { ...reach, kind, status })
  const amounts = await Promise.all(
    Object.entries(COUNTED).map(async ([name, status]) => [name, await count('signaturerequest', status)] as const),
  )
  return {
    signatureRequests: Object.fromEntries(amounts),
    sealingRequests: { error: await count('sealingrequest', 'Error') },
  }
}

async function readHealth(
  { tx, now, platform }: Work,
  { caller: { tenantId }, departmentIds }: { caller: Caller; departmentIds: string[] | undefined },
) {
  const [invitations, reports, messages, webhooks, jobs, services, certificates] = await Promise.all([
    readInvitations(tx, { tenantId, perDay: platform.config.limits.invitationsPerDay, now }),
    readReports(tx, { tenantId, now }),
    countTroubledMessages(tx, { tenantId, departmentIds }),
    summariseSubscriptions(tx, { tenantId, departmentIds }),
    measureJobsOf(tx, { tenantId, now }),
    describeServices(tx, { tenantId, now, config: platform.config }),
    listCertificatesInUse(tx, { tenantId, departmentIds, now }),
  ])
  return {
    invitations,
    reports,
    messages,
    webhooks,
    jobs,
    services,
    certificates: certificates.map(({ notAfter, ...rest }) => ({ ...rest, expirationDate: notAfter })),
  }
}
