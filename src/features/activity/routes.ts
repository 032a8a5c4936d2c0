import { route } from '#platform/http/route.ts'
import { listActivity } from './list-activity.ts'
import { ActivityList, ActivityQuery } from './schemas.ts'

export const activityRoutes = [
  route({
    method: 'GET',
    url: '/activity',
    summary: 'List activity, newest first',
    description:
      'Who did what: keys, users, departments, certificates, templates, subscriptions, messages that were viewed, and ' +
      'sign-ins. What happens to a request stands in its history.',
    tag: 'Activity',
    permission: 'activity:read',
    query: ActivityQuery,
    response: { 200: ActivityList },
    handle: ({ tx }, { caller, query }) => listActivity(tx, { caller, query }),
  }),
]
