// How strongly a signatory is authenticated, and how a signatory is reached: the words callers may use for it, and what
// each asks of a signatory's data.
import type { Config } from '#platform/config/config.ts'
import type { IdentityProvider } from '#platform/config/identity-providers.ts'
import { invalidArgument } from '#platform/errors.ts'
import { areaCodeUnknown, identityProviderMissing, smsGatewayMissing } from './errors.ts'

export const STRENGTHS = ['None', 'Email', 'Sms', 'Strong'] as const
export type Strength = (typeof STRENGTHS)[number]

export const DELIVERY_METHODS = ['Email', 'Sms', 'Link'] as const
export type DeliveryMethod = (typeof DELIVERY_METHODS)[number]

const STRENGTH_WORDS: ReadonlyMap<string, Strength> = new Map([
  ['none', 'None'],
  ['email', 'Email'],
  ['low', 'Email'],
  ['basic', 'Email'],
  ['weak', 'Email'],
  ['sms', 'Sms'],
  ['medium', 'Sms'],
  ['substantial', 'Sms'],
  ['strong', 'Strong'],
  ['high', 'Strong'],
  ['eid', 'Strong'],
])

/** The strength that a caller's word stands for, whatever its case. */
export function readStrength(word: string, field: string): Strength {
  const strength = STRENGTH_WORDS.get(word.toLowerCase())
  if (strength) return strength
  throw invalidArgument(
    field,
    'must be None, Email (or Low, Basic, Weak), Sms (or Medium, Substantial) or Strong (or High, Eid)',
  )
}

export type Gateways = Pick<Config, 'mail' | 'sms' | 'identityProviders'>

type Strengths = { readingStrength: Strength; signingStrength: Strength }

/** Passes where everybody can be authenticated as strongly as asked. It is never done more weakly. */
export function requireProviders(
  { readingStrength, signingStrength, signatories }: Strengths & { signatories: readonly Located[] },
  { identityProviders }: Gateways,
): void {
  if (readingStrength !== 'Strong' && signingStrength !== 'Strong') return
  if (identityProviders.size === 0) {
    const asked = readingStrength === 'Strong' ? 'reading' : 'signing'
    throw identityProviderMissing(`${asked}AuthenticationStrength`)
  }
  for (const [index, { authenticationAreaCode: areaCode }] of signatories.entries()) {
    if (areaCode === null || findProvider({ identityProviders }, areaCode) !== undefined) continue
    throw areaCodeUnknown(`signatories[${index}].authenticationAreaCode`, [...identityProviders.keys()])
  }
}

type Located = { authenticationAreaCode: string | null }

/** How people can be authenticated and reached in this installation; what is not named here is refused at creation. */
export function listChoices({ mail, sms, identityProviders }: Gateways) {
  const hasSms = mail === undefined || sms !== undefined
  const isOffered = (word: Strength | DeliveryMethod) =>
    (word !== 'Sms' || hasSms) && (word !== 'Strong' || identityProviders.size > 0)
  return {
    strengths: STRENGTHS.filter(isOffered),
    deliveryMethods: DELIVERY_METHODS.filter(isOffered),
    areaCodes: [...identityProviders.keys()].sort(),
  }
}

/** Who authenticates the people of an area, whatever the case of its code. */
export function findProvider(
  { identityProviders }: Pick<Config, 'identityProviders'>,
  areaCode: string,
): IdentityProvider | undefined {
  return identityProviders.get(areaCode.toLowerCase())
}

type Messaging = Strengths & { deliveryMethods: readonly DeliveryMethod[] }

/** Passes where people can be reached as asked. Without any gateway everything goes to the outbox, text messages too. */
export function requireGateway(
  { readingStrength, signingStrength, deliveryMethods }: Messaging,
  { mail, sms }: Gateways,
): void {
  if (mail === undefined || sms !== undefined) return
  if (readingStrength === 'Sms') throw smsGatewayMissing('readingAuthenticationStrength')
  if (signingStrength === 'Sms') throw smsGatewayMissing('signingAuthenticationStrength')
  const index = deliveryMethods.indexOf('Sms')
  if (index >= 0) throw smsGatewayMissing(`deliveryMethods[${index}]`)
}

/** The canonical methods, each once; nobody named any: e-mail. */
export function readDeliveryMethods(words: readonly string[] | undefined): DeliveryMethod[] {
  if (words === undefined || words.length === 0) return ['Email']
  return [...new Set(words.map((word, index) => readDeliveryMethod(word, `deliveryMethods[${index}]`)))]
}

function readDeliveryMethod(word: string, field: string): DeliveryMethod {
  const method = DELIVERY_METHODS.find((candidate) => candidate.toLowerCase() === word.toLowerCase())
  if (!method) throw invalidArgument(field, `must be one of ${DELIVERY_METHODS.join(', ')}`)
  return method
}
