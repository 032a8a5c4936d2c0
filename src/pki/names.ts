// Distinguished names (RFC 5280 4.1.2.4): written with UTF8String, read from any string type.
import { oid, printableString, sequence, setOf, TAG, utf8String } from './der.ts'
import { readDer, type DerNode } from './der-reader.ts'
import { DerError, malformed, PkiError } from './errors.ts'

const ATTRIBUTES = {
  commonName: { oid: '2.5.4.3', short: 'CN', maxLength: 64 },
  surname: { oid: '2.5.4.4', short: 'SN', maxLength: 64 },
  serialNumber: { oid: '2.5.4.5', short: 'serialNumber', maxLength: 64 },
  countryName: { oid: '2.5.4.6', short: 'C', maxLength: 2 },
  localityName: { oid: '2.5.4.7', short: 'L', maxLength: 128 },
  stateOrProvinceName: { oid: '2.5.4.8', short: 'ST', maxLength: 128 },
  organizationName: { oid: '2.5.4.10', short: 'O', maxLength: 64 },
  organizationalUnitName: { oid: '2.5.4.11', short: 'OU', maxLength: 64 },
  givenName: { oid: '2.5.4.42', short: 'GN', maxLength: 64 },
  pseudonym: { oid: '2.5.4.65', short: 'pseudonym', maxLength: 128 },
  organizationIdentifier: { oid: '2.5.4.97', short: 'organizationIdentifier', maxLength: 128 },
  // RFC 1274: ub-user-identifier.
  userId: { oid: '0.9.2342.19200300.100.1.1', short: 'UID', maxLength: 256 },
  emailAddress: { oid: '1.2.840.113549.1.9.1', short: 'E', maxLength: 255 },
} as const

export type AttributeType = keyof typeof ATTRIBUTES

/** What a name to be written consists of, most general first; attributes that are undefined are left out. */
export type NameParts = [type: AttributeType, value: string | undefined][]

export interface NameAttribute {
  oid: string
  /** `CN`, `O`, …, or the object identifier where there is no usual short form. */
  label: string
  value: string
}

const MAX_NAME_ATTRIBUTES = 64
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/
const LABELS = new Map<string, string>(Object.values(ATTRIBUTES).map((known) => [known.oid, known.short]))

/** Encodes a name, one attribute in each relative name. */
export function encodeName(parts: NameParts): Buffer {
  const present = parts.filter((part): part is [AttributeType, string] => part[1] !== undefined)
  if (present.length === 0) throw new PkiError('bad-argument', 'A name needs at least one attribute.')
  return sequence(
    ...present.map(([type, value]) => setOf([sequence(oid(ATTRIBUTES[type].oid), attributeText(type, value))])),
  )
}

function attributeText(type: AttributeType, value: string): Buffer {
  const { maxLength } = ATTRIBUTES[type]
  const length = Array.from(value).length
  if (length === 0 || length > maxLength) {
    throw new PkiError('bad-argument', `${type} must have 1 to ${maxLength} characters.`)
  }
  if (!value.isWellFormed() || /\p{Cc}/u.test(value)) {
    throw new PkiError('bad-argument', `${type} must not contain control characters.`)
  }
  return needsPrintable(type) ? printable(type, value) : utf8String(value)
}

const needsPrintable = (type: AttributeType) => type === 'countryName' || type === 'serialNumber'

function printable(type: AttributeType, value: string): Buffer {
  if (!PRINTABLE.test(value)) throw new PkiError('bad-argument', `${type} must be plain letters and digits.`)
  return printableString(value)
}

/** The longest beginning of a person's or organisation's name that fits into a common name, on one line. */
export const fitCommonName = (name: string) => fit('commonName', name)

/** Somebody's identifier on one line; undefined where nothing of it can be written. */
export const fitUserId = (identifier: string) => fit('userId', identifier) || undefined

const fit = (type: AttributeType, text: string) =>
  Array.from(text.replace(/\p{Cc}+/gu, ' ').trim())
    .slice(0, ATTRIBUTES[type].maxLength)
    .join('')
    .trim()

/** The attributes of an encoded name, in order. */
export function readName(name: Buffer): NameAttribute[] {
  const attributes = readDer(name)
    .items()
    .flatMap((relative) => relative.items(TAG.set))
  if (attributes.length > MAX_NAME_ATTRIBUTES) throw malformed('A name has too many attributes.')
  return attributes.map((attribute) => {
    const fields = attribute.fields()
    const type = fields.next().oid
    const value = fields.next().text
    fields.end()
    return { oid: type, label: LABELS.get(type) ?? type, value }
  })
}

/** A name for people: `CN=Ada Lovelace, O=Analytical Engines`. Special characters are escaped as in RFC 4514. */
export const formatName = (name: Buffer) =>
  readName(name)
    .map(({ label, value }) => `${label}=${value.replaceAll(/[,+"\\<>;=]/g, String.raw`\$&`)}`)
    .join(', ')

/** The first common name in an encoded name. */
export const findCommonName = (name: Buffer) => readName(name).find(({ label }) => label === 'CN')?.value

/**
 * Two names are the same when their attributes are, without regard to case, spacing and string type (RFC 5280 7.1).
 * Names that cannot be read are the same only byte for byte.
 */
export function isSameName(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true
  const [oneKeys, otherKeys] = [findRelativeKeys(one), findRelativeKeys(other)]
  return oneKeys !== undefined && otherKeys !== undefined && oneKeys.join() === otherKeys.join()
}

/** True if `name` lies below `base` in the tree of names, or is it (RFC 5280 7.1, for name constraints). */
export function isNameWithin(name: Buffer, base: Buffer): boolean {
  const nameKeys = relativeKeys(name)
  return relativeKeys(base).every((key, index) => nameKeys[index] === key)
}

function findRelativeKeys(name: Buffer): string[] | undefined {
  try {
    return relativeKeys(name)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/** A comparable form of each relative name. JSON keeps values with commas apart. */
const relativeKeys = (name: Buffer) =>
  readDer(name)
    .items()
    .map((relative) => JSON.stringify(relative.items(TAG.set).map(attributeKey).sort()))

function attributeKey(attribute: DerNode): string {
  const fields = attribute.fields()
  const type = fields.next().oid
  const value = fields.next().text
  fields.end()
  return JSON.stringify([type, value.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ')])
}
