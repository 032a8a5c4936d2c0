// What is fuzzed: the real service on a real database, with a second tenant whose things must never come to light.
import { signedIn } from '../console-browser.ts'
import { makePlace, type Things } from '../contract/world.ts'
import { PASSWORD, startService, type TestService, type TestTenant } from '../service.ts'
import { invite, linkOf, openLink } from '../signing-flow.ts'
import type { Credentials, Signatory } from './run.ts'

export type Target = {
  service: TestService
  makeCredentials: () => Promise<Credentials>
  makeSignatory: () => Promise<Signatory>
  strangers: string[]
  secrets: string[]
}

export async function makeTarget(): Promise<Target> {
  const service = await startService({
    COUNTERSIGN_RATE_LIMIT: '100000000',
    COUNTERSIGN_INVITATIONS_PER_DAY: '1000000000',
    COUNTERSIGN_TRUST_PROXY: '127.0.0.1',
  })
  const other = await service.createTenant('Other')
  const { things } = await makePlace(service, other, 'Abroad')
  return {
    service,
    strangers: Object.values(things),
    secrets: [other.tenantId, other.administratorEmail],
    makeSignatory: signatoriesOf(service, await service.createTenant('Senders')),
    async makeCredentials() {
      const tenant = await service.createTenant()
      const place = await makePlace(service, tenant, 'Sales')
      const person: Credentials['own'] = [
        ['tenantId', tenant.tenantId],
        ['login', tenant.administratorEmail],
        ['password', PASSWORD],
      ]
      const own = [...namesOf(place.things), ...person, ...PUBLISHED]
      return logIn(service, tenant, own)
    },
  }
}

/** Where the parts of the log lie that everybody may read. */
const PUBLISHED: Credentials['own'] = [
  ['level', '0'],
  ['a', '000'],
  ['b', '000'],
  ['c', '000'],
  ['d', '000'],
]

let signIns = 0

/** Or the bound for one address would refuse most of them. */
const addressOfTheirOwn = () => `198.19.${(++signIns >> 8) & 255}.${signIns & 255}`

async function logIn(service: TestService, tenant: TestTenant, own: Credentials['own']): Promise<Credentials> {
  const { key, tenantId, administratorId: userId, rootDepartmentId: departmentId } = tenant
  const claims = { userId, tenantId, departmentId, role: 'administrator' }
  const token = await service.platform.tokens.issue(claims, service.clock.now())
  const { cookie } = await signedIn(service.url, tenant.administratorEmail, PASSWORD, addressOfTheirOwn())
  return {
    key,
    authorization: `Bearer ${token}`,
    console: { cookie: cookie!, origin: service.url, 'x-countersign-console': '1' },
    own,
    renew: () => logIn(service, tenant, own),
  }
}

const AT_ONCE = 30

/** People who are asked to sign. None of them is needed, so that one who declines leaves the others their turn. */
function signatoriesOf(service: TestService, tenant: TestTenant): Target['makeSignatory'] {
  const waiting: { requestId: string; signatoryId: string }[] = []

  async function inviteMore(): Promise<void> {
    const worker = service.startWorker()
    try {
      const optional = Array.from({ length: AT_ONCE }, (_, n) => ({ firstName: `Person ${n}`, isMandatory: false }))
      const signatories = [...optional, { firstName: 'Needed', isMandatory: true }]
      const { requestId, signatoryIds } = await invite(tenant, { signatories, deliveryMethods: ['Link'] })
      waiting.push(...signatoryIds.slice(0, AT_ONCE).map((signatoryId) => ({ requestId, signatoryId })))
    } finally {
      await worker.stop()
    }
  }

  return async () => {
    if (waiting.length === 0) await inviteMore()
    const { requestId, signatoryId } = waiting.pop()!
    const browser = await openLink(service, tenant, requestId, signatoryId)
    const token = new URL(await linkOf(tenant, requestId, signatoryId)).pathname.split('/').pop()!
    const [shown] = (await browser.page()).documents
    return {
      headers: { cookie: browser.cookie!, origin: service.url, 'x-countersign-sign': '1' },
      own: [
        ['token', token],
        ['signatoryId', signatoryId],
        ['document', shown.id],
        ['shown', shown.id],
        ['sha256', shown.sha256],
      ],
    }
  }
}

/** Things under the names that requests know them by. */
function namesOf(things: Things): [name: string, id: string][] {
  return [
    ['departmentId', things.departmentId],
    ['signaturerequest', things.draftRequestId],
    ['signaturerequest', things.openRequestId],
    ['signaturerequest', things.closedRequestId],
    ['sealingrequest', things.sealingRequestId],
    ['document', things.sealingDocumentId],
    ['uri', things.documentUri],
    ['template', things.templateId],
    ['requesttemplate', things.signingTemplateId],
    ['requesttemplate', things.sealingTemplateId],
    ['user', things.userId],
    ['creatorId', things.userId],
    ['subscriptionkey', things.keyId],
    ['subscription', things.subscriptionId],
    ['signatoryId', things.signatoryId],
    ['deliveryId', things.deliveryId],
    ['messageId', things.messageId],
    ['certificate', things.certificateId],
  ]
}
