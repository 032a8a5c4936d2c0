// Plays one part through the public API: creates the request, and signs or declines as its people would, by the link
// and the calls of the signing page. Nobody gets a message: everybody is asked by link.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Countersign } from '#client'
import { CommandFailure } from '../command-line/command.ts'
import type { Service } from '../service-access.ts'
import type { Part } from './cast.ts'
import { writeDocument } from './write-document.ts'

const LOOK_EVERY_MS = 200
const WITHIN_MS = 60_000

export type Played = { id: string; subject: string; status: string }

/** Plays a part, and answers with what has become of the request. */
export async function act(service: Service, part: Part): Promise<Played> {
  const { countersign } = service
  const { subject, ending } = part
  const { id } = await countersign.createSignatureRequest(await payloadOf(part))
  if (typeof ending === 'object') {
    for (let index = 0; index < ending.signed; index++) await signAs(service, id, index)
    if (ending.signed === part.people.length) await untilStatus(countersign, id, 'Closed')
  }
  if (ending === 'declined') await declineAs(service, id, 0)
  if (ending === 'canceled') await countersign.cancelSignatureRequest({ id, reason: 'The terms have changed' })
  return { id, subject, status: (await countersign.readSignatureRequest({ id })).status }
}

async function payloadOf(part: Part) {
  const { subject, fileName, title, people, language, ending } = part
  return {
    subject,
    languageCode: language,
    status: ending === 'draft' ? ('Draft' as const) : ('Open' as const),
    deliveryMethods: ['Link' as const],
    signingAuthenticationStrength: 'None',
    externalReference: 'demo',
    // One after the other, as contracts usually go round.
    signatories: people.map(([firstName, lastName], index) => ({
      firstName,
      lastName,
      signatoryGroupSigningOrder: index + 1,
    })),
    documents: [{ title, fileName, contentBase64: (await writeDocument(part)).toString('base64') }],
  }
}

/** The calls of a person's browser: the session's cookie, and where the page comes from. */
type Visitor = { countersign: Countersign; options: { headers: Record<string, string> } }

async function visitAs({ url, countersign }: Service, id: string, index: number): Promise<Visitor> {
  const { signatories } = await countersign.readSignatureRequest({ id })
  const link = await countersign.getSignatoryLink({ id, signatoryId: signatories[index]!.id })
  const token = new URL(link.url).pathname.split('/').pop()!
  const headers = { origin: new URL(url).origin, 'x-countersign-sign': '1' }
  let cookie = ''
  const onResponse = (response: Response) => {
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
  }
  await countersign.exchangePersonalLinkForSession({ token }, { headers, onResponse })
  return { countersign, options: { headers: { ...headers, cookie } } }
}

async function untilPage({ countersign, options }: Visitor, states: readonly string[]) {
  return untilTrue(`the page of a signatory to be ${states.join(' or ')}`, async () => {
    const page = await countersign.readSigningPage({}, options)
    return states.includes(page.state) && (page.state !== 'ready' || page.documents !== null) ? page : undefined
  })
}

async function signAs(service: Service, id: string, index: number): Promise<void> {
  const visitor = await visitAs(service, id, index)
  const { documents } = await untilPage(visitor, ['ready'])
  const { countersign, options } = visitor
  for (const { id: documentId } of documents!) {
    await (await countersign.readDocumentToSign({ id: documentId }, options)).arrayBuffer()
  }
  await countersign.reportViewing({}, options)
  const shown = documents!.map((document) => ({ id: document.id, sha256: document.sha256 }))
  await countersign.signDocuments({ documents: shown }, options)
  await untilTrue('the signature', async () => {
    const { signatories } = await countersign.readSignatureRequest({ id })
    return signatories[index]!.state === 'Signed' ? true : undefined
  })
}

/** Declines as one of its people. */
export async function declineAs(service: Service, id: string, index: number): Promise<void> {
  const visitor = await visitAs(service, id, index)
  await untilPage(visitor, ['ready'])
  await visitor.countersign.declineToSign({ reason: 'I have taken another position' }, visitor.options)
}

function untilStatus(countersign: Countersign, id: string, status: string): Promise<true> {
  return untilTrue(`the request to be ${status}`, async () =>
    (await countersign.readSignatureRequest({ id })).status === status ? true : undefined,
  )
}

async function untilTrue<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + WITHIN_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new CommandFailure(`waited in vain for ${what}`, { fix: 'See that the worker runs: countersign doctor' })
}
