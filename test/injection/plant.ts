// Puts hostile words into every field that somebody else will read, through the API, as a caller would.
import assert from 'node:assert/strict'
import { makeCaller, PASSWORD, type TestService, type TestTenant } from '../service.ts'
import { create } from '../signature-requests.ts'
import { makePdf } from '../small-pdf.ts'
import { linkOf, invite, openLink, untilStatus } from '../signing-flow.ts'
import { wordsOf } from './payloads.ts'

/** Every field that takes words. Each row of things has another group of words in each of them. */
const FIELDS = [
  'subject of a request',
  'reference of a request',
  'title of a document',
  'name of a file',
  'reference of a document',
  'first name of a signatory',
  'last name of a signatory',
  'reference of a signatory',
  'reason for canceling',
  'reason for declining',
  'title in a PDF',
  'author in a PDF',
  'subject of a sealing request',
  'name of a department',
  'short name of a department',
  'name of the organisation',
  'first name of a user',
  'last name of a user',
  'name of a key',
  'name of a document template',
  'name of a request template',
  'words of a request template',
  'address of a webhook',
  'description of a webhook',
  'key of metadata',
  'value of metadata',
  'program of a browser',
] as const

export const FIELD_COUNT = FIELDS.length

type Field = (typeof FIELDS)[number]

/** What one row of things can be found by. */
export type Row = {
  request: string
  signatoryIds: string[]
  draft: string
  canceled: string
  declined: string
  /** Links of those whose request has ended. */
  endedLinks: string[]
  sealing: string
  department: string
  requestTemplate: string
  hook: string
}

/** Makes one of everything, with the words that are its turn. */
export async function plantRow(service: TestService, tenant: TestTenant, row: number): Promise<Row> {
  const words = (field: Field) => wordsOf(row + FIELDS.indexOf(field))
  const post = makePost(tenant)
  const renamed = await tenant.asAdministrator('PATCH', '/onboarding/tenant', {
    name: words('name of the organisation'),
  })
  assert.equal(renamed.status, 200, renamed.text)
  const department = await post('/onboarding/department', {
    department: { name: words('name of a department'), shortName: words('short name of a department') },
  })
  const document = {
    title: words('title of a document'),
    fileName: inFileName(words('name of a file')),
    externalReference: words('reference of a document'),
    contentBase64: pdfWith(words('title in a PDF'), words('author in a PDF')),
  }
  const person = {
    firstName: words('first name of a signatory'),
    lastName: words('last name of a signatory'),
    externalReference: words('reference of a signatory'),
  }
  const wanted = {
    subject: words('subject of a request'),
    externalReference: words('reference of a request'),
    departmentId: department,
    documents: [document],
    signatories: [
      { ...person, email: `one-${row}@example.com` },
      { ...person, email: `two-${row}@example.com`, signatoryGroupSigningOrder: 2 },
    ],
  }
  const { requestId: request, signatoryIds } = await invite(tenant, wanted)
  await describeRequest(tenant, request, { key: words('key of metadata'), value: words('value of metadata') })
  const ended = await endTwo(service, tenant, wanted, {
    canceling: words('reason for canceling'),
    declining: words('reason for declining'),
  })
  const draft = await create(tenant.call, { ...wanted, status: 'Draft' })
  const sealing = await post('/sealing/sealingrequest', {
    subject: words('subject of a sealing request'),
    externalReference: words('reference of a request'),
    documents: [document],
  })
  const user = { firstName: words('first name of a user'), lastName: words('last name of a user') }
  await post('/onboarding/user', { ...user, email: `user-${row}@example.com`, departmentId: department })
  await post('/onboarding/subscriptionkey', { name: words('name of a key') })
  const template = words('name of a document template')
  const file = { contentBase64: document.contentBase64, fileName: document.fileName }
  await post('/documenttemplating/template', { name: template, ...file })
  const filled = words('words of a request template')
  const requestTemplate = await post('/documenttemplating/requesttemplate', {
    kind: 'signature',
    name: words('name of a request template'),
    fields: { subject: filled, signatories: [{ firstName: filled, lastName: filled }] },
  })
  const hook = await post('/hooks/v1/subscription', {
    eventType: 'signatorysigned',
    uri: `https://hooks.example.com/?at=${encodeURIComponent(words('address of a webhook'))}`,
    description: words('description of a webhook'),
  })
  await enterWith(service, tenant, inHeader(words('program of a browser')))
  return { request, signatoryIds, draft, ...ended, sealing, department, requestTemplate, hook }
}

function makePost({ asAdministrator }: TestTenant) {
  return async (path: string, body: unknown): Promise<string> => {
    const { status, json, text } = await asAdministrator('POST', path, body)
    assert.ok(status < 300, `${path}: ${text}`)
    return json.id
  }
}

async function describeRequest({ call }: TestTenant, requestId: string, entry: { key: string; value: string }) {
  const { status, text } = await call('PUT', `/metadata/list/SignatureRequest/${requestId}`, { metadata: [entry] })
  assert.ok(status < 300, text)
}

type Reasons = { canceling: string; declining: string }

/** One request that its sender canceled and one that a signatory declined. */
async function endTwo(service: TestService, tenant: TestTenant, wanted: object, reasons: Reasons) {
  const both = await Promise.all([invite(tenant, { ...wanted }), invite(tenant, { ...wanted })])
  const [first, second] = both
  const endedLinks = await Promise.all(both.map((one) => linkOf(tenant, one.requestId, one.signatoryIds[0]!)))
  const body = { reason: reasons.canceling }
  const canceled = await tenant.call('POST', `/signing/signaturerequest/${first.requestId}/cancel`, body)
  assert.equal(canceled.status, 200, canceled.text)
  const browser = await openLink(service, tenant, second.requestId, second.signatoryIds[0]!)
  await browser.pageIn('ready')
  const declined = await browser.post('/sign/api/decline', { reason: reasons.declining })
  assert.ok(declined.status < 300, declined.text)
  await untilStatus(tenant, second.requestId, 'Canceled')
  return { canceled: first.requestId, declined: second.requestId, endedLinks }
}

/** A session of the administrator in a browser that calls itself so. */
async function enterWith({ url }: TestService, tenant: TestTenant, agent: string): Promise<void> {
  const call = makeCaller(url, { origin: url, 'x-countersign-console': '1', 'user-agent': agent })
  const { status, text } = await call('POST', '/console/session', {
    login: tenant.administratorEmail,
    password: PASSWORD,
  })
  assert.equal(status, 200, text)
}

/** File names have neither separators nor control characters; that they are refused is told elsewhere. */
const inFileName = (words: string) => words.replaceAll(/[/\\\u0000-\u001f\u007f]/g, '')

/** What can stand in a header at all. */
const inHeader = (words: string) => words.replaceAll(/[^\x20-\x7e]/g, '')

/** A document that says about itself what it should not. */
function pdfWith(title: string, author: string): string {
  const escape = (words: string) => inHeader(words).replaceAll(/[\\()]/g, '\\$&')
  const about = `/Info << /Title (${escape(title)}) /Author (${escape(author)}) >>`
  const file = makePdf('Read me').toString('latin1')
  return Buffer.from(
    file.replace('trailer\n<<', () => `trailer\n<< ${about}`),
    'latin1',
  ).toString('base64')
}
