import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { makeTestChain, type TestChain } from '../../test/fakes/pki.ts'
import { parseCertificate, type Certificate } from './certificate.ts'
import { element, explicit, ia5String, implicit, octetString, sequence } from './der.ts'
import {
  authorityConstraints,
  endEntityConstraints,
  extendedKeyUsage,
  extension,
  keyUsage,
} from './extension-writer.ts'
import { issueCertificate, issuerFrom } from './issue-certificate.ts'
import { encodeName, type NameParts } from './names.ts'
import { OID } from './oids.ts'
import { validatePath, type PathRequest } from './path.ts'
import { generateKey, memoryKey, memorySigner, type RawSigner } from './raw-signer.ts'

const begin = new Date('2026-01-01T00:00:00Z')
const now = new Date('2026-03-01T12:00:00Z')
const end = new Date('2030-01-01T00:00:00Z')

interface Wanted {
  name?: NameParts
  extensions?: Buffer[]
  notAfter?: Date
}

/** Issues whatever is asked for, sensible or not. */
async function issue(issuer: RawSigner, { name, extensions = [], notAfter = end }: Wanted): Promise<RawSigner> {
  const { publicKey, privateKey } = await generateKey('ES256')
  const subject = encodeName(name ?? [['commonName', 'Someone']])
  const request = { subject, publicKey, notBefore: begin, notAfter, extensions }
  const { basicConstraints, subject: issuerName } = parseCertificate(issuer.certificate)
  const by = basicConstraints?.isAuthority
    ? issuerFrom(issuer)
    : {
        name: issuerName,
        keyId: parseCertificate(issuer.certificate).subjectKeyIdentifier ?? Buffer.alloc(0),
        key: issuer,
      }
  const certificate = await issueCertificate(request, by)
  return memorySigner({ certificate, chain: [issuer.certificate, ...issuer.chain], algorithm: 'ES256', privateKey })
}

const authority = [authorityConstraints(), keyUsage('keyCertSign', 'cRLSign')]
const constraints = (permitted: Buffer[], excluded: Buffer[] = []) =>
  extension(
    OID.nameConstraints,
    sequence(
      ...(permitted.length > 0 ? [explicit(0, ...permitted.map((name) => sequence(name)))] : []),
      ...(excluded.length > 0 ? [explicit(1, ...excluded.map((name) => sequence(name)))] : []),
    ),
    { isCritical: true },
  )
const directory = (name: NameParts) => explicit(4, encodeName(name))
const host = (name: string) => implicit(2, ia5String(name))
const alternativeName = (...names: Buffer[]) => extension(OID.subjectAlternativeName, sequence(...names))

describe('certification paths', () => {
  let chain: TestChain
  let root: Certificate
  before(async () => {
    chain = await makeTestChain({ now: begin })
    root = parseCertificate(chain.root.certificate)
  })

  const judge = (signer: RawSigner, changes: Partial<PathRequest> = {}) => {
    const intermediates = signer.chain.map((der) => parseCertificate(der))
    const certificate = parseCertificate(signer.certificate)
    const verdict = validatePath({
      certificate,
      intermediates,
      anchors: [root],
      time: now,
      purpose: 'signature',
      ...changes,
    })
    return { ...verdict, codes: verdict.problems.map(({ code }) => code) }
  }

  test('each certificate of our authority is valid for its purpose', () => {
    assert.deepEqual(judge(chain.seal).codes, [])
    assert.deepEqual(judge(chain.timestamp, { purpose: 'timestamp' }).codes, [])
    assert.deepEqual(judge(chain.issuingResponder, { purpose: 'ocsp' }).codes, [])
    assert.deepEqual(judge(chain.root, { purpose: 'any' }).codes, [])
    assert.equal(judge(chain.seal).path.length, 3)
  })

  test('and for no other', () => {
    assert.deepEqual(judge(chain.seal, { purpose: 'timestamp' }).codes, ['extended-key-usage'])
    assert.deepEqual(judge(chain.seal, { purpose: 'ocsp' }).codes, ['extended-key-usage'])
    assert.deepEqual(judge(chain.issuing).codes, ['key-usage'])
  })

  test('outside of its validity it tells when, and keeps the path', () => {
    const late = judge(chain.seal, { time: new Date('2029-06-01T00:00:00Z') })
    assert.deepEqual(late.codes, ['expired'])
    assert.equal(late.path.length, 3)
    const early = judge(chain.seal, { time: new Date('2025-06-01T00:00:00Z') })
    assert.deepEqual(early.codes, ['not-yet-valid', 'not-yet-valid'])
  })

  test('without an anchor, or with a stranger of the same name, there is none', async () => {
    assert.deepEqual(judge(chain.seal, { anchors: [] }).codes, ['no-anchor'])
    const stranger = await makeTestChain({ now: begin })
    assert.deepEqual(judge(chain.seal, { anchors: [parseCertificate(stranger.root.certificate)] }).codes, ['no-anchor'])
    assert.deepEqual(judge(chain.seal, { intermediates: [] }).codes, ['no-anchor'])
  })

  test('an issuing authority can itself be the anchor', () => {
    const issuing = parseCertificate(chain.issuing.certificate)
    assert.deepEqual(judge(chain.seal, { anchors: [issuing] }).path.length, 2)
  })

  test('a leaf that is trusted directly must still be valid', () => {
    const anchors = [parseCertificate(chain.seal.certificate)]
    assert.deepEqual(judge(chain.seal, { anchors }).codes, [])
    assert.deepEqual(judge(chain.seal, { anchors, time: new Date('2035-01-01T00:00:00Z') }).codes, ['expired'])
  })

  test('an end entity issues nothing', async () => {
    const forged = await issue(chain.seal, { extensions: [endEntityConstraints()] })
    assert.deepEqual(judge(forged).codes.slice(0, 2), ['not-an-authority', 'key-usage'])
  })

  test('below a path length of zero there is no further authority', async () => {
    const deeper = await issue(chain.issuing, { extensions: authority, name: [['commonName', 'Deeper']] })
    const leaf = await issue(deeper, {})
    assert.ok(judge(leaf).codes.includes('path-too-long'))
  })

  test('an unknown critical extension fails closed, an unknown one that is not critical does not', async () => {
    const value = octetString(Buffer.alloc(1))
    const critical = await issue(chain.issuing, { extensions: [extension('1.2.3.4', value, { isCritical: true })] })
    assert.deepEqual(judge(critical).codes, ['critical-extension'])
    const plain = await issue(chain.issuing, { extensions: [extension('1.2.3.4', value)] })
    assert.deepEqual(judge(plain).codes, [])
    const mappings = await issue(chain.issuing, {
      extensions: [extension(OID.policyConstraints, sequence(), { isCritical: true })],
    })
    assert.deepEqual(judge(mappings).codes, ['critical-extension'])
  })

  test('a timestamp certificate whose usage is not critical, or not alone, is refused', async () => {
    for (const usage of [
      extendedKeyUsage([OID.timeStamping]),
      extendedKeyUsage([OID.timeStamping, OID.emailProtection], { isCritical: true }),
    ]) {
      assert.deepEqual(judge(await issue(chain.root, { extensions: [usage] }), { purpose: 'timestamp' }).codes, [
        'extended-key-usage',
      ])
    }
  })

  describe('with name constraints', () => {
    const example: NameParts = [['organizationName', 'Example Oy']]
    const named = (name: string): NameParts => [...example, ['commonName', name]]
    const cases: [name: string, limits: Buffer, leaf: Wanted, isAllowed: boolean][] = [
      ['a directory name inside', constraints([directory(example)]), { name: named('A') }, true],
      ['a directory name outside', constraints([directory(example)]), { name: [['organizationName', 'Other']] }, false],
      ['a directory name excluded', constraints([], [directory(named('A'))]), { name: named('a') }, false],
      ['a directory name beside the excluded', constraints([], [directory(named('A'))]), { name: named('B') }, true],
      [
        'a host inside',
        constraints([host('example.com')]),
        { extensions: [alternativeName(host('a.example.com'))] },
        true,
      ],
      [
        'a host that only ends alike',
        constraints([host('example.com')]),
        { extensions: [alternativeName(host('badexample.com'))] },
        false,
      ],
      [
        'an e-mail at the host',
        constraints([implicit(1, ia5String('example.com'))]),
        { extensions: [alternativeName(implicit(1, ia5String('a@example.com')))] },
        true,
      ],
      [
        'an e-mail at another host',
        constraints([implicit(1, ia5String('example.com'))]),
        { name: [['emailAddress', 'a@evil.com']] },
        false,
      ],
      [
        'an e-mail in a subdomain',
        constraints([implicit(1, ia5String('.example.com'))]),
        { extensions: [alternativeName(implicit(1, ia5String('a@b.example.com')))] },
        true,
      ],
      [
        'a kind that we do not know, and names of it',
        constraints([element(0x87, Buffer.alloc(8))]),
        { extensions: [alternativeName(element(0x87, Buffer.alloc(4)))] },
        false,
      ],
      ['a kind that we do not know, and no names of it', constraints([element(0x87, Buffer.alloc(8))]), {}, true],
    ]
    for (const [name, limits, leaf, isAllowed] of cases) {
      test(`${name} is ${isAllowed ? 'allowed' : 'refused'}`, async () => {
        const limited = await issue(chain.root, {
          extensions: [...authority, limits],
          name: [['commonName', 'Limited']],
        })
        assert.deepEqual(judge(await issue(limited, leaf)).codes, isAllowed ? [] : ['name-constraints'])
      })
    }
  })

  test('of two paths the valid one is found', async () => {
    // The same authority, certified twice: one certificate has expired.
    const { publicKey, privateKey } = await generateKey('ES256')
    const request = {
      subject: encodeName([['commonName', 'Twice']]),
      publicKey,
      notBefore: begin,
      extensions: authority,
    }
    const expired = await issueCertificate(
      { ...request, notAfter: new Date('2026-02-01T00:00:00Z') },
      issuerFrom(chain.root),
    )
    const valid = await issueCertificate({ ...request, notAfter: end }, issuerFrom(chain.root))
    const leaf = await issue(memorySigner({ certificate: valid, chain: [], algorithm: 'ES256', privateKey }), {})
    for (const order of [
      [expired, valid],
      [valid, expired],
    ]) {
      assert.deepEqual(judge(leaf, { intermediates: order.map(parseCertificate) }).codes, [])
    }
    assert.deepEqual(judge(leaf, { intermediates: [parseCertificate(expired)] }).codes, ['expired'])
  })

  test('certificates that certify each other in circles end without a path, and soon', async () => {
    const pairs = await Promise.all(Array.from({ length: 5 }, () => generateKey('ES256')))
    const subject = encodeName([['commonName', 'Circle']])
    const circle: Certificate[] = []
    for (const { publicKey } of pairs) {
      for (const { privateKey } of pairs) {
        const self = await issueCertificate(
          { subject, publicKey, notBefore: begin, notAfter: end, extensions: authority },
          { name: subject, keyId: Buffer.alloc(0), key: memoryKey(privateKey, 'ES256') },
        )
        circle.push(parseCertificate(self))
      }
    }
    const [certificate] = circle
    assert.ok(certificate)
    const verdict = validatePath({ certificate, intermediates: circle, anchors: [root], time: now, purpose: 'any' })
    assert.deepEqual(
      verdict.problems.map(({ code }) => code),
      ['no-anchor'],
    )
  })
})
