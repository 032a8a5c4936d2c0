import { route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { readProfile } from './read-profile.ts'
import { UserPath, UserProfile } from './schemas.ts'

export const userRoutes = [
  route({
    operation: 13,
    method: 'GET',
    url: '/user/profile/:id',
    summary: 'Read a user profile',
    tag: 'User',
    permission: 'user:profile',
    params: UserPath,
    response: { 200: UserProfile, 204: Nothing },
    handle: ({ tx }, { caller, params }) => readProfile(tx, { caller, userId: params.id }),
  }),
]
