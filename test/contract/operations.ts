// One row for each route: a call that succeeds, on one of everything. All the calls that must not succeed are made from
// it. A route without a row fails the contract test.
import { PASSWORD, type TestTenant } from '../service.ts'
import { payload } from '../signature-requests.ts'
import { makePdf } from '../small-pdf.ts'
import { newId } from '#platform/ids.ts'
import type { Things } from './world.ts'

export type Row = {
  /** The parameters of the path, on things that are there. */
  ids?: (things: Things) => Record<string, string>
  body?: (things: Things, tenant: TestTenant) => unknown
  /** The body of a route that takes bytes. */
  raw?: Buffer
  success: number
  /** The call ends the caller's own token, so its success needs one of its own. */
  endsToken?: true
  /** What it does is not in any department, so that a key of a department may not do it. */
  isTenantWide?: true
  /** A reading that is never the same twice, and that others may use up. */
  isFleeting?: true
  /** An id that nothing has makes a thing with that id, in the caller's own tenant. */
  makesUnknown?: true
}

const signingTemplate = { kind: 'signature', name: 'Leases', fields: { subject: 'A lease' } }

export const OPERATIONS: Record<string, Row> = {
  'POST /signing/signaturerequest/:id/cancel': {
    ids: ({ openRequestId: id }) => ({ id }),
    body: () => ({ reason: 'Not needed' }),
    success: 200,
  },
  // It tells for how long the oldest job has waited.
  'GET /overview': { success: 200, isFleeting: true },
  'GET /signing/authentication': { success: 200 },
  'GET /signing/signaturerequest': { success: 200 },
  'GET /signing/signaturerequest/:id': { ids: ({ openRequestId: id }) => ({ id }), success: 200 },
  'POST /signing/signaturerequest/:id/open': { ids: ({ draftRequestId: id }) => ({ id }), success: 200 },
  'POST /signing/signaturerequest/:id/remind': { ids: ({ openRequestId: id }) => ({ id }), success: 200 },
  'GET /signing/signaturerequest/:id/signatory/:signatoryId/link': {
    ids: ({ openRequestId: id, signatoryId }) => ({ id, signatoryId }),
    success: 200,
  },
  'POST /signing/signaturerequest/:id/retry': { ids: ({ failedRequestId: id }) => ({ id }), success: 200 },
  'GET /signing/signaturerequest/:id/evidence': { ids: ({ openRequestId: id }) => ({ id }), success: 204 },
  'POST /onestepsigning/signaturerequest': { body: () => payload(), success: 202 },
  'PUT /onestepsigning/signaturerequest/:id': {
    ids: ({ draftRequestId: id }) => ({ id }),
    body: () => payload({ status: 'Draft' }),
    success: 200,
  },
  'GET /user/profile/:id': { ids: ({ userId: id }) => ({ id }), success: 200 },

  'GET /onboarding/department': { success: 200 },
  'POST /onboarding/department': { body: () => ({ department: { name: 'New' } }), success: 200 },
  'DELETE /onboarding/department/:id': {
    ids: ({ departmentId: id }) => ({ id }),
    body: () => ({ ForceDelete: true }),
    success: 200,
  },
  'GET /onboarding/department/:id': { ids: ({ departmentId: id }) => ({ id }), success: 200 },
  'PATCH /onboarding/department/:id': {
    ids: ({ departmentId: id }) => ({ id }),
    body: () => ({ name: 'Renamed' }),
    success: 200,
  },
  'GET /onboarding/tenant': { success: 200, isTenantWide: true },
  'PATCH /onboarding/tenant': { body: () => ({ name: 'Acme' }), success: 200, isTenantWide: true },
  'GET /onboarding/user': { success: 200 },
  'POST /onboarding/user': { body: () => ({ email: `${newId()}@example.com` }), success: 200 },
  'PATCH /onboarding/user/:id': {
    ids: ({ userId: id }) => ({ id }),
    body: () => ({ firstName: 'Aino' }),
    success: 200,
  },
  'POST /onboarding/user/:id/invitation': {
    ids: ({ userId: id }) => ({ id }),
    body: () => ({ deliver: true }),
    success: 200,
  },
  'DELETE /onboarding/user/:id/factor': { ids: ({ userId: id }) => ({ id }), success: 204 },
  'GET /onboarding/subscriptionkey': { success: 200 },
  'POST /onboarding/subscriptionkey': { body: () => ({ name: 'Another key' }), success: 200 },
  'POST /onboarding/subscriptionkey/:id/rotate': {
    ids: ({ keyId: id }) => ({ id }),
    body: () => ({ which: 'secondary' }),
    success: 200,
  },
  'DELETE /onboarding/subscriptionkey/:id': { ids: ({ keyId: id }) => ({ id }), success: 200 },

  'POST /identity/login': {
    body: (_things, { administratorEmail: login }) => ({ login, password: PASSWORD }),
    success: 200,
  },
  'POST /identity/password': {
    body: async ({ userId }, { asAdministrator }) => ({
      token: (await asAdministrator('POST', `/onboarding/user/${userId}/invitation`)).json?.token ?? 'unknown',
      password: 'correct horse battery staple',
    }),
    success: 204,
  },
  'POST /identity/logout': { body: () => ({ everywhere: false }), success: 204, endsToken: true },
  'GET /identity/me': { success: 200 },
  'GET /identity/department': { success: 200 },
  'GET /identity/.well-known/jwks.json': { success: 200 },

  'GET /storage/document/:uri': { ids: ({ documentUri: uri }) => ({ uri }), success: 200 },
  'POST /storage/document': { raw: makePdf(), success: 200 },

  'POST /validation/document': { raw: makePdf(), success: 200 },
  'POST /verify/api/document': { raw: makePdf(), success: 200 },

  'GET /documenttemplating/template': { success: 200 },
  'POST /documenttemplating/template': {
    body: ({ documentUri: templateUri }) => ({ name: 'Leases', templateUri }),
    success: 200,
  },
  'PUT /documenttemplating/template/:id': {
    ids: ({ templateId: id }) => ({ id }),
    body: () => ({ name: 'Renamed' }),
    success: 200,
  },
  'DELETE /documenttemplating/template/:id': { ids: ({ templateId: id }) => ({ id }), success: 200 },
  'GET /documenttemplating/requesttemplate': { success: 200 },
  'POST /documenttemplating/requesttemplate': { body: () => signingTemplate, success: 200 },
  'GET /documenttemplating/requesttemplate/:id': { ids: ({ signingTemplateId: id }) => ({ id }), success: 200 },
  'PUT /documenttemplating/requesttemplate/:id': {
    ids: ({ signingTemplateId: id }) => ({ id }),
    body: () => ({ name: 'Renamed' }),
    success: 200,
  },
  'DELETE /documenttemplating/requesttemplate/:id': { ids: ({ signingTemplateId: id }) => ({ id }), success: 200 },

  'PUT /metadata/list/:entityType/:entityId': {
    ids: ({ openRequestId: entityId }) => ({ entityType: 'SignatureRequest', entityId }),
    body: () => ({ metadata: [{ key: 'colour', value: 'blue' }] }),
    success: 200,
  },
  'GET /metadata/:entityType/:entityId': {
    ids: ({ openRequestId: entityId }) => ({ entityType: 'SignatureRequest', entityId }),
    success: 200,
  },

  'POST /sealing/sealingrequest/:sealingRequestId/document': {
    ids: ({ sealingRequestId }) => ({ sealingRequestId }),
    body: ({ documentUri: documentURI }) => ({ documentURI }),
    success: 200,
  },
  'GET /sealing/sealingrequest/:sealingRequestId/document': {
    ids: ({ sealingRequestId }) => ({ sealingRequestId }),
    success: 200,
  },
  'DELETE /sealing/sealingrequest/:sealingRequestId/document/:documentId': {
    ids: ({ sealingRequestId, sealingDocumentId: documentId }) => ({ sealingRequestId, documentId }),
    success: 200,
  },
  'PUT /sealing/sealingrequest/:sealingRequestId': {
    ids: ({ sealingRequestId }) => ({ sealingRequestId }),
    body: () => ({ subject: 'Another' }),
    success: 200,
    makesUnknown: true,
  },
  'GET /sealing/sealingrequest': { success: 200 },
  'POST /sealing/sealingrequest': { body: () => ({ subject: 'New' }), success: 200 },
  'GET /sealing/sealingrequest/:sealingRequestId': {
    ids: ({ sealingRequestId }) => ({ sealingRequestId }),
    success: 200,
  },

  'GET /sealing/authority': { success: 200 },
  'GET /sealing/certificate': { success: 200 },
  'POST /sealing/certificate': { body: () => ({ generate: true }), success: 202 },
  'DELETE /sealing/certificate/:id': { ids: ({ certificateId: id }) => ({ id }), success: 200 },

  'GET /activity': { success: 200, isFleeting: true },

  'GET /messages': { success: 200 },
  'GET /messages/:messageId': { ids: ({ messageId }) => ({ messageId }), success: 200, isFleeting: true },

  'GET /hooks/v1': { success: 200 },
  'POST /hooks/v1/subscription': {
    body: () => ({ eventType: 'signatorysigned', uri: 'https://hooks.example.com/' }),
    success: 202,
  },
  'GET /hooks/v1/subscription': { success: 200 },
  'GET /hooks/v1/subscription/:subscriptionId': {
    ids: ({ subscriptionId }) => ({ subscriptionId }),
    success: 200,
  },
  'DELETE /hooks/v1/subscription/:subscriptionId': {
    ids: ({ subscriptionId }) => ({ subscriptionId }),
    success: 202,
  },
  'GET /hooks/v1/outbox': { success: 200 },
  'GET /hooks/v1/subscription/:subscriptionId/delivery': {
    ids: ({ subscriptionId }) => ({ subscriptionId }),
    success: 200,
  },
  'POST /hooks/v1/subscription/:subscriptionId/delivery/:deliveryId/replay': {
    ids: ({ subscriptionId, deliveryId }) => ({ subscriptionId, deliveryId }),
    success: 202,
  },
  'POST /hooks/v1/subscription/:subscriptionId/replay': {
    ids: ({ subscriptionId }) => ({ subscriptionId }),
    body: () => ({ from: new Date(Date.now() - 60_000).toISOString() }),
    success: 202,
  },
  'POST /hooks/v1/subscription/:subscriptionId/test': {
    ids: ({ subscriptionId }) => ({ subscriptionId }),
    success: 202,
  },
  'POST /hooks/v1/subscription/:subscriptionId/pause': {
    ids: ({ subscriptionId }) => ({ subscriptionId }),
    success: 200,
  },
  'POST /hooks/v1/subscription/:subscriptionId/resume': {
    ids: ({ subscriptionId }) => ({ subscriptionId }),
    success: 200,
  },
  'POST /hooks/v1/subscription/:subscriptionId/secret': {
    ids: ({ subscriptionId }) => ({ subscriptionId }),
    success: 200,
  },

  'GET /event': { success: 200 },
  'GET /event/stream': { success: 200 },
  'GET /event/signaturerequest/:signatureRequestId': {
    ids: ({ openRequestId: signatureRequestId }) => ({ signatureRequestId }),
    success: 200,
  },
  'GET /event/.well-known/jwks.json': { success: 200 },
  'GET /event/signaturerequest/:signatureRequestId/proof': {
    ids: ({ openRequestId: signatureRequestId }) => ({ signatureRequestId }),
    success: 200,
  },
  'GET /event/signaturerequest/:signatureRequestId/verification': {
    ids: ({ openRequestId: signatureRequestId }) => ({ signatureRequestId }),
    success: 200,
  },
  'GET /event/sealingrequest/:sealingRequestId/proof': {
    ids: ({ sealingRequestId }) => ({ sealingRequestId }),
    success: 200,
  },
  'GET /event/sealingrequest/:sealingRequestId/verification': {
    ids: ({ sealingRequestId }) => ({ sealingRequestId }),
    success: 200,
  },
  'GET /archiving/renewal': { success: 200 },
  'POST /signing/erasure': { body: () => ({ email: 'nobody@example.com' }), success: 200 },
  'PATCH /archiving/signaturerequest/:id': {
    ids: ({ closedRequestId: id }) => ({ id }),
    body: () => ({ status: 'Archived' }),
    success: 202,
  },
}
