// How a person was authenticated, in words for the certificate and the evidence. A code by e-mail confirms the address;
// it is never called more than it is.
import type { Authentication } from './confirmation-statements.ts'

const WORDS = {
  None: 'Simple electronic signature. The person came by a personal link and was not authenticated further.',
  Email: 'Simple electronic signature. The person confirmed the e-mail address by a one-time code.',
  Sms: 'Electronic signature. The person confirmed the mobile phone by a one-time code.',
  Strong: 'Electronic signature. The person was authenticated by an identity provider.',
} as const

/** What was really done before the signature, in one or two plain sentences. */
export function describeAuthentication({ signing }: Authentication): string {
  return WORDS[signing.strength]
}
