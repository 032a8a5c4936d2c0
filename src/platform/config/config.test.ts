import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readConfig } from './config.ts'
import { ConfigurationError } from './environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-config-'))

describe('configuration', () => {
  after(() => rmSync(folder, { recursive: true }))

  test('needs nothing', () => {
    const config = readConfig({})
    assert.equal(config.port, 8080)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.limits.documentBytes, 25 * 1024 * 1024)
    assert.ok(Object.isFrozen(config))
  })

  test('allows no more than can be finished', () => {
    assert.throws(() => readConfig({ COUNTERSIGN_MAX_SIGNATORIES: '101' }), /MAX_SIGNATORIES must be .* from 1 to 100/)
    assert.throws(
      () => readConfig({ COUNTERSIGN_MAX_DOCUMENT_MB: '451', COUNTERSIGN_MAX_BODY_MB: '1000' }),
      /MAX_DOCUMENT_MB must be .* from 1 to 450/,
    )
  })

  test('takes a secret from a file', () => {
    const file = join(folder, 'secret')
    writeFileSync(file, 'a secret key of more than thirty-two characters\n', { mode: 0o600 })
    assert.equal(
      readConfig({ COUNTERSIGN_SECRET_KEY_FILE: file }).secretKey,
      'a secret key of more than thirty-two characters',
    )
    chmodSync(file, 0o644)
    assert.throws(() => readConfig({ COUNTERSIGN_SECRET_KEY_FILE: file }), /can be read by everybody/)
  })

  test('an outside timestamp authority needs a certificate to be trusted by', () => {
    const url = 'https://timestamps.example.com/'
    const file = join(folder, 'not-a-certificate.pem')
    writeFileSync(file, 'hello')
    assert.throws(() => readConfig({ COUNTERSIGN_TSA_URL: url }), /COUNTERSIGN_TSA_CA_FILE is needed/)
    assert.throws(() => readConfig({ COUNTERSIGN_TSA_CA_FILE: file }), /COUNTERSIGN_TSA_URL is needed/)
    assert.throws(() => readConfig({ COUNTERSIGN_TSA_URL: url, COUNTERSIGN_TSA_CA_FILE: file }), /holds no certificate/)
    assert.throws(() => readConfig({ COUNTERSIGN_TRUST_FILE: file }), /COUNTERSIGN_TRUST_FILE .* holds no certificate/)
    assert.throws(() => readConfig({ COUNTERSIGN_TRUST_FILE: join(folder, 'none') }), /can't be read \(ENOENT\)/)
  })

  test('tells how people are reached', () => {
    const config = readConfig({
      SMTP_URL: 'smtp://robot%40example.com:p%2Fw@mail.example.com',
      COUNTERSIGN_MAIL_FROM: '"Example Sign" <sign@example.com>',
      COUNTERSIGN_SMS_URL: 'https://sms.example.com/send',
      COUNTERSIGN_SMS_HEADERS: 'Authorization: Bearer abc\nX-From: Example',
      COUNTERSIGN_SMS_BODY: '{"messages":[{"to":["{to}"],"body":"{text}"}]}',
      COUNTERSIGN_TIMEZONE: 'Europe/Helsinki',
    })
    assert.deepEqual(config.mail, {
      host: 'mail.example.com',
      port: 587,
      isTls: false,
      login: { user: 'robot@example.com', password: 'p/w' },
      from: { name: 'Example Sign', address: 'sign@example.com' },
    })
    assert.deepEqual(config.sms?.headers, { authorization: 'Bearer abc', 'x-from': 'Example' })
    assert.equal(config.timezone, 'Europe/Helsinki')
  })

  test('needs no sender for a mail catcher on this machine', () => {
    const { mail } = readConfig({ SMTP_URL: 'smtp://localhost:1025' })
    assert.deepEqual(mail?.from, { name: undefined, address: 'countersign@localhost' })
    assert.equal(mail?.port, 1025)
  })

  describe('of identity providers', () => {
    const secret = join(folder, 'client-secret')
    writeFileSync(secret, 'between the two of us\n', { mode: 0o600 })
    const FI = {
      areaCode: 'FI',
      issuer: 'https://id.example.com/',
      clientId: 'countersign',
      clientSecretFile: 'client-secret',
      identifierClaim: 'personal_number',
      acr: 'urn:example:high',
    }
    const read = (content: unknown) => {
      const file = join(folder, 'providers.json')
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
      return readConfig({ COUNTERSIGN_OIDC_FILE: file }).identityProviders
    }

    test('reads them by area code, their secrets from beside the file', () => {
      const providers = read([FI, { ...FI, areaCode: 'SE', acr: ['loa3', 'loa4'], scope: 'openid ssn' }])
      assert.deepEqual([...providers.keys()], ['fi', 'se'])
      const { acr, clientSecret, scope } = providers.get('fi')!
      assert.deepEqual([acr, clientSecret, scope], [['urn:example:high'], 'between the two of us', 'openid'])
      assert.deepEqual(providers.get('se')!.acr, ['loa3', 'loa4'])
    })

    for (const [what, content, mistake] of [
      ['what is no JSON', '{', /not JSON/],
      ['a single object', FI, /must be a JSON list/],
      ['an empty list', [], /must be a JSON list/],
      ['a provider without a client', [{ ...FI, clientId: undefined }], /\[0\] needs clientId/],
      ['a provider without a level', [{ ...FI, acr: undefined }], /needs acr/],
      ['an issuer by plain http', [{ ...FI, issuer: 'http://id.example.com' }], /starts with https/],
      ['a secret that is not there', [{ ...FI, clientSecretFile: 'nowhere' }], /nowhere can't be read \(ENOENT\)/],
      ['an area code twice', [FI, { ...FI, areaCode: 'fi' }], /has the area code fi twice/],
    ] as const) {
      test(`refuses ${what}`, () => assert.throws(() => read(content), mistake))
    }
  })

  describe('of remote keys', () => {
    const KEY = {
      name: 'acme',
      tenantId: '0198C0DE-0000-7000-8000-000000000001',
      url: 'https://signer.example.com/csc/v2/',
      credentialId: 'seal-1',
      algorithm: 'RS256',
      accessTokenFile: 'token',
      secretFiles: { PIN: '/etc/pin' },
    }
    const read = (content: unknown) => {
      const file = join(folder, 'keys.json')
      writeFileSync(file, JSON.stringify(content))
      return readConfig({ COUNTERSIGN_CSC_FILE: file }).remoteKeys
    }

    test('reads them by name, and where their secrets are, but not those', () => {
      const { accessTokenFile, secretFiles, tenantId, url } = read([KEY, { ...KEY, name: 'other' }]).get('acme')!
      assert.deepEqual([accessTokenFile, secretFiles], [join(folder, 'token'), { PIN: '/etc/pin' }])
      assert.deepEqual([tenantId, url], [KEY.tenantId.toLowerCase(), 'https://signer.example.com/csc/v2'])
      assert.equal(readConfig({}).remoteKeys.size, 0)
    })

    for (const [what, content, mistake] of [
      ['an empty list', [], /must be a JSON list of 1 to 1000 keys/],
      ['a key without a credential', [{ ...KEY, credentialId: 7 }], /\[0\] needs credentialId/],
      ['a tenant that is none', [{ ...KEY, tenantId: 'acme' }], /tenantId/],
      ['plain http', [{ ...KEY, url: 'http://signer.example.com' }], /starts with https/],
      ['an unknown algorithm', [{ ...KEY, algorithm: 'MD5' }], /one of ES256, ES384, PS256, RS256/],
      ['a secret that is no file', [{ ...KEY, secretFiles: { PIN: 1234 } }], /secretFiles/],
      ['a name twice', [KEY, KEY], /has the name acme twice/],
    ] as const) {
      test(`refuses ${what}`, () => assert.throws(() => read(content), mistake))
    }
  })

  for (const [variable, value, mistake] of [
    ['SMTP_URL', 'https://mail.example.com', /SMTP_URL must be/],
    ['SMTP_URL', 'smtp://mail.example.com', /COUNTERSIGN_MAIL_FROM is needed/],
    ['SMTP_URL', 'smtp://robot:100%sure@mail.example.com', /MAIL_FROM/],
    ['COUNTERSIGN_MAIL_FROM', 'a@example.com, b@example.com', /COUNTERSIGN_MAIL_FROM must be/],
    ['COUNTERSIGN_MAIL_FROM', 'Example', /COUNTERSIGN_MAIL_FROM must be/],
    ['COUNTERSIGN_SMS_URL', 'ftp://sms.example.com', /COUNTERSIGN_SMS_URL must be/],
    ['COUNTERSIGN_SMS_HEADERS', 'Bearer abc', /COUNTERSIGN_SMS_HEADERS must have/],
    ['COUNTERSIGN_SMS_BODY', '{"to":"{to}"}', /COUNTERSIGN_SMS_BODY must be/],
    ['COUNTERSIGN_SMS_BODY', '{to} {text}', /COUNTERSIGN_SMS_BODY must be/],
    ['COUNTERSIGN_TIMEZONE', 'Middle/Earth', /COUNTERSIGN_TIMEZONE must be/],
  ] as const) {
    test(`refuses ${variable}=${value}`, () => {
      assert.throws(() => readConfig({ [variable]: value }), mistake)
    })
  }

  test('names every mistake at once', () => {
    assert.throws(
      () =>
        readConfig({
          COUNTERSIGN_PORT: '-1',
          COUNTERSIGN_ACTIVE_CONTENT: 'maybe',
          COUNTERSIGN_RATE_LIMIT: '0',
          COUNTERSIGN_HOOKS_ALLOW: '10.0.0.0/8, 10.0.0.0/33, fd00::/8, example.com',
          COUNTERSIGN_HOOKS_CA_FILE: join(folder, 'nothing.pem'),
          COUNTERSIGN_REVOCATION_ORIGINS: 'http://pki.corp, http://pki.corp/path, ftp://pki.corp',
        }),
      (error) => error instanceof ConfigurationError && error.problems.length === 8,
    )
  })

  describe('of tracing', () => {
    const named = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

    for (const [what, environment, isTraced] of [
      ['nothing', {}, false],
      ['a collector', named, true],
      ['a collector for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/v1/traces' }, true],
      ['a collector, and that it is disabled', { ...named, OTEL_SDK_DISABLED: 'true' }, false],
      ['a collector, and no exporter', { ...named, OTEL_TRACES_EXPORTER: 'none' }, false],
      ['a sampler alone', { OTEL_TRACES_SAMPLER: 'always_on' }, false],
    ] as const) {
      test(`${what}: ${isTraced ? 'traced' : 'not traced'}`, () => {
        assert.equal(readConfig(environment).isTraced, isTraced)
      })
    }

    for (const [name, value, problem] of [
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /must be an address/],
      ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /must be one of http\/protobuf/],
      ['OTEL_TRACES_SAMPLER', 'sometimes', /must be one of parentbased_always_on/],
      ['OTEL_TRACES_SAMPLER_ARG', 'half', /must be a number from 0 to 1/],
    ] as const) {
      test(`refuses ${name}=${value}`, () => {
        assert.throws(() => readConfig({ ...named, [name]: value }), problem)
      })
    }
  })

  test('is explained in .env.example, variable by variable, and nothing is explained that does not exist', () => {
    const asked = new Set<string>()
    const environment = new Proxy({}, { get: (_, name) => void asked.add(String(name)) })
    readConfig(environment)
    const isOtherWay = (name: string) => name.endsWith('_FILE') && asked.has(name.slice(0, -'_FILE'.length))
    const names = [...asked].filter((name) => !isOtherWay(name)).sort()
    const explained = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=/gm)]
      .map((match) => match[1]!)
      .sort()
    assert.deepEqual(explained, names)
  })
})
