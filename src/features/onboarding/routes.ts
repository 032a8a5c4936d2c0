import { departmentRoutes } from './department-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { userManagementRoutes } from './user-routes.ts'

export const onboardingRoutes = [...departmentRoutes, ...userManagementRoutes, ...keyRoutes]
