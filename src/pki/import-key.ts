// Takes in a customer's own certificate and key, from PKCS #12 or PEM, and refuses what could not sign well.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { requireSigningStrength } from './algorithm-policy.ts'
import type { SignatureAlgorithm } from './algorithms.ts'
import { isIssuedBy, isSameCertificate, isValidAt, parseCertificate, type Certificate } from './certificate.ts'
import { readDer } from './der-reader.ts'
import { malformed, PkiError } from './errors.ts'
import { PasswordAttempt } from './password-encryption.ts'
import { decryptPrivateKey, parsePkcs12 } from './pkcs12.ts'
import { requireKeyPair, type SignerIdentity } from './raw-signer.ts'

export interface ImportedKey extends SignerIdentity {
  privateKey: KeyObject
}

const MAX_PEM_LENGTH = 1024 * 1024
const MAX_PEM_BLOCKS = 50

/** Imports from a PKCS #12 file. */
export function importPkcs12(bytes: Buffer, { password, now }: { password: string; now: Date }): ImportedKey {
  const { privateKeys, certificates } = parsePkcs12(bytes, password)
  const [key, ...others] = privateKeys
  if (key === undefined) throw malformed('The file holds no private key.')
  if (others.length > 0) throw malformed('The file holds more than one private key; export only the one to use.')
  return checkImport(readPkcs8(key), certificates, now)
}

/** Imports from PEM text: certificates and a key, which may be encrypted PKCS #8. */
export function importPem(text: string, { password, now }: { password?: string; now: Date }): ImportedKey {
  if (text.length > MAX_PEM_LENGTH) throw malformed('The text is too long.')
  const blocks = readPem(text)
  const certificates = blocks.filter(({ label }) => label === 'CERTIFICATE').map(({ der }) => der)
  const keys = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'))
  const [key, ...others] = keys
  if (key === undefined || others.length > 0) throw malformed('The text must hold exactly one private key.')
  return checkImport(readPemKey(key, password), certificates, now)
}

interface PemBlock {
  label: string
  der: Buffer
  /** OpenSSL's own headers, from before PKCS #8. */
  hasOldEncryption: boolean
}

/** Reads line by line, since a clever pattern over hostile text can take for ever. */
function readPem(text: string): PemBlock[] {
  const blocks: PemBlock[] = []
  let open: { label: string; lines: string[] } | undefined
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, edge, label] = /^-----(BEGIN|END) ([A-Z0-9 ]{1,40})-----\s*$/.exec(line) ?? []
    if (edge === 'BEGIN' && label !== undefined) open = { label, lines: [] }
    else if (edge === 'END' && open?.label === label) {
      if (open) blocks.push(pemBlock(open))
      open = undefined
    } else open?.lines.push(line)
  }
  if (blocks.length > MAX_PEM_BLOCKS) throw malformed('The text holds too many things.')
  return blocks
}

function pemBlock({ label, lines }: { label: string; lines: string[] }): PemBlock {
  return {
    label,
    der: Buffer.from(lines.join(''), 'base64'),
    hasOldEncryption: lines.some((line) => line.startsWith('Proc-Type:')),
  }
}

function readPemKey({ label, der, hasOldEncryption }: PemBlock, password: string | undefined): KeyObject {
  if (hasOldEncryption) {
    throw new PkiError(
      'unsupported',
      'The key is encrypted in the old way of OpenSSL. Convert it with: openssl pkcs8 -topk8 -in old.pem -out new.pem',
    )
  }
  if (label === 'PRIVATE KEY') return readPkcs8(der)
  if (label === 'RSA PRIVATE KEY') return readKey({ key: der, format: 'der', type: 'pkcs1' })
  if (label === 'EC PRIVATE KEY') return readKey({ key: der, format: 'der', type: 'sec1' })
  if (label !== 'ENCRYPTED PRIVATE KEY') throw malformed(`A ${label.toLowerCase()} cannot be imported.`)
  if (password === undefined) throw new PkiError('wrong-password', 'The key is encrypted; its password is needed.')
  return readPkcs8(decryptPrivateKey(readDer(der), new PasswordAttempt(password)))
}

const readPkcs8 = (key: Buffer) => readKey({ key, format: 'der', type: 'pkcs8' })

function readKey(input: { key: Buffer; format: 'der'; type: 'pkcs1' | 'pkcs8' | 'sec1' }): KeyObject {
  try {
    return createPrivateKey(input)
  } catch (cause) {
    throw new PkiError('malformed', 'The private key cannot be read.', { cause })
  }
}

function checkImport(privateKey: KeyObject, certificates: Buffer[], now: Date): ImportedKey {
  const parsed = certificates.map(parseCertificate)
  const own = parsed.find((certificate) => isPairOf(certificate, privateKey))
  if (own === undefined) throw new PkiError('key-mismatch', 'No certificate belongs to the private key.')
  const algorithm = chooseAlgorithm(privateKey)
  requireUsable(own, now)
  return { privateKey, algorithm, certificate: own.raw, chain: orderChain(own, parsed).map(({ raw }) => raw) }
}

/** A certificate in the file whose kind of key we do not know simply does not match. */
function isPairOf(certificate: Certificate, privateKey: KeyObject): boolean {
  try {
    requireKeyPair(certificate.raw, privateKey)
    return true
  } catch (error) {
    if (error instanceof PkiError) return false
    throw error
  }
}

/** RSA keys sign with PSS: PKCS #1 v1.5 stops being accepted in 2029. */
function chooseAlgorithm(privateKey: KeyObject): SignatureAlgorithm {
  const curve = privateKey.asymmetricKeyDetails?.namedCurve
  const algorithm = curve === 'prime256v1' ? 'ES256' : curve === 'secp384r1' ? 'ES384' : 'PS256'
  requireSigningStrength(privateKey, algorithm)
  return algorithm
}

function requireUsable(certificate: Certificate, now: Date): void {
  if (!isValidAt(certificate, now)) {
    const { notBefore, notAfter } = certificate
    throw new PkiError(
      'not-valid-now',
      `The certificate is valid from ${notBefore.toISOString()} to ${notAfter.toISOString()}, not now.`,
    )
  }
  const { keyUsage, basicConstraints } = certificate
  const maySign = !keyUsage || keyUsage.includes('digitalSignature') || keyUsage.includes('nonRepudiation')
  if (!maySign || basicConstraints?.isAuthority) {
    throw new PkiError('bad-argument', 'The certificate is not one for signing documents.')
  }
}

/** The certificates above, issuer by issuer, as far as the file holds them; others in it are left out. */
function orderChain(own: Certificate, certificates: Certificate[]): Certificate[] {
  const chain = [own]
  for (let last: Certificate | undefined = own; last !== undefined;) {
    const current: Certificate = last
    last = certificates.find(
      (candidate) => !chain.some((seen) => isSameCertificate(seen, candidate)) && isIssuedBy(current, candidate),
    )
    if (last) chain.push(last)
  }
  return chain.slice(1)
}
