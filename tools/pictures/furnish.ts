// A tenant that looks as if people had worked with it: what `countersign demo` plays, and the things around it.
import type { TestService, TestTenant } from '../../test/service.ts'
import { makePdf } from '../../test/small-pdf.ts'
import { until } from '../../test/until.ts'
import { connect, type Countersign } from '#client'
import { act, declineAs, type Played } from '#main/demo/act.ts'
import { CAST, type Part } from '#main/demo/cast.ts'

export type Furnished = {
  requests: Played[]
  webhookId: string
  sealingId: string
  departmentId: string
  requestTemplateId: string
  endedLinks: EndedLinks
}

/** Personal links of requests that have gone on since. */
export type EndedLinks = { notYourTurn: string; declined: string; canceled: string; closed: string; code: string }

/** The last one waits for its second person: the signing page is shown as they would see it. */
const WAITING: Part = { ...CAST[0]!, subject: 'Lease for the office on Quay Street', ending: { signed: 1 } }

type Place = { service: TestService; tenant: TestTenant; receiverUrl: string }

/** Fills the tenant, and answers with the ids of what has a page of its own. */
export async function furnish({ service, tenant, receiverUrl }: Place): Promise<Furnished> {
  const post = async (path: string, body: unknown) => {
    const { status, json, text } = await tenant.asAdministrator('POST', path, body)
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`)
    return json
  }
  const { id: departmentId } = await post('/onboarding/department', { department: { name: 'Sales' } })
  for (const name of ['Human resources', 'Legal and compliance', 'Facilities'])
    await post('/onboarding/department', { department: { name } })
  await post('/onboarding/department', { department: { name: 'Sales Nordics', parentDepartmentId: departmentId } })
  for (const [firstName, lastName, role] of [
    ['Maria', 'Lindqvist', 'administrator'],
    ['Thomas', 'Becker', 'user'],
    ['Aino', 'Virtanen', 'user'],
  ]) {
    await post('/onboarding/user', {
      firstName,
      lastName,
      role,
      departmentId,
      email: `${firstName}@example.com`.toLowerCase(),
    })
  }
  for (const name of ['Nightly export', 'Customer portal']) await post('/onboarding/subscriptionkey', { name })
  const { id: webhookId } = await post('/hooks/v1/subscription', {
    eventType: 'signaturerequestcompleted',
    uri: receiverUrl,
  })
  const { id: requestTemplateId } = await furnishTemplates(post)
  const url = service.url
  const countersign = connect({ url, key: tenant.key })
  const requests: Played[] = []
  for (const part of [...CAST, WAITING]) requests.push(await act({ url, countersign }, part))
  const endedLinks = await furnishEndedLinks({ url, countersign })
  const sealingId = await sealOne(countersign)
  await post(`/hooks/v1/subscription/${webhookId}/test`, {})
  return { requests, webhookId, sealingId, departmentId, requestTemplateId, endedLinks }
}

/** Small requests of their own, each brought to where its page has something else to say. */
async function furnishEndedLinks({ url, countersign }: { url: string; countersign: Countersign }): Promise<EndedLinks> {
  const contentBase64 = makePdf('A lease').toString('base64')
  const ask = async (fields: Parameters<Countersign['createSignatureRequest']>[0] = {}) => {
    const { id } = await countersign.createSignatureRequest({
      subject: 'Lease of the boathouse',
      status: 'Open',
      deliveryMethods: ['Link'],
      signingAuthenticationStrength: 'None',
      signatories: [
        { firstName: 'Maria', lastName: 'Lindqvist', email: 'maria@example.com' },
        { firstName: 'Thomas', lastName: 'Becker', email: 'thomas@example.com', signatoryGroupSigningOrder: 2 },
      ],
      documents: [{ title: 'Lease', fileName: 'lease.pdf', contentBase64 }],
      ...fields,
    })
    const { signatories } = await countersign.readSignatureRequest({ id })
    const links = await Promise.all(
      signatories.map(async ({ id: signatoryId }) => {
        const link = await countersign.getSignatoryLink({ id, signatoryId })
        return new URL(link.url).pathname
      }),
    )
    return { id, links }
  }
  const [waiting, toCancel, toDecline, withCode] = [
    await ask(),
    await ask(),
    await ask(),
    await ask({ readingAuthenticationStrength: 'Email', deliveryMethods: ['Link'] }),
  ]
  await countersign.cancelSignatureRequest({ id: toCancel.id, reason: 'The terms have changed' })
  await declineAs({ url, countersign }, toDecline.id, 0)
  return {
    notYourTurn: waiting.links[1]!,
    canceled: toCancel.links[0]!,
    declined: toDecline.links[0]!,
    closed: toDecline.links[1]!,
    code: withCode.links[0]!,
  }
}

type Post = (path: string, body: unknown) => Promise<{ id: string }>

async function furnishTemplates(post: Post): Promise<{ id: string }> {
  const contentBase64 = makePdf('A lease').toString('base64')
  for (const name of ['Lease, offices', 'Employment contract', 'Non-disclosure agreement, mutual'])
    await post('/documenttemplating/template', { name, contentBase64 })
  const fields = { subject: 'Lease of an office', languageCode: 'en' }
  return post('/documenttemplating/requesttemplate', { kind: 'signature', name: 'Leases', fields })
}

async function sealOne(countersign: Countersign): Promise<string> {
  const fileName = 'annual-report.pdf'
  const content = new Uint8Array(makePdf('Annual report'))
  const { uri: documentURI } = await countersign.uploadDocument({ content, fileName })
  const { id: sealingRequestId } = await countersign.createSealingRequest({ subject: 'Annual report 2025' })
  await countersign.addDocumentToSealingRequest({ sealingRequestId, documentURI, fileName })
  await countersign.createOrChangeSealingRequest({ sealingRequestId, status: 'Open' })
  const isSealed = async () => (await countersign.readSealingRequest({ sealingRequestId })).status === 'Processed'
  await until('the seal', isSealed, { withinMs: 60_000, everyMs: 200 })
  return sealingRequestId
}
