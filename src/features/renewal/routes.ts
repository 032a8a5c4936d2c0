import { route } from '#platform/http/route.ts'
import { listRenewals } from './list-renewals.ts'
import { RenewalList, RenewalQuery } from './schemas.ts'

export const renewalRoutes = [
  route({
    method: 'GET',
    url: '/archiving/renewal',
    summary: 'List renewals, the next one first',
    description:
      'When each signed, sealed or evidence file is stamped anew, so that it can still be proven after the certificate ' +
      'behind its newest timestamp has ended.',
    tag: 'Archiving',
    permission: 'signaturerequest:read',
    query: RenewalQuery,
    response: { 200: RenewalList },
    handle: ({ tx }, { caller, query }) => listRenewals(tx, { caller, query }),
  }),
]
