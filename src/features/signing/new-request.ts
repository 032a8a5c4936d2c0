// A request before it is made, as whoever checked it hands it over.
import type { Caller } from '#platform/auth/caller.ts'
import type { Platform } from '#platform/platform.ts'
import type { DeliveryMethod, Strength } from './authentication.ts'

/** Where a signatory's mark shows: in points from the top left of a page; pages count from 1, the rest from 0. */
export type Placement = {
  documentIndex: number
  signatoryIndex: number
  page: number
  x: number
  y: number
  width: number
  height: number
}

export type NewSignatory = {
  firstName: string | null
  lastName: string | null
  email: string | null
  mobilePhone: string | null
  isMandatory: boolean
  authenticationAreaCode: string | null
  personalIdentifier: string | null
  signingOrder: number
  externalReference: string | null
}

export type NewSignatureDocument = {
  title: string | null
  fileName: string
  documentTypeId: string | null
  externalReference: string | null
  contentType: string
  /** The document as it was given: a blob that is committed already. */
  content: Content
  /** What is signed instead, where the document had to be written anew; committed as well. */
  repaired: (Content & { writtenBy: string }) | undefined
  /** Scripts and the like that were let through. */
  activeContent: readonly string[]
}

type Content = { sha256: string; sizeBytes: number }

/** A request that has been checked: what is Open can be opened, and every id in it points at something. */
export type NewRequest = {
  id: string
  departmentId: string
  creatorId: string
  templateId: string | null
  subject: string
  status: 'Draft' | 'Open'
  languageCode: string | null
  readingStrength: Strength
  signingStrength: Strength
  externalReference: string | null
  expirationAt: Date | null
  deliveryMethods: DeliveryMethod[]
  placements: Placement[] | null
  signatories: NewSignatory[]
  documents: NewSignatureDocument[]
  /** Of the call that makes it. */
  fingerprint: Buffer
}

/** What opening needs of the process it happens in. */
export type Opening = Pick<Platform, 'keyring' | 'config' | 'db' | 'log'>

export type CreateRequest = {
  caller: Caller
  request: NewRequest
  /** Whether somebody chose its id, who may have chosen it before. */
  isIdChosen: boolean
  platform: Opening
  now: Date
}
