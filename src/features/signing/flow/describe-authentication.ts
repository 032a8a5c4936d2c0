// How a person was authenticated, in words for the certificate and the evidence. A code by e-mail confirms the address;
// it is never called more than it is.
import type { Authentication } from './confirmation-statements.ts'

const WORDS = {
  None: 'Simple electronic signature. The person came by a personal link and was not authenticated further.',
  Email: 'Simple electronic signature. The person confirmed the e-mail address by a one-time code.',
  Sms: 'Electronic signature. The person confirmed the mobile phone by a one-time code.',
  Strong: 'Electronic signature. The person was authenticated by an identity provider.',
} as const

/** RFC 5280 4.2.1.4: the text of a user notice has at most 200 characters. */
const LONGEST_NOTICE = 200

/** What was really done before the signature, in one or two plain sentences. */
export function describeAuthentication({ signing }: Authentication): string {
  if (signing.identity === undefined) return WORDS[signing.strength]
  const { issuer, acr } = signing.identity
  return `${WORDS.Strong.slice(0, -1)} ${new URL(issuer).host} (${acr}).`.slice(0, LONGEST_NOTICE)
}
