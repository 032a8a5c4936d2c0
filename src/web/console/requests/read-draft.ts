import { service } from '../service.ts'
import { nearestLanguage } from '#i18n/languages.ts'
import { newDocument, newPerson, type Delivery, type Draft, type DraftPerson } from './draft.ts'
import type { ShownRequest } from './shown-request.ts'

/** What stands in a draft, as the form has it: with its documents, which are fetched. */
export async function readDraft(id: string): Promise<Draft> {
  const request = await service.readSignatureRequest({ id })
  const documents = await Promise.all(request.documents.map(readDocument))
  const people = request.signatories.map(readPerson)
  return {
    documents,
    people: people.length > 0 ? people : [newPerson()],
    subject: request.subject,
    departmentId: request.departmentId,
    templateId: request.signatureRequestTemplateId ?? '',
    lastDay: request.expirationDate === null ? '' : dayOf(request.expirationDate),
    language: nearestLanguage(request.languageCode ?? navigator.language),
    reading: request.readingAuthenticationStrength,
    signing: request.signingAuthenticationStrength,
    delivery: request.deliveryMethods.toSorted().join(' ') as Delivery,
    reference: request.externalReference ?? '',
  }
}

async function readDocument({ sourceDocumentURI, fileName, title }: ShownRequest['documents'][number]) {
  const answer = await service.downloadStoredDocument({ uri: sourceDocumentURI })
  if (answer === undefined) throw new Error(`${fileName} is not there any more.`)
  const file = new File([await answer.blob()], fileName, { type: 'application/pdf' })
  return { ...newDocument(file), title: title ?? '' }
}

function readPerson(signatory: ShownRequest['signatories'][number]): DraftPerson {
  return {
    ...newPerson(signatory.signatoryGroupSigningOrder),
    firstName: signatory.firstName ?? '',
    lastName: signatory.lastName ?? '',
    email: signatory.email ?? '',
    mobilePhone: signatory.mobilePhone ?? '',
    areaCode: signatory.authenticationAreaCode ?? '',
    personalIdentifier: signatory.personalIdentifier ?? '',
    role: signatory.externalReference ?? '',
    isMandatory: signatory.isMandatory,
  }
}

/** The day on which a moment falls, where the reader is. */
function dayOf(moment: string): string {
  const at = new Date(moment)
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
}
