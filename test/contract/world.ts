// What the contract is walked through in: three tenants, in one of them two departments side by side, and in each place
// one of everything that has an id. Whatever has a name or a text there holds the id of its department, so that a copy of
// it is noticed wherever it turns up.
import assert from 'node:assert/strict'
import { addDepartment, type TestDepartment } from '../departments.ts'
import { signedIn } from '../console-browser.ts'
import { startService, type Caller, type ServiceOptions, type TestService, type TestTenant } from '../service.ts'
import { create, forceStatus, pdf } from '../signature-requests.ts'
import { makePdf } from '../small-pdf.ts'
import { TOKEN_LIFETIME_S } from '#platform/auth/tokens.ts'
import { newId } from '#platform/ids.ts'

/** The ids and the uri by which the API knows one of everything. */
export type Things = {
  departmentId: string
  draftRequestId: string
  openRequestId: string
  closedRequestId: string
  failedRequestId: string
  signatoryId: string
  messageId: string
  certificateId: string
  sealingRequestId: string
  sealingDocumentId: string
  documentUri: string
  templateId: string
  signingTemplateId: string
  sealingTemplateId: string
  userId: string
  keyId: string
  subscriptionId: string
  deliveryId: string
}

export type Place = {
  department: TestDepartment
  things: Things
  /** Headers that make a call with the department's key its administrator's. */
  asAdministrator: Record<string, string>
}

export type World = {
  service: TestService
  acme: TestTenant
  other: TestTenant
  third: TestTenant
  sales: Place
  legal: Place
  abroad: Place
  /** Headers with tokens of people of Acme's root department. */
  tokens: { clerk: Record<string, string>; deactivated: Record<string, string>; refused: Record<string, string>[] }
  /** People of Other: headers of a user, and the calls of its administrator in the console. */
  strangers: { user: Record<string, string>; console: Caller }
}

export async function makeWorld(
  environment: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<World> {
  const service = await startService({ COUNTERSIGN_RATE_LIMIT: '1000000', ...environment }, options)
  const acme = await service.createTenant('Acme')
  const other = await service.createTenant('Other')
  const browser = await signedIn(service.url, other.administratorEmail)
  return {
    service,
    acme,
    other,
    third: await service.createTenant('Third'),
    strangers: {
      user: await makeToken(service, other, { departmentId: other.rootDepartmentId, role: 'clerk' }),
      console: (...asked) => browser.call(...asked),
    },
    sales: await makePlace(service, acme, 'Sales'),
    legal: await makePlace(service, acme, 'Legal'),
    abroad: await makePlace(service, other, 'Abroad'),
    tokens: await makeTokens(service, acme, other),
  }
}

async function makeTokens(service: TestService, acme: TestTenant, other: TestTenant): Promise<World['tokens']> {
  const departmentId = acme.rootDepartmentId
  const past = new Date(service.clock.now().getTime() - (TOKEN_LIFETIME_S + 60) * 1000)
  return {
    clerk: await makeToken(service, acme, { departmentId, role: 'clerk' }),
    deactivated: await makeToken(service, acme, { departmentId, role: 'admin', isActive: false }),
    refused: [
      { authorization: 'Bearer garbage' },
      { authorization: 'Bearer a.b.c' },
      { authorization: 'Basic YTpi' },
      await makeToken(service, acme, { departmentId, role: 'admin', now: past }),
      await makeToken(service, other, { departmentId: other.rootDepartmentId, role: 'admin' }),
    ],
  }
}

export async function makePlace(service: TestService, tenant: TestTenant, name: string): Promise<Place> {
  const department = await addDepartment(service, tenant, name)
  const asAdministrator = await makeToken(service, tenant, { departmentId: department.id, role: 'Admin' })
  return { department, asAdministrator, things: await makeThings(service, department, asAdministrator) }
}

type Person = { departmentId: string; role: string; isActive?: boolean; now?: Date }

/** A new person of a department, as the header of a token that was issued to them. */
export async function makeToken(
  { database, platform, clock }: TestService,
  { tenantId }: TestTenant,
  { departmentId, role, isActive = true, now = clock.now() }: Person,
): Promise<Record<string, string>> {
  const userId = newId()
  await database.asOwner(
    `insert into app_user (tenant_id, id, department_id, kind, role, tokens_valid_after, created_at, modified_at, deactivated_at)
     values ($1, $2, $3, 'person', $4, '2020-01-01', now(), now(), case when $5 then null else now() end)`,
    [tenantId, userId, departmentId, role, isActive],
  )
  const token = await platform.tokens.issue({ userId, tenantId, departmentId, role }, now)
  return { authorization: `Bearer ${token}` }
}

/** One of everything, in a department. */
export async function makeThings(
  service: TestService,
  { id: departmentId, call }: TestDepartment,
  asAdministrator: Record<string, string>,
): Promise<Things> {
  const make = async (path: string, body: unknown) => made(call, path, body, asAdministrator)
  const named = (what: string) => `${what} of ${departmentId}`
  const request = (changes: Record<string, unknown> = {}) =>
    create(call, {
      subject: named('Lease'),
      signatories: [{ firstName: 'Aino', lastName: departmentId, email: `aino@${departmentId}.example.com` }],
      documents: [{ title: named('Lease'), fileName: `${departmentId}.pdf`, contentBase64: pdf() }],
      ...changes,
    })
  const upload = await call('POST', `/storage/document?fileName=${departmentId}.pdf`, undefined, {
    raw: makePdf(),
    headers: { 'content-type': 'application/pdf' },
  })
  const documentUri: string = upload.json.uri
  const closedRequestId = await request()
  await forceStatus(service, closedRequestId, 'Closed')
  const sealing = await make('/sealing/sealingrequest', { subject: named('A seal') })
  const document = await make(`/sealing/sealingrequest/${sealing.id}/document`, { documentURI: documentUri })
  const template = (kind: string) => ({
    kind,
    name: named('A template'),
    fields: { subject: named('From a template') },
  })
  const subscription = {
    eventType: 'signatorysigned',
    uri: `https://hooks.example.com/${departmentId}`,
    description: named('A receiver'),
  }
  const subscriptionId = (await make('/hooks/v1/subscription', subscription)).id
  const failedRequestId = await request()
  await forceStatus(service, failedRequestId, 'Error')
  const openRequestId = await request()
  const { signatories } = (await call('GET', `/signing/signaturerequest/${openRequestId}`)).json
  const userId: string = (await make('/onboarding/user', { email: `${newId()}@${departmentId}.example.com` })).id
  const [message] = await service.database.asOwner(
    // As the worker leaves it where no mail server is configured.
    `update message set state = 'outbox' where user_id = $1 returning id`,
    [userId],
  )
  return {
    departmentId,
    draftRequestId: await request({ status: 'Draft' }),
    openRequestId,
    signatoryId: signatories[0].id,
    failedRequestId,
    messageId: String(message!.id),
    certificateId: (await make('/sealing/certificate', { generate: true })).id,
    closedRequestId,
    sealingRequestId: sealing.id,
    sealingDocumentId: document.id,
    documentUri,
    templateId: (await make('/documenttemplating/template', { name: named('Lease'), templateUri: documentUri })).id,
    signingTemplateId: (await make('/documenttemplating/requesttemplate', template('signature'))).id,
    sealingTemplateId: (await make('/documenttemplating/requesttemplate', template('sealing'))).id,
    userId,
    keyId: (await make('/onboarding/subscriptionkey', { name: named('A key') })).id,
    subscriptionId,
    deliveryId: (await make(`/hooks/v1/subscription/${subscriptionId}/test`, undefined)).id,
  }
}

async function made(call: Caller, path: string, body: unknown, headers: Record<string, string>) {
  const { status, json, text } = await call('POST', path, body, { headers })
  assert.ok(status === 200 || status === 202, `${path}: ${text}`)
  return json
}

/** Ids of the right form that nothing has. */
export function nobodysThings(): Things {
  return new Proxy({} as Things, { get: () => newId() })
}
