// Everything that a client does, how often, and which operations that is. A test holds the list against the API: an
// operation that changes something and is in no step is noticed.
import type { Client } from './client.ts'
import { manageSubscription, rotateSecret, subscribe, unsubscribe } from './hook-steps.ts'
import * as office from './office-steps.ts'
import { downloadDocument, readAnything, readRequest } from './reading-steps.ts'
import * as sealing from './sealing-steps.ts'
import { openDeadLink, signRequest } from './signer-steps.ts'
import * as signing from './signing-steps.ts'

export type Step = { run(client: Client): Promise<void>; weight: number; changes: readonly string[] }

const SUBSCRIPTION = '/hooks/v1/subscription/:subscriptionId'

export const STEPS: readonly Step[] = [
  { run: signing.createRequest, weight: 14, changes: ['POST /onestepsigning/signaturerequest'] },
  { run: signing.changeDraft, weight: 2, changes: ['PUT /onestepsigning/signaturerequest/:id'] },
  { run: signing.openDraft, weight: 4, changes: ['POST /signing/signaturerequest/:id/open'] },
  { run: signing.cancelRequest, weight: 2, changes: ['POST /signing/signaturerequest/:id/cancel'] },
  { run: signing.cancelAtOnce, weight: 2, changes: ['POST /signing/signaturerequest/:id/cancel'] },
  { run: signing.remind, weight: 2, changes: ['POST /signing/signaturerequest/:id/remind'] },
  { run: signing.retry, weight: 0.5, changes: ['POST /signing/signaturerequest/:id/retry'] },
  { run: signing.archive, weight: 2, changes: ['PATCH /archiving/signaturerequest/:id'] },
  { run: signing.erasePerson, weight: 0.5, changes: ['POST /signing/erasure'] },
  {
    run: signRequest,
    weight: 16,
    changes: [
      'POST /sign/api/session',
      'POST /sign/api/code',
      'POST /sign/api/code/verify',
      'POST /sign/api/viewed',
      'POST /sign/api/sign',
      'POST /sign/api/decline',
      'POST /sign/api/language',
      'POST /sign/api/report',
    ],
  },
  { run: openDeadLink, weight: 1, changes: ['POST /sign/api/session'] },
  { run: sealing.upload, weight: 4, changes: ['POST /storage/document'] },
  { run: sealing.createSealingRequest, weight: 2, changes: ['POST /sealing/sealingrequest'] },
  { run: sealing.putSealingRequest, weight: 3, changes: ['PUT /sealing/sealingrequest/:sealingRequestId'] },
  {
    run: sealing.fillAndSeal,
    weight: 5,
    changes: [
      'POST /sealing/sealingrequest/:sealingRequestId/document',
      'DELETE /sealing/sealingrequest/:sealingRequestId/document/:documentId',
    ],
  },
  { run: sealing.readSealingRequest, weight: 4, changes: [] },
  { run: sealing.renewSeal, weight: 0.5, changes: ['POST /sealing/certificate'] },
  { run: sealing.revokeSeal, weight: 0.5, changes: ['DELETE /sealing/certificate/:id'] },
  { run: office.createDepartment, weight: 2, changes: ['POST /onboarding/department'] },
  { run: office.changeDepartment, weight: 2, changes: ['PATCH /onboarding/department/:id'] },
  { run: office.deleteDepartment, weight: 0.7, changes: ['DELETE /onboarding/department/:id'] },
  { run: office.changeTenant, weight: 0.5, changes: ['PATCH /onboarding/tenant'] },
  { run: office.createUser, weight: 1, changes: ['POST /onboarding/user'] },
  { run: office.changeUser, weight: 2, changes: ['PATCH /onboarding/user/:id'] },
  {
    run: office.welcomeUser,
    weight: 0.3,
    changes: [
      'POST /onboarding/user/:id/invitation',
      'POST /identity/password',
      'POST /identity/login',
      'POST /identity/logout',
      'POST /console/password',
      'POST /console/session',
      'PUT /console/password',
      'POST /console/factor',
      'POST /console/factor/confirm',
      'DELETE /console/factor',
      'DELETE /console/session/:id',
      'POST /console/password/forgotten',
      'DELETE /onboarding/user/:id/factor',
    ],
  },
  { run: office.createKey, weight: 1, changes: ['POST /onboarding/subscriptionkey'] },
  { run: office.rotateKey, weight: 0.5, changes: ['POST /onboarding/subscriptionkey/:id/rotate'] },
  { run: office.deleteKey, weight: 0.5, changes: ['DELETE /onboarding/subscriptionkey/:id'] },
  { run: office.createTemplate, weight: 1, changes: ['POST /documenttemplating/template'] },
  { run: office.changeTemplate, weight: 1, changes: ['PUT /documenttemplating/template/:id'] },
  { run: office.deleteTemplate, weight: 0.5, changes: ['DELETE /documenttemplating/template/:id'] },
  { run: office.createRequestTemplate, weight: 1, changes: ['POST /documenttemplating/requesttemplate'] },
  { run: office.changeRequestTemplate, weight: 1, changes: ['PUT /documenttemplating/requesttemplate/:id'] },
  { run: office.deleteRequestTemplate, weight: 0.5, changes: ['DELETE /documenttemplating/requesttemplate/:id'] },
  { run: office.putMetadata, weight: 3, changes: ['PUT /metadata/list/:entityType/:entityId'] },
  { run: subscribe, weight: 3, changes: ['POST /hooks/v1/subscription'] },
  { run: unsubscribe, weight: 0.3, changes: [`DELETE ${SUBSCRIPTION}`] },
  {
    run: manageSubscription,
    weight: 1.5,
    changes: [
      `POST ${SUBSCRIPTION}/test`,
      `POST ${SUBSCRIPTION}/pause`,
      `POST ${SUBSCRIPTION}/resume`,
      `POST ${SUBSCRIPTION}/replay`,
      `POST ${SUBSCRIPTION}/delivery/:deliveryId/replay`,
    ],
  },
  { run: rotateSecret, weight: 0.3, changes: [`POST ${SUBSCRIPTION}/secret`] },
  { run: readRequest, weight: 8, changes: [] },
  { run: downloadDocument, weight: 3, changes: [] },
  { run: readAnything, weight: 8, changes: [] },
]

const PASSKEY = 'needs an authenticator, whose part is tested in src/features/identity/passkeys.test.ts'

/** What changes nothing although it is no GET, and what no client does here, each with the reason. */
export const NOT_EXERCISED: Record<string, string> = {
  'POST /validation/document': 'reads a file and keeps nothing',
  'POST /verify/api/document': 'reads a file and keeps nothing',
  'POST /pki/:keyId/ocsp': 'a question; its answer was signed earlier',
  'POST /console/factor/passkey': PASSKEY,
  'POST /console/factor/passkey/confirm': PASSKEY,
  'DELETE /console/factor/passkey/:id': PASSKEY,
  'POST /sign/api/strong': 'needs an identity provider, whose part is tested in src/features/signer/strong.test.ts',
}
