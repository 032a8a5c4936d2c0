// All operations of the API, in the order of the reference.
import { userRoutes } from '#features/user/routes.ts'
import type { Route } from '#platform/http/route.ts'

export const routes: readonly Route[] = [...userRoutes]
