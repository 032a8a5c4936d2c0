// A request while somebody writes it: what is there, what is missing, and what is sent. Pure.
import type { CreateSignatureRequestBody } from '#client'
import type { Language } from '#i18n/languages.ts'
import type { ShownRequest } from './shown-request.ts'

export type Strength = ShownRequest['signingAuthenticationStrength']
/** One way to reach people, or both. */
export type Delivery = ShownRequest['deliveryMethods'][number] | 'Email Sms'

export type DraftDocument = { key: number; file: File; title: string }
export type DraftPerson = {
  key: number
  firstName: string
  lastName: string
  email: string
  mobilePhone: string
  areaCode: string
  personalIdentifier: string
  /** The part that they play; a signature field of this name in a document is theirs. */
  role: string
  group: number
  isMandatory: boolean
}
export type Draft = {
  documents: DraftDocument[]
  people: DraftPerson[]
  subject: string
  departmentId: string
  /** Presets what is said nowhere here, such as where signatures show. */
  templateId: string
  /** A day, as the browser's own control has it; empty for the service's default. */
  lastDay: string
  language: Language
  reading: Strength
  signing: Strength
  delivery: Delivery
  reference: string
}

let lastKey = 0

export function newPerson(group = 1): DraftPerson {
  const nobody = { firstName: '', lastName: '', email: '', mobilePhone: '' }
  return { key: ++lastKey, ...nobody, areaCode: '', personalIdentifier: '', role: '', group, isMandatory: true }
}

export function newDocument(file: File): DraftDocument {
  return { key: ++lastKey, file, title: file.name.replace(/\.[^.]*$/, '') }
}

export function newDraft({ language, departmentId }: Pick<Draft, 'language' | 'departmentId'>): Draft {
  return {
    documents: [],
    people: [newPerson()],
    subject: '',
    departmentId,
    templateId: '',
    lastDay: '',
    language,
    reading: 'None',
    signing: 'Email',
    delivery: 'Email',
    reference: '',
  }
}

/** How people are reached, and how they prove who they are. */
export type Manner = Pick<Draft, 'delivery' | 'reading' | 'signing'>

/** Which address each person must have. */
export function addressesNeeded({ delivery, reading, signing }: Manner): { email: boolean; mobilePhone: boolean } {
  const strengths: Strength[] = [reading, signing]
  return {
    email: delivery.includes('Email') || strengths.includes('Email'),
    mobilePhone: delivery.includes('Sms') || strengths.includes('Sms'),
  }
}

export function asksProvider({ reading, signing }: Manner): boolean {
  return reading === 'Strong' || signing === 'Strong'
}

/** What keeps the request from being sent, in words, in the order of the page. The service has the last word. */
export function listMissing(draft: Draft): string[] {
  const { email, mobilePhone } = addressesNeeded(draft)
  const missing: string[] = []
  if (draft.documents.length === 0) missing.push('Add at least one document.')
  if (draft.people.length === 0) missing.push('Add at least one person.')
  if (draft.people.length > 0 && !draft.people.some(({ isMandatory }) => isMandatory))
    missing.push('At least one person’s signature must be needed.')
  for (const [index, person] of draft.people.entries()) {
    const who = callPerson(person, index)
    if (email && person.email.trim() === '') missing.push(`${who} needs an e-mail address.`)
    if (mobilePhone && person.mobilePhone.trim() === '') missing.push(`${who} needs a mobile number.`)
    if (asksProvider(draft) && person.areaCode.trim() === '') missing.push(`${who} needs an identity provider.`)
  }
  if (draft.subject.trim() === '') missing.push('Say what it is about.')
  return missing
}

export function callPerson({ firstName, lastName, email, role }: DraftPerson, index: number): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email || role || `Person ${index + 1}`
}

/** The end of the day that was chosen, where the one who chose it is. */
export function endOfDay(day: string): string | undefined {
  return day === '' ? undefined : new Date(`${day}T23:59:59`).toISOString()
}

/** What is sent. The documents' contents are in the order of the draft's. */
export function toPayload(draft: Draft, status: 'Draft' | 'Open', contents: string[]): CreateSignatureRequestBody {
  const expirationDate = endOfDay(draft.lastDay)
  return {
    subject: draft.subject.trim(),
    departmentId: draft.departmentId,
    ...(draft.templateId && { signatureRequestTemplateId: draft.templateId }),
    status,
    languageCode: draft.language,
    readingAuthenticationStrength: draft.reading,
    signingAuthenticationStrength: draft.signing,
    deliveryMethods: draft.delivery.split(' '),
    ...(expirationDate && { expirationDate }),
    ...(draft.reference.trim() && { externalReference: draft.reference.trim() }),
    signatories: draft.people.map(describePerson),
    documents: draft.documents.map(({ file, title }, index) => ({
      ...given({ title }),
      fileName: file.name,
      contentBase64: contents[index]!,
    })),
  }
}

/** A person as the interface writes one. */
export function describePerson({ group, isMandatory, areaCode, role, key: _key, ...person }: DraftPerson) {
  const named = given({ ...person, authenticationAreaCode: areaCode, externalReference: role })
  return { ...named, isMandatory, signatoryGroupSigningOrder: group }
}

function given(fields: Record<string, string>): Record<string, string> {
  const trimmed = Object.entries(fields).map(([name, value]) => [name, value.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''))
}
