import { route } from '#platform/http/route.ts'
import { readOverview } from './read-overview.ts'
import { OverviewBody } from './schemas.ts'

export const overviewRoutes = [
  route({
    method: 'GET',
    url: '/overview',
    summary: 'Read the overview',
    description:
      'What waits, what went wrong, how deliveries, queues and outside services are, and when certificates end. ' +
      'What concerns the service itself is null for ordinary users.',
    tag: 'Overview',
    permission: 'overview:read',
    response: { 200: OverviewBody },
    handle: (work, { caller }) => readOverview(work, { caller }),
  }),
]
