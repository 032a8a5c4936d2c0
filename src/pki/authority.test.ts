import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { makeTestChain, type TestChain } from '../../test/fakes/pki.ts'
import {
  makeIssuingAuthority,
  makeOcspResponderCertificate,
  makeRoot,
  makeSealCertificate,
  makeSignatoryCertificate,
} from './authority.ts'
import { parseCertificate } from './certificate.ts'
import { readName } from './names.ts'
import { generateKey, memoryKey, memorySigner, type KeyPair } from './raw-signer.ts'

const now = new Date('2026-03-01T12:00:00.900Z')

function validity(der: Buffer) {
  const { validFromDate, validToDate } = new X509Certificate(der)
  return { from: validFromDate, to: validToDate }
}

describe('the default authority', () => {
  let chain: TestChain
  let pair: KeyPair
  before(async () => {
    chain = await makeTestChain({ now })
    pair = await generateKey('ES256')
  })
  const signatory = () => ({
    publicKey: pair.publicKey,
    now,
    name: 'Ada',
    requestId: 'r1',
    authentication: 'No authentication.',
  })

  test('begins at the second of its making and lasts as long as each kind should', () => {
    assert.deepEqual(validity(chain.root.certificate).from, new Date('2026-03-01T12:00:00Z'))
    assert.ok(validity(chain.root.certificate).to > new Date('2055-01-01T00:00:00Z'))
    assert.ok(validity(chain.timestamp.certificate).to > new Date('2035-01-01T00:00:00Z'))
    assert.ok(validity(chain.issuingResponder.certificate).to < new Date('2027-05-01T00:00:00Z'))
  })

  test('a signatory certificate begins a little early, for clocks that are behind', async () => {
    const { from, to } = validity(await makeSignatoryCertificate(chain.issuing, signatory()))
    assert.deepEqual(from, new Date('2026-03-01T11:55:00Z'))
    assert.deepEqual(to, new Date('2026-03-02T11:55:00Z'))
  })

  test('nothing outlives its issuer', async () => {
    const late = new Date('2045-06-01T00:00:00Z')
    const seal = await makeSealCertificate(chain.issuing, { ...pair, name: 'S', organization: 'O', now: late })
    assert.deepEqual(validity(seal).to, validity(chain.issuing.certificate).to)
  })

  test('an authority that has expired issues nothing', async () => {
    const tooLate = new Date('2060-01-01T00:00:00Z')
    const request = { publicKey: pair.publicKey, name: 'S', organization: 'O', now: tooLate }
    await assert.rejects(async () => makeSealCertificate(chain.issuing, request), { code: 'not-valid-now' })
    await assert.rejects(async () => makeOcspResponderCertificate(chain.seal, { ...pair, name: 'O', now }), {
      code: 'bad-argument',
    })
  })

  test('what cannot be written is refused with the reason', async () => {
    const refused: [what: string, changes: object, message: RegExp][] = [
      ['a notice that is too long', { authentication: 'x'.repeat(201) }, /200 characters/],
      ['a request id with odd characters', { requestId: 'a*b' }, /serialNumber/],
      ['an empty name', { name: '   ' }, /commonName/],
      ['an address with spaces', { baseUrl: 'https://a b' }, /plain URL/],
    ]
    for (const [what, changes, message] of refused) {
      const attempt = async () => makeSignatoryCertificate(chain.issuing, { ...signatory(), ...changes })
      await assert.rejects(attempt, { code: 'bad-argument', message }, what)
    }
  })

  test('a personal identifier is in the certificate only when it is given', async () => {
    const without = new X509Certificate(await makeSignatoryCertificate(chain.issuing, signatory()))
    assert.equal(without.subject, 'CN=Ada\nserialNumber=r1')
    const personal = { ...signatory(), personalIdentifier: '010190-123A' }
    const subject = new X509Certificate(await makeSignatoryCertificate(chain.issuing, personal)).subject
    assert.equal(subject, 'CN=Ada\nserialNumber=r1\nUID=010190-123A')
  })

  for (const [what, given, written] of [
    ['none at all', '', undefined],
    ['nothing but white space', ' \t', undefined],
    ['two lines', '010190\n-123A', '010190 -123A'],
    ['as many characters as a request takes', '😀'.repeat(255), '😀'.repeat(255)],
  ] as const) {
    test(`a personal identifier of ${what} keeps nobody from signing`, async () => {
      const personal = { ...signatory(), personalIdentifier: given }
      const { subject } = parseCertificate(await makeSignatoryCertificate(chain.issuing, personal))
      assert.equal(readName(subject).find(({ label }) => label === 'UID')?.value, written)
    })
  }

  test('kinds of keys can be mixed: a strong root above quick leaves', async () => {
    const strong = await generateKey('ES384')
    const key = memoryKey(strong.privateKey, 'ES384')
    const certificate = await makeRoot({ publicKey: strong.publicKey, key, name: 'Strong', now })
    const root = memorySigner({ certificate, chain: [], algorithm: 'ES384', privateKey: strong.privateKey })
    const issuing = await makeIssuingAuthority(root, { publicKey: pair.publicKey, name: 'I', organization: 'O', now })
    assert.ok(new X509Certificate(issuing).verify(new X509Certificate(certificate).publicKey))
  })
})
