// Reads. Those of signature requests are kept: what a reader has seen never goes back, and no answer is half of one
// state and half of another.
import { createHash } from 'node:crypto'
import { routes } from '#main/routes.ts'
import { routeName } from '#platform/http/route.ts'
import type { Observation, Thing } from '../ledger.ts'
import { idOf, type Ask, type Client } from './client.ts'

const READ = 'GET /signing/signaturerequest/:id'

/** Reads one of the client's requests and keeps what was seen. */
export async function observe(client: Client, id: string): Promise<Observation | undefined> {
  const reply = await client.call(READ, { params: { id } })
  if (reply?.status !== 200) return undefined
  const { status, signatories, documents } = reply.json
  const seen: Observation = { tenantId: client.tenant.tenantId, requestId: id, status, signatories, documents }
  client.ledger.observations.push(seen)
  return seen
}

export async function readRequest(client: Client): Promise<void> {
  const thing = anyRequest(client)
  if (thing) await observe(client, idOf(thing))
}

/** Downloads the latest revision of a document; the bytes behind a uri never change. */
export async function downloadDocument(client: Client): Promise<void> {
  const thing = anyRequest(client)
  const reply = thing && (await client.call(READ, { params: { id: idOf(thing) } }))
  const uri: string | undefined = reply?.json?.documents?.[0]?.documentURI
  if (uri === undefined) return
  const operation = 'GET /storage/document/:uri'
  const { tenantId, key } = client.tenant
  const headers = { 'ocp-apim-subscription-key': key }
  const response = await fetch(`${client.url}/storage/document/${uri}`, { headers }).catch(() => undefined)
  const bytes = response?.status === 200 && (await response.arrayBuffer().catch(() => undefined))
  const calls = client.ledger.calls.get(operation) ?? { answered: 0, unknown: 0 }
  client.ledger.calls.set(operation, calls)
  if (!bytes) return void calls.unknown++
  calls.answered++
  const sha256 = createHash('sha256').update(Buffer.from(bytes)).digest('hex')
  client.ledger.downloads.push({ tenantId, uri, sha256 })
}

function anyRequest(client: Client): Thing | undefined {
  return client.pick(client.random.pick(['open', 'finished', 'drafts'] as const))
}

/** Which things the parameters of other reads are taken from. Routes with others are read by steps of their own. */
const PARAMETERS: Record<string, (client: Client) => Record<string, string> | undefined> = {
  'GET /signing/signaturerequest/:id/evidence': ofRequest('id'),
  'GET /event/signaturerequest/:signatureRequestId': ofRequest('signatureRequestId'),
  'GET /event/signaturerequest/:signatureRequestId/proof': ofRequest('signatureRequestId'),
  'GET /event/signaturerequest/:signatureRequestId/verification': ofRequest('signatureRequestId'),
  'GET /sealing/sealingrequest/:sealingRequestId': of('sealing', 'sealingRequestId'),
  'GET /sealing/sealingrequest/:sealingRequestId/document': of('sealing', 'sealingRequestId'),
  'GET /onboarding/department/:id': of('departments', 'id'),
  'GET /user/profile/:id': of('users', 'id'),
  'GET /documenttemplating/requesttemplate/:id': of('requestTemplates', 'id'),
  'GET /hooks/v1/subscription/:subscriptionId': of('subscriptions', 'subscriptionId'),
  'GET /hooks/v1/subscription/:subscriptionId/delivery': of('subscriptions', 'subscriptionId'),
  'GET /metadata/:entityType/:entityId': (client) => {
    const thing = anyRequest(client)
    return thing && { entityType: 'SignatureRequest', entityId: idOf(thing) }
  },
}

function ofRequest(parameter: string) {
  return (client: Client) => {
    const thing = anyRequest(client)
    return thing && { [parameter]: idOf(thing) }
  }
}

function of(kind: 'sealing' | 'departments' | 'users' | 'requestTemplates' | 'subscriptions', parameter: string) {
  return (client: Client) => {
    const thing = client.pick(kind)
    return thing && { [parameter]: idOf(thing) }
  }
}

/** Every other read: those without parameters, and those whose parameters are known above. A stream has no end. */
export const READS: readonly string[] = routes
  .map(routeName)
  .filter((name) => name.startsWith('GET ') && name !== 'GET /event/stream')
  .filter((name) => !name.includes(':') || PARAMETERS[name] !== undefined)
  .filter((name) => !name.startsWith('GET /sign/') && name !== READ)

const mayRefuse = [
  'InvalidOperation',
  'InvalidArgument',
  'EntityNotFound',
  'AuthenticationError',
  'AuthorizationError',
] as const

/** Reads anything at all. What was refused is no matter here; that the answer is the tenant's own is looked at. */
export async function readAnything(client: Client): Promise<void> {
  const operation = client.random.pick(READS)
  const params = PARAMETERS[operation]?.(client) ?? {}
  if (operation.includes(':') && Object.keys(params).length === 0) return
  const ask: Ask = { params, as: 'administrator', mayRefuse }
  await client.call(operation, ask)
}
