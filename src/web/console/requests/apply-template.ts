// What a request template presets becomes what stands in the form, where people see and change it. Pure.
import type { RequestTemplate } from '#client'
import { nearestLanguage } from '#i18n/languages.ts'
import { newPerson, type Delivery, type Draft, type DraftPerson, type Strength } from './draft.ts'

type Fields = RequestTemplate['fields']

const STRENGTHS: readonly Strength[] = ['None', 'Email', 'Sms', 'Strong']
const DELIVERIES: readonly Delivery[] = ['Email', 'Sms', 'Email Sms', 'Link']

/** The draft with the template's presets in place; what the template does not say stays as it is. */
export function applyTemplate(draft: Draft, { id, fields }: Pick<RequestTemplate, 'id' | 'fields'>): Draft {
  const language = textOf(fields, 'languageCode')
  const people = readPeople(fields)
  return {
    ...draft,
    templateId: id,
    subject: textOf(fields, 'subject') || draft.subject,
    departmentId: textOf(fields, 'departmentId') || draft.departmentId,
    reference: textOf(fields, 'externalReference') || draft.reference,
    language: language ? nearestLanguage(language) : draft.language,
    reading: oneOf(STRENGTHS, textOf(fields, 'readingAuthenticationStrength')) ?? draft.reading,
    signing: oneOf(STRENGTHS, textOf(fields, 'signingAuthenticationStrength')) ?? draft.signing,
    delivery: oneOf(DELIVERIES, readDelivery(fields)) ?? draft.delivery,
    people: people.length > 0 ? people : draft.people,
  }
}

function readDelivery(fields: Fields): string {
  const methods = fields['deliveryMethods']
  return Array.isArray(methods) ? methods.toSorted().join(' ') : ''
}

/** The people that a template presets. */
export function readPeople(fields: Fields): DraftPerson[] {
  const signatories = fields['signatories']
  return Array.isArray(signatories) ? signatories.map((signatory) => readPerson(signatory as Fields)) : []
}

function readPerson(signatory: Fields): DraftPerson {
  const { signatoryGroupSigningOrder: group, isMandatory } = signatory
  return {
    ...newPerson(typeof group === 'number' ? group : 1),
    firstName: textOf(signatory, 'firstName'),
    lastName: textOf(signatory, 'lastName'),
    email: textOf(signatory, 'email'),
    mobilePhone: textOf(signatory, 'mobilePhone'),
    areaCode: textOf(signatory, 'authenticationAreaCode'),
    personalIdentifier: textOf(signatory, 'personalIdentifier'),
    role: textOf(signatory, 'externalReference'),
    isMandatory: isMandatory !== false,
  }
}

function oneOf<T extends string>(words: readonly T[], word: string): T | undefined {
  return words.find((candidate) => candidate === word)
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
