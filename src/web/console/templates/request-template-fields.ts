// What a request template presets, between the form and the service. Fields that the form does not know stay as they are.
import type { RequestTemplate } from '#client'
import { readPeople } from '../requests/apply-template.ts'
import { describePerson, type DraftPerson, type Manner } from '../requests/draft.ts'

export type Kind = RequestTemplate['kind']

export const KINDS = [
  ['signature', 'Signature requests'],
  ['sealing', 'Sealing requests'],
] as const

export const STRENGTHS = [
  ['', 'As the request says'],
  ['None', 'Nothing'],
  ['Email', 'A code by e-mail'],
  ['Sms', 'A code by text message'],
  ['Strong', 'An identity provider'],
] as const

export const DELIVERIES = [
  ['', 'As the request says'],
  ['Email', 'By e-mail'],
  ['Sms', 'By text message'],
  ['Email Sms', 'By e-mail and text message'],
  ['Link', 'Not at all: we hand the link over'],
] as const

export type Strength = (typeof STRENGTHS)[number][0]
export type Delivery = (typeof DELIVERIES)[number][0]

/** In points from the top left; documents and signatories count from 0, pages from 1. */
export type Placement = {
  documentIndex: number
  signatoryIndex: number
  page: number
  x: number
  y: number
  width: number
  height: number
}

export type TemplateForm = {
  name: string
  kind: Kind
  departmentId: string
  subject: string
  languageCode: string
  readingAuthenticationStrength: Strength
  signingAuthenticationStrength: Strength
  delivery: Delivery
  people: DraftPerson[]
  placements: Placement[]
  /** Everything else that the template presets. */
  others: Record<string, unknown>
}

const KNOWN = [
  'subject',
  'languageCode',
  'readingAuthenticationStrength',
  'signingAuthenticationStrength',
  'deliveryMethods',
  'signatories',
  'placements',
]

export const emptyForm = (departmentId: string): TemplateForm => ({
  name: '',
  kind: 'signature',
  departmentId,
  subject: '',
  languageCode: '',
  readingAuthenticationStrength: '',
  signingAuthenticationStrength: '',
  delivery: '',
  people: [],
  placements: [],
  others: {},
})

/** The form of a template that is there. */
export function readForm({ name, kind, departmentId, fields }: RequestTemplate): TemplateForm {
  return {
    name,
    kind,
    departmentId,
    subject: textOf(fields['subject']),
    languageCode: textOf(fields['languageCode']),
    readingAuthenticationStrength: textOf(fields['readingAuthenticationStrength']) as Strength,
    signingAuthenticationStrength: textOf(fields['signingAuthenticationStrength']) as Strength,
    delivery: ((fields['deliveryMethods'] as string[] | undefined) ?? []).join(' ') as Delivery,
    people: readPeople(fields),
    placements: readPlacements(fields),
    others: Object.fromEntries(Object.entries(fields).filter(([field]) => !KNOWN.includes(field))),
  }
}

export function readPlacements(fields: Record<string, unknown>): Placement[] {
  return Array.isArray(fields['placements']) ? (fields['placements'] as Placement[]) : []
}

/** What the service is told. Empty fields preset nothing. */
export function writeFields(form: TemplateForm): Record<string, unknown> {
  const { subject, languageCode, others } = form
  const words = { ...(subject.trim() && { subject: subject.trim() }), ...(languageCode.trim() && { languageCode }) }
  if (form.kind === 'sealing') return { ...others, ...words }
  const { readingAuthenticationStrength, signingAuthenticationStrength, delivery, people, placements } = form
  return {
    ...others,
    ...words,
    ...(readingAuthenticationStrength && { readingAuthenticationStrength }),
    ...(signingAuthenticationStrength && { signingAuthenticationStrength }),
    ...(delivery && { deliveryMethods: delivery.split(' ') }),
    ...(people.length > 0 && { signatories: people.map(describePerson) }),
    ...(placements.length > 0 && { placements }),
  }
}

/** Which of a person's fields matter, by what the template says about how people are reached and authenticated. */
export function mannerOf(form: TemplateForm): Manner {
  const { delivery, readingAuthenticationStrength: reading, signingAuthenticationStrength: signing } = form
  return { delivery: delivery || 'Email', reading: reading || 'None', signing: signing || 'Email' }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
