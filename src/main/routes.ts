// All operations of the API, in the order of the reference.
import { sealingRoutes } from '#features/sealing/routes.ts'
import { userRoutes } from '#features/user/routes.ts'
import type { Route } from '#platform/http/route.ts'

export const routes: readonly Route[] = [...userRoutes, ...sealingRoutes]
