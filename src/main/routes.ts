// All operations of the API, in the order of the reference.
import { activityRoutes } from '#features/activity/routes.ts'
import { certificateRoutes } from '#features/certificates/routes.ts'
import { documentTemplatingRoutes } from '#features/documenttemplating/routes.ts'
import { consoleRoutes } from '#features/identity/console-routes.ts'
import { factorRoutes } from '#features/identity/factor-routes.ts'
import { historyRoutes } from '#features/history/routes.ts'
import { identityRoutes } from '#features/identity/routes.ts'
import { messageRoutes } from '#features/messages/routes.ts'
import { metadataRoutes } from '#features/metadata/routes.ts'
import { onboardingRoutes } from '#features/onboarding/routes.ts'
import { hookRoutes } from '#features/hooks/routes.ts'
import { sealingRoutes } from '#features/sealing/routes.ts'
import { overviewRoutes } from '#features/overview/routes.ts'
import { storageRoutes } from '#features/storage/routes.ts'
import { userRoutes } from '#features/user/routes.ts'
import { signerRoutes } from '#features/signer/routes.ts'
import { signingRoutes } from '#features/signing/routes.ts'
import { onestepsigningRoutes } from '#features/onestepsigning/routes.ts'
import { archivingRoutes } from '#features/archiving/routes.ts'
import { renewalRoutes } from '#features/renewal/routes.ts'
import { retentionRoutes } from '#features/retention/routes.ts'
import { eventRoutes } from '#features/event/routes.ts'
import { validationRoutes } from '#features/validation/routes.ts'
import type { Route } from '#platform/http/route.ts'
import { messageFacts } from './message-facts.ts'

export const routes: readonly Route[] = [
  ...overviewRoutes,
  ...signingRoutes,
  ...onestepsigningRoutes,
  ...userRoutes,
  ...onboardingRoutes,
  ...identityRoutes,
  ...consoleRoutes,
  ...factorRoutes,
  ...messageRoutes(messageFacts),
  ...activityRoutes,
  ...storageRoutes,
  ...validationRoutes,
  ...documentTemplatingRoutes,
  ...metadataRoutes,
  ...sealingRoutes,
  ...certificateRoutes,
  ...hookRoutes,
  ...eventRoutes,
  ...historyRoutes,
  ...archivingRoutes,
  ...renewalRoutes,
  ...retentionRoutes,
  ...signerRoutes,
]
