// What a delivery says. Written once for each event and subscription, stored, and sent as it is on every try.
import { EVENT_KINDS, type EventType } from './event-kinds.ts'

export type EventFacts = {
  type: EventType
  at: Date
  tenantId: string
  departmentId: string
  requestId: string
  signatoryId: string | null
  /** The event's own data; nothing once a person's data were erased. */
  data: Record<string, unknown>
}

/** The JSON of a delivery, byte by byte. */
export function writePayload(event: EventFacts): string {
  return JSON.stringify(describePayload(event))
}

/** What a delivery holds: the interface's fields, in the interface's capitals, and nothing else. */
export function describePayload(event: EventFacts) {
  const EventData = Object.fromEntries(
    Object.keys(EVENT_KINDS[event.type].data).map((name) => [name, field(name, event)]),
  )
  return { EventType: event.type, Timestamp: event.at.toISOString(), EventData }
}

function field(name: string, { requestId, tenantId, departmentId, signatoryId, data }: EventFacts): unknown {
  switch (name) {
    case 'SignatureRequestId':
    case 'SealingRequestId':
    case 'SubscriptionId':
      return requestId
    case 'SignatoryId':
      return signatoryId
    case 'TenantId':
      return tenantId
    case 'DepartmentId':
      return departmentId
    case 'CreatorId':
      return data.creatorId ?? null
    case 'Status':
      return data.status ?? null
    case 'PreviousStatus':
      return data.previousStatus ?? null
    default:
      throw new Error(`nothing is known about the field ${name}`)
  }
}
