// Builds certificate extensions (RFC 5280 4.2), each already wrapped with its identifier and criticality.
import {
  boolean,
  contextTag,
  element,
  explicit,
  ia5String,
  implicit,
  integer,
  namedBits,
  nullValue,
  octetString,
  oid,
  sequence,
  utf8String,
} from './der.ts'
import { PkiError } from './errors.ts'
import { KEY_USAGES, type KeyUsage } from './extension-reader.ts'
import { OID } from './oids.ts'

const MAX_NOTICE_LENGTH = 200
const MAX_ADDRESS_LENGTH = 500

/** Wraps a value as an extension; FALSE is the default of `critical` and therefore absent in DER. */
export function extension(id: string, value: Buffer, { isCritical = false } = {}): Buffer {
  return isCritical ? sequence(oid(id), boolean(true), octetString(value)) : sequence(oid(id), octetString(value))
}

/** Marks an authority, optionally with how many authorities may follow below it. */
export function authorityConstraints(pathLength?: number): Buffer {
  const limits = pathLength === undefined ? [] : [integer(pathLength)]
  return extension(OID.basicConstraints, sequence(boolean(true), ...limits), { isCritical: true })
}

export const endEntityConstraints = () => extension(OID.basicConstraints, sequence(), { isCritical: true })

export const keyUsage = (...usages: KeyUsage[]) =>
  extension(OID.keyUsage, namedBits(usages.map((usage) => KEY_USAGES.indexOf(usage))), { isCritical: true })

export const extendedKeyUsage = (usages: string[], options?: { isCritical: boolean }) =>
  extension(OID.extendedKeyUsage, sequence(...usages.map((usage) => oid(usage))), options)

export const subjectKeyIdentifier = (keyId: Buffer) => extension(OID.subjectKeyIdentifier, octetString(keyId))

export const authorityKeyIdentifier = (keyId: Buffer) =>
  extension(OID.authorityKeyIdentifier, sequence(element(contextTag(0, 'primitive'), keyId)))

/** A policy, with a notice for people if there is something to say (at most 200 characters, RFC 5280 4.2.1.4). */
export function certificatePolicy(policy: string, notice?: string): Buffer {
  if (notice === undefined) return extension(OID.certificatePolicies, sequence(sequence(oid(policy))))
  if (Array.from(notice).length > MAX_NOTICE_LENGTH) {
    throw new PkiError('bad-argument', `A policy notice has at most ${MAX_NOTICE_LENGTH} characters.`)
  }
  const qualifier = sequence(oid(OID.policyUserNotice), sequence(utf8String(notice)))
  return extension(OID.certificatePolicies, sequence(sequence(oid(policy), sequence(qualifier))))
}

/** Where the issuer's certificate and its OCSP responder are found. */
export function authorityInformation({ ocsp, issuer }: { ocsp?: string; issuer?: string }): Buffer {
  const descriptions = [
    ...(ocsp === undefined ? [] : [sequence(oid(OID.ocsp), uriName(ocsp))]),
    ...(issuer === undefined ? [] : [sequence(oid(OID.caIssuers), uriName(issuer))]),
  ]
  return extension(OID.authorityInformationAccess, sequence(...descriptions))
}

export const crlDistributionPoint = (address: string) =>
  extension(OID.crlDistributionPoints, sequence(sequence(explicit(0, explicit(0, uriName(address))))))

function uriName(address: string): Buffer {
  if (!/^[\x21-\x7e]+$/.test(address) || address.length > MAX_ADDRESS_LENGTH) {
    throw new PkiError('bad-argument', 'An address in a certificate must be a plain URL.')
  }
  return implicit(6, ia5String(address))
}

/** RFC 6960 4.2.2.2.1: the responder's own certificate need not be checked for revocation. */
export const ocspNoCheck = () => extension(OID.ocspNoCheck, nullValue())

/** RFC 9608: no revocation information will ever exist for this certificate. */
export const noRevocationAvailable = () => extension(OID.noRevocationAvailable, nullValue())

/** ETSI EN 319 412-1 5.2: the certificate lives so briefly that its validity is assured without revocation. */
export const validityAssuredShortTerm = () => extension(OID.validityAssuredShortTerm, nullValue())
