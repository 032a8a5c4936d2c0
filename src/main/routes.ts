// All operations of the API, in the order of the reference.
import { identityRoutes } from '#features/identity/routes.ts'
import { onboardingRoutes } from '#features/onboarding/routes.ts'
import { sealingRoutes } from '#features/sealing/routes.ts'
import { storageRoutes } from '#features/storage/routes.ts'
import { userRoutes } from '#features/user/routes.ts'
import type { Route } from '#platform/http/route.ts'

export const routes: readonly Route[] = [
  ...userRoutes,
  ...onboardingRoutes,
  ...identityRoutes,
  ...storageRoutes,
  ...sealingRoutes,
]
