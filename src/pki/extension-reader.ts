// The certificate extensions that decide something (RFC 5280 4.2). Anything else is kept as it stands.
import { contextTag, TAG } from './der.ts'
import { readDer, type DerNode } from './der-reader.ts'
import { malformed } from './errors.ts'
import { OID } from './oids.ts'

export type KeyUsage = (typeof KEY_USAGES)[number]

/** In the order of their bits (RFC 5280 4.2.1.3). */
export const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const

export interface Extension {
  isCritical: boolean
  value: Buffer
}

export type Extensions = ReadonlyMap<string, Extension>

export interface PolicyInformation {
  oid: string
  /** The texts of its user notices. */
  notices: string[]
}

export interface KnownExtensions {
  basicConstraints?: { isAuthority: boolean; pathLength: number | undefined }
  keyUsage?: KeyUsage[]
  extendedKeyUsage?: string[]
  subjectKeyIdentifier?: Buffer
  authorityKeyIdentifier?: Buffer
  policies: PolicyInformation[]
  ocspAddresses: string[]
  issuerAddresses: string[]
  crlAddresses: string[]
}

const MAX_EXTENSIONS = 100

/** Reads an Extensions sequence; the same extension twice is refused (RFC 5280 4.2). */
export function readExtensions(node: DerNode): Extensions {
  const found = new Map<string, Extension>()
  const items = node.items()
  if (items.length > MAX_EXTENSIONS) throw malformed('There are too many extensions.')
  for (const item of items) {
    const fields = item.fields()
    const id = fields.next().oid
    const isCritical = fields.optional(TAG.boolean)?.boolean ?? false
    const value = fields.next().octets
    fields.end()
    if (found.has(id)) throw malformed(`The extension ${id} appears twice.`)
    found.set(id, { isCritical, value })
  }
  return found
}

/** Reads the extensions that we understand out of all that are there. */
export function readKnownExtensions(extensions: Extensions): KnownExtensions {
  const read = <T>(id: string, reader: (node: DerNode) => T): T | undefined => {
    const extension = extensions.get(id)
    return extension && reader(readDer(extension.value))
  }
  const access = read(OID.authorityInformationAccess, readAccessDescriptions) ?? []
  return {
    basicConstraints: read(OID.basicConstraints, readBasicConstraints),
    keyUsage: read(OID.keyUsage, readKeyUsage),
    extendedKeyUsage: read(OID.extendedKeyUsage, (node) => node.items().map((item) => item.oid)),
    subjectKeyIdentifier: read(OID.subjectKeyIdentifier, (node) => node.octets),
    authorityKeyIdentifier: read(OID.authorityKeyIdentifier, readAuthorityKeyIdentifier),
    policies: read(OID.certificatePolicies, (node) => node.items().map(readPolicy)) ?? [],
    ocspAddresses: access.filter(({ method }) => method === OID.ocsp).map(({ address }) => address),
    issuerAddresses: access.filter(({ method }) => method === OID.caIssuers).map(({ address }) => address),
    crlAddresses: read(OID.crlDistributionPoints, readDistributionPoints) ?? [],
  }
}

function readBasicConstraints(node: DerNode) {
  const fields = node.fields()
  const isAuthority = fields.optional(TAG.boolean)?.boolean ?? false
  const pathLength = fields.optional(TAG.integer)?.smallInteger()
  fields.end()
  if (pathLength !== undefined && pathLength < 0) throw malformed('A path length is negative.')
  return { isAuthority, pathLength }
}

function readKeyUsage(node: DerNode): KeyUsage[] {
  const { bits } = node
  return KEY_USAGES.filter((_, bit) => bits.includes(bit))
}

const readAuthorityKeyIdentifier = (node: DerNode) => node.fields().optional(contextTag(0, 'primitive'))?.content

const URI_NAME = contextTag(6, 'primitive')

function readAccessDescriptions(node: DerNode) {
  return node.items().flatMap((item) => {
    const fields = item.fields()
    const method = fields.next().oid
    const location = fields.next()
    fields.end()
    return location.tag === URI_NAME ? [{ method, address: location.content.toString('latin1') }] : []
  })
}

function readDistributionPoints(node: DerNode): string[] {
  return node.items().flatMap((point) => {
    const name = point.fields().optional(contextTag(0))?.only
    if (name === undefined || name.tag !== contextTag(0)) return []
    return name.children.filter(({ tag }) => tag === URI_NAME).map(({ content }) => content.toString('latin1'))
  })
}

function readPolicy(node: DerNode): PolicyInformation {
  const fields = node.fields()
  const policy = fields.next().oid
  const qualifiers = fields.optional(TAG.sequence)?.children ?? []
  fields.end()
  return { oid: policy, notices: qualifiers.flatMap(readNotice) }
}

function readNotice(qualifier: DerNode): string[] {
  const fields = qualifier.fields()
  if (fields.next().oid !== OID.policyUserNotice) return []
  const notice = fields.next().fields()
  notice.optional(TAG.sequence)
  const text = notice.optional(TAG.utf8String, TAG.ia5String, TAG.bmpString, TAG.visibleString)
  return text === undefined ? [] : [text.text]
}
