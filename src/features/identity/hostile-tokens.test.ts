// Tokens as an attacker would make them, over HTTP. Each differs in one thing from a token that is accepted, which the
// first test proves; the signing key is derived here as the service derives it.
import assert from 'node:assert/strict'
import {
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'

type Parts = { header?: object; claims?: object; without?: string[] }

describe('a hostile token', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let key: { id: string; privateKey: KeyObject; publicKey: KeyObject; jwk: object }

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    key = await ownKey()
  })
  after(() => service.stop())

  async function ownKey() {
    const now = service.clock.now()
    const quarter = `${now.getUTCFullYear()}-${Math.floor(now.getUTCMonth() / 3) + 1}`
    const [seed] = service.platform.keyring.keysFor(`token ${quarter}`, 48)
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const scalar = (BigInt(`0x${seed!.toString('hex')}`) % (order - 1n)) + 1n
    const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
    const ecdh = createECDH('prime256v1')
    ecdh.setPrivateKey(d)
    const [x, y] = [ecdh.getPublicKey().subarray(1, 33), ecdh.getPublicKey().subarray(33)]
    const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
    const privateKey = createPrivateKey({ key: { ...jwk, d: d.toString('base64url') }, format: 'jwk' })
    const { keys } = (await service.call('GET', '/identity/.well-known/jwks.json')).json
    return { id: keys[0].kid as string, privateKey, publicKey: createPublicKey(privateKey), jwk }
  }

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  function parts({ header = {}, claims = {}, without = [] }: Parts = {}) {
    const now = Math.floor(service.clock.now().getTime() / 1000)
    const payload: Record<string, unknown> = {
      iss: 'countersign',
      aud: 'countersign-api',
      sub: acme.administratorId,
      tenant: acme.tenantId,
      department: acme.rootDepartmentId,
      role: 'administrator',
      jti: newId(),
      iat: now,
      exp: now + 3600,
      ...claims,
    }
    for (const name of without) delete payload[name]
    return `${encode({ alg: 'ES256', kid: key.id, typ: 'at+jwt', ...header })}.${encode(payload)}`
  }

  const signed = (text: string, privateKey = key.privateKey) =>
    `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  const macked = (text: string, secret: string | Buffer) =>
    `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  const present = (token: string) =>
    acme.call('GET', '/identity/me', undefined, { headers: { authorization: `Bearer ${token}` } })

  test('would be accepted, were nothing wrong with it', async () => {
    const { status, json } = await present(signed(parts()))
    assert.equal(status, 200)
    assert.equal(json.id, acme.administratorId)
  })

  test('is refused with 401, whatever is wrong with it', async () => {
    const now = Math.floor(service.clock.now().getTime() / 1000)
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const strangerJwk = stranger.publicKey.export({ format: 'jwk' })
    const good = signed(parts())
    const [header, payload, signature] = good.split('.') as [string, string, string]
    const raised = encode({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), role: 'owner' })
    const pem = key.publicKey.export({ type: 'spki', format: 'pem' })
    const der = key.publicKey.export({ type: 'spki', format: 'der' })
    const tokens: Record<string, string> = {
      'alg none': `${parts({ header: { alg: 'none' } })}.`,
      'alg None': `${parts({ header: { alg: 'None' } })}.`,
      'alg none with a signature': `${parts({ header: { alg: 'none' } })}.${signature}`,
      'HS256 with the public key as PEM': macked(parts({ header: { alg: 'HS256' } }), pem),
      'HS256 with the public key as DER': macked(parts({ header: { alg: 'HS256' } }), der),
      'HS256 with an empty key': macked(parts({ header: { alg: 'HS256' } }), ''),
      'a key of its own in jwk': signed(parts({ header: { jwk: strangerJwk } }), stranger.privateKey),
      'a jku': signed(parts({ header: { jku: 'https://attacker.example/jwks.json' } }), stranger.privateKey),
      'an x5u': signed(parts({ header: { x5u: 'https://attacker.example/c.pem' } }), stranger.privateKey),
      'a kid that is a path': signed(parts({ header: { kid: '../../../../dev/null' } })),
      'an unknown kid': signed(parts({ header: { kid: 'unknown' } }), stranger.privateKey),
      'no kid': signed(parts({ header: { kid: undefined } })),
      'a signature by somebody else': signed(parts(), stranger.privateKey),
      expired: signed(parts({ claims: { iat: now - 7200, exp: now - 3600 } })),
      'no exp': signed(parts({ without: ['exp'] })),
      'an exp that is a text': signed(parts({ claims: { exp: 'never' } })),
      'wrong aud': signed(parts({ claims: { aud: 'another-service' } })),
      'no aud': signed(parts({ without: ['aud'] })),
      'wrong iss': signed(parts({ claims: { iss: 'attacker' } })),
      'wrong typ': signed(parts({ header: { typ: 'JWT' } })),
      'no typ': signed(parts({ header: { typ: undefined } })),
      'future nbf': signed(parts({ claims: { nbf: now + 600 } })),
      'no jti': signed(parts({ without: ['jti'] })),
      'unknown crit': signed(parts({ header: { crit: ['b64x'], b64x: true } })),
      'tampered claims': `${header}.${raised}.${signature}`,
      'a tampered signature': `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      'a signature of zeros': `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
      'no signature': `${header}.${payload}.`,
      'two parts': `${header}.${payload}`,
      'five parts': `${good}.AAAA.AAAA`,
      'another tenant’s user': signed(
        parts({ claims: { tenant: other.tenantId, sub: other.administratorId, department: other.rootDepartmentId } }),
      ),
      'a user who does not exist': signed(parts({ claims: { sub: newId() } })),
      'a department that the user can’t act for': signed(parts({ claims: { department: other.rootDepartmentId } })),
      'too long': `${good}${'A'.repeat(5000)}`,
    }
    for (const [what, token] of Object.entries(tokens)) {
      const { status, json } = await present(token)
      assert.equal(status, 401, what)
      assert.equal(json.classification, 'AuthenticationError', what)
    }
  })

  test('in a header that is no bearer token is refused too', async () => {
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer ', signed(parts()), `Bearer ${signed(parts())} x`]) {
      const { status } = await acme.call('GET', '/identity/me', undefined, { headers: { authorization } })
      assert.equal(status, 401, authorization)
    }
  })

  test('ends an hour after it was issued', async () => {
    const token = await service.platform.tokens.issue(
      {
        userId: acme.administratorId,
        tenantId: acme.tenantId,
        departmentId: acme.rootDepartmentId,
        role: 'administrator',
      },
      new Date(service.clock.now().getTime() - 3_590_000),
    )
    assert.equal((await present(token)).status, 200)
    service.clock.advance(30_000)
    assert.equal((await present(token)).status, 401)
  })

  test('can be told from ours by anybody: the public keys need no key', async () => {
    const { status, json } = await service.call('GET', '/identity/.well-known/jwks.json')
    assert.equal(status, 200)
    assert.deepEqual(json.keys[0], { ...key.jwk, kid: key.id, alg: 'ES256', use: 'sig' })
    assert.ok(json.keys.every((jwk: object) => !('d' in jwk)))
  })
})
