// Name constraints (RFC 5280 4.2.1.10): within which names an authority may issue. Directory names, e-mail addresses
// and host names are understood. A constraint of another kind is met only by certificates without names of that kind.
import type { Certificate } from './certificate.ts'
import { contextTag, TAG } from './der.ts'
import { readDer, type DerNode } from './der-reader.ts'
import { unsupported } from './errors.ts'
import { isNameWithin, readName } from './names.ts'
import { OID } from './oids.ts'

/** One name by the kind that GeneralName gives it: its tag. */
interface GeneralName {
  kind: number
  value: Buffer
}

export interface NameConstraints {
  permitted: GeneralName[]
  excluded: GeneralName[]
}

const EMAIL = contextTag(1, 'primitive')
const HOST = contextTag(2, 'primitive')
const DIRECTORY = contextTag(4)
const EMAIL_ATTRIBUTE = '1.2.840.113549.1.9.1'
const MAX_CONSTRAINTS = 200

/** The constraints that an authority's certificate puts on everything below it. */
export function findNameConstraints({ extensions }: Certificate): NameConstraints | undefined {
  const found = extensions.get(OID.nameConstraints)
  if (found === undefined) return undefined
  const fields = readDer(found.value).fields()
  const permitted = fields.optional(contextTag(0))?.children.map(readSubtree) ?? []
  const excluded = fields.optional(contextTag(1))?.children.map(readSubtree) ?? []
  fields.end()
  if (permitted.length + excluded.length > MAX_CONSTRAINTS) throw unsupported('There are too many name constraints.')
  return { permitted, excluded }
}

function readSubtree(node: DerNode): GeneralName {
  const [base, ...bounds] = node.items()
  // RFC 5280 demands minimum 0, which DER leaves out, and no maximum.
  if (base === undefined || bounds.length > 0) throw unsupported('Name constraints with bounds are not supported.')
  return generalName(base)
}

const generalName = (node: DerNode): GeneralName => ({
  kind: node.tag,
  value: node.tag === DIRECTORY ? node.only.raw : node.content,
})

/** True if every name of the certificate lies where the constraints allow. */
export function isWithinConstraints(certificate: Certificate, { permitted, excluded }: NameConstraints): boolean {
  return namesOf(certificate).every((name) => {
    const ofKind = (constraint: GeneralName) => constraint.kind === name.kind
    const allowed = permitted.filter(ofKind)
    const forbidden = excluded.filter(ofKind)
    if (![EMAIL, HOST, DIRECTORY].includes(name.kind)) return allowed.length === 0 && forbidden.length === 0
    if (forbidden.some((constraint) => isWithin(name, constraint))) return false
    return allowed.length === 0 || allowed.some((constraint) => isWithin(name, constraint))
  })
}

function namesOf({ subject, extensions }: Certificate): GeneralName[] {
  const attributes = readName(subject)
  const alternative = extensions.get(OID.subjectAlternativeName)
  return [
    ...(attributes.length === 0 ? [] : [{ kind: DIRECTORY, value: subject }]),
    ...attributes
      .filter(({ oid }) => oid === EMAIL_ATTRIBUTE)
      .map(({ value }) => ({ kind: EMAIL, value: Buffer.from(value, 'latin1') })),
    ...(alternative ? readDer(alternative.value).items(TAG.sequence).map(generalName) : []),
  ]
}

function isWithin(name: GeneralName, constraint: GeneralName): boolean {
  if (name.kind === DIRECTORY) return isNameWithin(name.value, constraint.value)
  const value = name.value.toString('latin1').toLowerCase()
  const base = constraint.value.toString('latin1').toLowerCase()
  return name.kind === EMAIL ? isEmailWithin(value, base) : isHostWithin(value, base)
}

/** A mailbox is allowed as itself, by its host, or by a domain that begins with a dot. */
function isEmailWithin(address: string, base: string): boolean {
  if (base.includes('@')) return address === base
  const host = address.slice(address.lastIndexOf('@') + 1)
  return base.startsWith('.') ? host.endsWith(base) : host === base
}

const isHostWithin = (host: string, base: string) => base === '' || host === base || host.endsWith(`.${base}`)
