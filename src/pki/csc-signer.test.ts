import assert from 'node:assert/strict'
import { createHash, verify, X509Certificate } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startCscServer, type CscServer } from '../../test/fakes/csc-server.ts'
import { makeRoot, makeSealCertificate } from './authority.ts'
import { signatureIdentifier, type SignatureAlgorithm } from './algorithms.ts'
import { cscSigner } from './csc-signer.ts'
import { PkiError } from './errors.ts'
import { generateKey, memoryKey, memorySigner, signWith, type RawSigner } from './raw-signer.ts'

const now = new Date()
const PIN = '8642'
const message = Buffer.from('what is signed')

async function makeService(algorithm: SignatureAlgorithm, form: 'der' | 'bare' = 'der'): Promise<CscServer> {
  const authority = await generateKey('ES256')
  const key = memoryKey(authority.privateKey, 'ES256')
  const root = await makeRoot({ publicKey: authority.publicKey, key, name: 'Root', now })
  const issuer = memorySigner({ certificate: root, chain: [], algorithm: 'ES256', privateKey: authority.privateKey })
  const { publicKey, privateKey } = await generateKey(algorithm)
  const seal = await makeSealCertificate(issuer, { publicKey, name: 'Remote seal', organization: 'Example', now })
  return startCscServer({ certificates: [seal, root], privateKey, pin: PIN, form })
}

function isGood(signer: RawSigner, signature: Buffer): boolean {
  return verify('sha256', message, new X509Certificate(signer.certificate).publicKey, signature)
}

describe('a key at a remote signing service', () => {
  let service: CscServer

  before(async () => {
    service = await makeService('ES256')
  })
  after(() => service.stop())

  const connect = (server: CscServer, algorithm: SignatureAlgorithm = 'ES256', pin = PIN) =>
    cscSigner({ post: server.post, credentialId: 'seal-1', algorithm, secrets: { PIN: pin } })

  test('signs, after an authorisation that names the very digest', async () => {
    const signer = await connect(service)
    assert.equal(signer.chain.length, 1)
    service.calls.length = 0
    assert.ok(isGood(signer, await signWith(signer, message)))
    const hashes = [createHash('sha256').update(message).digest('base64')]
    assert.deepEqual(
      service.calls.map(({ method, body }) => [method, body.hashes]),
      [
        ['credentials/authorize', hashes],
        ['signatures/signHash', hashes],
      ],
    )
  })

  for (const [algorithm, form] of [
    ['ES256', 'bare'],
    ['RS256', 'der'],
  ] as const) {
    test(`signs with ${algorithm}, answered as ${form}`, async () => {
      const other = await makeService(algorithm, form)
      try {
        const signer = await connect(other, algorithm)
        assert.ok(isGood(signer, await signWith(signer, message)))
      } finally {
        await other.stop()
      }
    })
  }

  test('describes RSA-PSS to the service as it describes it in certificates', async () => {
    const identifier = signatureIdentifier('PS256')
    const calls: Record<string, unknown>[] = []
    const signer = await cscSigner({
      credentialId: 'x',
      algorithm: 'PS256',
      post: async (method, body) => {
        calls.push(body)
        if (method === 'signatures/signHash') return { signatures: ['AAAA'] }
        return method === 'credentials/authorize' ? { SAD: 'x' } : service.post(method, body)
      },
    })
    await signWith(signer, message)
    const parameters = Buffer.from(calls.at(-1)!.signAlgoParams as string, 'base64')
    assert.ok(identifier.subarray(-parameters.length).equals(parameters))
  })

  const faults: [what: string, spoil: CscServer['spoil'], message: RegExp][] = [
    [
      'a certificate that is not valid any more',
      (method, answer) => (method === 'credentials/info' ? { ...answer, cert: { status: 'revoked' } } : answer),
      /the certificate is revoked/,
    ],
    ['no certificate', (method, answer) => (method === 'credentials/info' ? { cert: {} } : answer), /no certificate/],
    [
      'a key that is disabled',
      (method, answer) => (method === 'credentials/info' ? { ...answer, key: { status: 'disabled' } } : answer),
      /the key is disabled/,
    ],
    ['no authorisation', (method, answer) => (method === 'credentials/authorize' ? {} : answer), /SAD is missing/],
    [
      'two signatures',
      (method, answer) => (method === 'signatures/signHash' ? { signatures: ['a', 'b'] } : answer),
      /one signature/,
    ],
  ]
  for (const [what, spoil, words] of faults) {
    test(`refuses ${what}`, async () => {
      service.spoil = spoil
      try {
        await assert.rejects(
          async () => signWith(await connect(service), message),
          (error) => error instanceof PkiError && error.code === 'remote-signer-refused' && words.test(error.message),
        )
      } finally {
        service.spoil = undefined
      }
    })
  }

  test('says why where the PIN is wrong', async () => {
    const signer = await connect(service, 'ES256', '0000')
    await assert.rejects(signWith(signer, message), /refused credentials\/authorize: invalid_pin, The PIN is wrong/)
  })

  test('does not get a second signature out of one authorisation', async () => {
    let sad: unknown
    const post: CscServer['post'] = async (method, body) => {
      if (method === 'credentials/authorize') {
        const answer = (await service.post(method, body)) as { SAD: string }
        sad ??= answer.SAD
        return { SAD: sad }
      }
      return service.post(method, body)
    }
    const signer = await cscSigner({ post, credentialId: 'seal-1', algorithm: 'ES256', secrets: { PIN } })
    await signWith(signer, message)
    await assert.rejects(signWith(signer, Buffer.from('something else')), /SAD does not cover/)
  })
})
