// What a request must have before signatories can be asked. A Draft may lack any of it.
import type { DeliveryMethod, Strength } from './authentication.ts'

export const DEFAULT_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

export type Openable = {
  readingStrength: Strength
  signingStrength: Strength
  deliveryMethods: readonly DeliveryMethod[]
  expirationAt: Date | null
  signatories: readonly {
    email: string | null
    mobilePhone: string | null
    authenticationAreaCode: string | null
    isMandatory: boolean
  }[]
  documentCount: number
}

/** A field that stands in the way, and what would be right. */
export type Gap = { field: string; expected: string }

/** The first thing that keeps the request from being opened; undefined where nothing does. */
export function findGap(request: Openable, now: Date): Gap | undefined {
  const { signatories, documentCount, expirationAt } = request
  if (documentCount === 0) return { field: 'documents', expected: 'must have at least one document to be opened' }
  if (signatories.length === 0) {
    return { field: 'signatories', expected: 'must have at least one signatory to be opened' }
  }
  if (!signatories.some((signatory) => signatory.isMandatory)) {
    return { field: 'signatories', expected: 'must have at least one signatory with isMandatory to be opened' }
  }
  if (expirationAt && expirationAt <= now) return { field: 'expirationDate', expected: 'must lie ahead' }
  return findMissingAddress(request)
}

/** How many people it asks by a message; the link alone is handed over by the caller. */
export function countAsked({
  deliveryMethods,
  signatories,
}: {
  deliveryMethods: readonly DeliveryMethod[]
  signatories: readonly unknown[]
}): number {
  return deliveryMethods.some((method) => method !== 'Link') ? signatories.length : 0
}

function findMissingAddress(request: Openable): Gap | undefined {
  const reasons = [request.readingStrength, request.signingStrength, ...request.deliveryMethods]
  const needsEmail = reasons.includes('Email')
  const needsPhone = reasons.includes('Sms')
  const needsAreaCode = reasons.includes('Strong')
  for (const [index, { email, mobilePhone, authenticationAreaCode }] of request.signatories.entries()) {
    const field = `signatories[${index}]`
    if (needsEmail && email === null) {
      return { field: `${field}.email`, expected: 'is required: invitations or codes go out by e-mail' }
    }
    if (needsPhone && mobilePhone === null) {
      return { field: `${field}.mobilePhone`, expected: 'is required: invitations or codes go out by SMS' }
    }
    if (needsAreaCode && authenticationAreaCode === null) {
      return { field: `${field}.authenticationAreaCode`, expected: 'is required: it chooses the identity provider' }
    }
  }
  return undefined
}
