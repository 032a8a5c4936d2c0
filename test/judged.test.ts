// Files of ours at every level and with every kind of key, with what the EU DSS and pyHanko said about them on the day
// they were made (tools/conformance/write-fixtures.ts). Here the arithmetic is done once more with node:crypto and
// nothing of the engine, and our own validator has to come to the same conclusions.
import assert from 'node:assert/strict'
import { constants, createHash, verify, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Level } from '#pades/sign.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import {
  derChildren,
  findSignatures,
  readDerElement,
  readSigner,
  type EmbeddedSignature,
  type SignerParts,
} from '../tools/conformance/embedded-signatures.ts'
import type { Answers, DssAnswer, PyhankoAnswer } from '../tools/conformance/judges/answers.ts'

const FOLDER = new URL('fixtures/judged/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, FOLDER))
const readJson = (name: string): unknown => JSON.parse(read(name).toString('utf8'))

interface Index {
  judgedAt: string
  judgedLaterAt: string
  files: Record<string, { levels: Record<string, Level>; documentTimestamps: number }>
}

const index = readJson('index.json') as Index
const dss = readJson('dss.json') as Answers<DssAnswer>
const dssLater = readJson('dss-later.json') as Answers<DssAnswer>
const pyhanko = readJson('pyhanko.json') as Answers<PyhankoAnswer>
const root = read('root.cer')
const names = Object.keys(index.files)

/** The answer about a file; a judge that could not read it has not judged it. */
function answerAbout<Answer extends object>(
  answers: Answers<Answer>,
  name: string,
): Exclude<Answer, { error: string }> {
  const answer = answers.files[name]
  assert(answer !== undefined && !('error' in answer), `${answers.tool} judged ${name}`)
  return answer as Exclude<Answer, { error: string }>
}

const MESSAGE_DIGEST = Buffer.from('06092a864886f70d010904', 'hex')
const PSS = '2a864886f70d01010a'
const HASHES: Record<string, string> = { '608648016503040201': 'sha256', '608648016503040202': 'sha384' }

const oidOf = (algorithm: SignerParts['digestAlgorithm']) => derChildren(algorithm)[0]?.content.toString('hex') ?? ''

function hashNamed(oid: string): string {
  const hash = HASHES[oid]
  assert(hash !== undefined, `a hash that we use: ${oid}`)
  return hash
}

function messageDigest({ signedAttributes }: SignerParts): Buffer | undefined {
  const found = derChildren(signedAttributes)
    .map(derChildren)
    .find(([id]) => id?.whole.equals(MESSAGE_DIGEST))
  return found?.[1] && readDerElement(found[1].content).content
}

/** The certificate that the signed attributes name by its hash (signing-certificate-v2). */
function signerCertificate({ certificates, signedAttributes }: SignerParts, hash: string): X509Certificate {
  const named = certificates.find(({ whole }) =>
    signedAttributes.whole.includes(createHash(hash).update(whole).digest()),
  )
  assert(named, 'the signed attributes name one of the certificates')
  return new X509Certificate(named.whole)
}

function requireChain(certificate: X509Certificate, { certificates }: SignerParts): void {
  const trusted = new X509Certificate(root)
  const others = [trusted, ...certificates.map(({ whole }) => new X509Certificate(whole))]
  const issuer = others.find((candidate) => certificate.checkIssued(candidate))
  assert(issuer && certificate.verify(issuer.publicKey), 'the certificate is signed by its issuer')
  assert(issuer.verify(trusted.publicKey), 'and the issuer by the root')
}

/** Verifies a CMS over the content; answers with its parts. */
function requireSigned(cms: Buffer, content: Buffer): SignerParts {
  const parts = readSigner(cms)
  const hash = hashNamed(oidOf(parts.digestAlgorithm))
  assert(messageDigest(parts)?.equals(createHash(hash).update(content).digest()), 'the digest fits')
  const certificate = signerCertificate(parts, hash)
  requireChain(certificate, parts)
  const isPss = oidOf(parts.signatureAlgorithm) === PSS
  const padding = isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}
  // RFC 5652 5.4: what is signed is the attributes with the tag of a SET, not the one that they carry in the message.
  const attributes = Buffer.concat([Buffer.from([0x31]), parts.signedAttributes.whole.subarray(1)])
  const key = { key: certificate.publicKey, ...padding }
  assert(verify(hash, attributes, key, parts.signature), 'the signature fits')
  return parts
}

function requireStamped(token: Buffer, stamped: Buffer): void {
  const { carried } = readSigner(token)
  assert(carried, 'a token carries its time')
  requireSigned(token, carried)
  const [algorithm, digest] = derChildren(derChildren(readDerElement(carried))[2] ?? readDerElement(carried))
  const hash = hashNamed(algorithm ? oidOf(algorithm) : '')
  assert(digest?.content.equals(createHash(hash).update(stamped).digest()), 'the timestamp is over these bytes')
}

/** Verifies a signature or document timestamp; answers whether it is one that carries a signature timestamp. */
function requireSound({ subFilter, cms, signedBytes }: EmbeddedSignature): { isStamped: boolean } {
  if (subFilter === 'ETSI.RFC3161') {
    requireStamped(cms, signedBytes)
    return { isStamped: false }
  }
  assert.equal(subFilter, 'ETSI.CAdES.detached')
  const { signature, timestamp } = requireSigned(cms, signedBytes)
  if (timestamp !== undefined) requireStamped(timestamp, signature)
  return { isStamped: timestamp !== undefined }
}

describe('files that others have judged', () => {
  test('there is one for every level and every kind of key', () => {
    assert.deepEqual(
      readdirSync(FOLDER).filter((name) => name.endsWith('.pdf')),
      names.toSorted(),
    )
    for (const algorithm of ['es256', 'es384', 'ps256', 'rs256']) {
      for (const level of ['b-b', 'b-t', 'b-lt', 'b-lta']) assert(names.includes(`classic-${algorithm}-${level}.pdf`))
    }
  })

  for (const [name, { levels, documentTimestamps }] of Object.entries(index.files)) {
    const [level] = Object.values(levels) as [Level]
    const isLasting = level === 'B-LT' || level === 'B-LTA'

    test(`${name}: digests, signatures and timestamps fit`, () => {
      const pdf = read(name)
      const found = findSignatures(pdf)
      assert.equal(found.length, 1 + documentTimestamps)
      const checked = found.map(requireSound)
      assert.equal(checked[0]?.isStamped, level !== 'B-B')
      assert.equal(found.at(-1)?.end === pdf.length, level !== 'B-LT', 'the last one covers the file')
    })

    test(`${name}: one changed byte, and they no longer fit`, () => {
      const pdf = Buffer.from(read(name))
      pdf.writeUInt8(pdf.readUInt8(20) ^ 1, 20)
      for (const signature of findSignatures(pdf))
        assert.throws(() => requireSound(signature), /the digest fits|over these/)
    })

    test(`${name}: DSS names its level${isLasting ? ' and passes it' : ''}`, () => {
      const { signatures, timestamps } = answerAbout(dss, name)
      assert.equal(signatures.length, 1)
      assert.equal(signatures[0]?.format, `PAdES-BASELINE-${level.slice(2)}`)
      assert.deepEqual(signatures[0]?.warnings, [])
      if (isLasting) {
        assert.equal(signatures[0]?.indication, 'TOTAL_PASSED')
        assert(timestamps.every(({ indication }) => indication === 'PASSED'))
      } else {
        // Offline, without revocation data in the file, nobody can say more than this.
        assert.equal(signatures[0]?.indication, 'INDETERMINATE')
        assert(signatures[0].errors.includes('No revocation data found for the certificate!'))
      }
    })

    test(`${name}: pyHanko finds it intact, valid and trusted`, () => {
      const { signatures, timestamps } = answerAbout(pyhanko, name)
      assert.equal(signatures.length, 1)
      assert.equal(timestamps.length, documentTimestamps)
      for (const { isIntact, isValid, isTrusted } of [...signatures, ...timestamps]) {
        assert.deepEqual({ isIntact, isValid, isTrusted }, { isIntact: true, isValid: true, isTrusted: true })
      }
      assert.equal(signatures[0]?.coverage, level === 'B-B' || level === 'B-T' ? 'ENTIRE_FILE' : 'ENTIRE_REVISION')
      assert.equal(signatures[0]?.modification, isLasting ? 'LTA_UPDATES' : 'NONE')
    })

    test(`${name}: our validator says what DSS and pyHanko say`, async () => {
      const time = new Date(index.judgedAt)
      const report = await validatePdf(read(name), { trustAnchors: [root], time })
      const [signature] = report.signatures
      assert.equal(report.verdict, isLasting ? 'valid' : 'indeterminate')
      assert.equal(signature?.indication.replace('-', '_'), answerAbout(dss, name).signatures[0]?.indication)
      assert.equal(signature?.coverage.kind, isLasting ? 'revision' : 'whole-file')
      assert.equal(signature?.changedAfterwards, isLasting ? 'explained' : 'no')
      if (isLasting) assert.equal(signature?.level, level)
      assert.equal(report.timestamps.length, answerAbout(pyhanko, name).timestamps.length)
    })

    if (level === 'B-LTA') {
      test(`${name}: holds in ${index.judgedLaterAt.slice(0, 4)} for DSS, pyHanko and ourselves`, async () => {
        assert.equal(answerAbout(dssLater, name).signatures[0]?.indication, 'TOTAL_PASSED')
        assert.equal(answerAbout(pyhanko, name).signatures[0]?.ades, 'AdESPassed.OK')
        assert.equal(answerAbout(pyhanko, name).signatures[0]?.adesInFuture, 'AdESPassed.OK')
        const time = new Date(index.judgedLaterAt)
        const report = await validatePdf(read(name), { trustAnchors: [root], time })
        assert.equal(report.verdict, 'valid')
        assert.equal(report.signatures[0]?.level, 'B-LTA')
      })
    }
  }
})
