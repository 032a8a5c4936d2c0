// A whole journey through the real processes with secrets that can be recognised. Afterwards nothing that the service
// keeps or tells holds one of them: not the database, the documents, the data directory, the logs, the metrics, the
// refusals, nor the list of processes.
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { codeOfStep } from '#features/identity/totp.ts'
import { open, openWith, waitFor } from '#features/sealing/testing/sealer.ts'
import { makeRoot, makeSealCertificate } from '#pki/authority.ts'
import { generateKey, memoryKey, memorySigner } from '#pki/raw-signer.ts'
import { newId } from '#platform/ids.ts'
import { signedIn } from './console-browser.ts'
import { currentJournal, databaseFiles } from './database-files.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { ACCESS_TOKEN } from './fakes/csc-server.ts'
import { CLIENT, startIdentityProvider, type FakeIdentityProvider } from './fakes/identity-provider.ts'
import { startMailServer, type MailServer, type ReceivedMail } from './fakes/mail-server.ts'
import { certificatePem } from './fakes/openssl.ts'
import { REMOTE_SEAL, startRemoteSeal, type RemoteSeal } from './fakes/remote-seal.ts'
import { startS3Server, type S3Server } from './fakes/s3-server.ts'
import { makeFinder } from './find-secrets.ts'
import { KEY, makeInstallation, type Installation } from './installation.ts'
import { makeMachineTenant } from './machines.ts'
import { processesOf } from './processes.ts'
import { makeCaller, startService, type Caller, type Reply } from './service.ts'
import { payload } from './signature-requests.ts'
import { Browser, invite } from './signing-flow.ts'
import { makePdf } from './small-pdf.ts'
import { until } from './until.ts'

const canary = (name: string) => `canary-${name}-${randomBytes(12).toString('hex')}`

const NUMBER = '131052-308T'

/** What the operator sets. */
const SET = {
  'the administrator’s password': canary('password'),
  'the secret key': canary('secret-key-of-the-installation'),
  'the secret key before': canary('secret-key-that-was'),
  'the remote key’s PIN': canary('pin'),
  'the identity provider’s client secret': CLIENT.client_secret,
  'the remote signer’s access token': ACCESS_TOKEN,
  'the mail server’s password': canary('smtp'),
  'the gateway’s header': canary('sms'),
  'the token for metrics': canary('metrics'),
}

describe('secrets', () => {
  const secrets = new Map<string, string | Buffer>(Object.entries(SET))
  const refusals: string[] = []
  let installation: Installation
  let database: TestDatabase
  let mails: MailServer
  let s3: S3Server
  let provider: FakeIdentityProvider
  let remoteSeal: RemoteSeal
  /** Where the database's journal stood before all this. */
  let journal: string
  const sealingTenantId = newId()

  before(async () => {
    ;[database, mails, s3, provider, remoteSeal] = await Promise.all([
      createDatabase(),
      startMailServer({ takesLogin: true }),
      startS3Server(),
      startIdentityProvider(),
      startRemoteSeal({ tenantId: sealingTenantId, pin: SET['the remote key’s PIN'] }),
    ])
    journal = await currentJournal(database)
    installation = await makeInstallation(Number(provider.environment['COUNTERSIGN_PORT']))
    await installation.start(environment())
    await travel()
  })
  after(async () => {
    await installation.end('SIGTERM')
    installation.remove()
    await Promise.all([mails.stop(), s3.close(), provider.stop(), remoteSeal.stop()])
    await database.drop()
  })

  function environment(): Record<string, string> {
    const { host, port, user, password } = database.connection as Record<string, string>
    secrets.set('the database’s password', password!)
    secrets.set('the store’s key', s3.credentials.secretAccessKey)
    secrets.set('the first subscription key', KEY)
    return {
      ...provider.environment,
      ...remoteSeal.environment,
      DATABASE_URL: `postgres://${user}:${password}@/${database.name}?host=${encodeURIComponent(host!)}&port=${port}`,
      COUNTERSIGN_STORAGE: `s3://${s3.bucket}?endpoint=${encodeURIComponent(s3.endpoint)}&region=eu-north-1`,
      AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
      COUNTERSIGN_SECRET_KEY: SET['the secret key'],
      COUNTERSIGN_SECRET_KEY_PREVIOUS: SET['the secret key before'],
      COUNTERSIGN_ADMIN_PASSWORD: SET['the administrator’s password'],
      COUNTERSIGN_METRICS_TOKEN: SET['the token for metrics'],
      SMTP_URL: `smtp://sender:${SET['the mail server’s password']}@127.0.0.1:${mails.port}`,
      COUNTERSIGN_SMS_URL: 'http://127.0.0.1:9/',
      COUNTERSIGN_SMS_HEADERS: `Authorization: ${SET['the gateway’s header']}`,
      COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true',
      COUNTERSIGN_LOG_LEVEL: 'debug',
    }
  }

  const url = () => `http://127.0.0.1:${installation.port}`

  /** Every kind of secret comes into being and is used, well and badly. */
  async function travel(): Promise<void> {
    const administrator = await logIn()
    await makePrograms(administrator)
    await makePeople(administrator)
    await importKey(administrator)
    await sign()
    await identify()
    await sealRemotely()
    await useSecondFactor()
    await misuse(administrator)
    await fail(administrator)
  }

  async function logIn(): Promise<Caller> {
    const login = { login: 'admin@countersign.local', password: SET['the administrator’s password'] }
    const { json } = await installation.call('POST', '/identity/login', login)
    secrets.set('a bearer token', json.token)
    return makeCaller(url(), { 'ocp-apim-subscription-key': KEY, authorization: `Bearer ${json.token}` })
  }

  async function makePrograms(administrator: Caller): Promise<void> {
    const { json: key } = await administrator('POST', '/onboarding/subscriptionkey', { name: 'A program' })
    secrets.set('a primary key', key.primaryKey).set('a secondary key', key.secondaryKey)
    const { json: rotated } = await administrator('POST', `/onboarding/subscriptionkey/${key.id}/rotate`, {
      which: 'primary',
    })
    secrets.set('a rotated key', rotated.primaryKey ?? rotated.key)
    const header = canary('receiver')
    secrets.set('a receiver’s header', header)
    const subscription = { eventType: 'signatorysigned', uri: 'http://127.0.0.1:9/', headers: { 'X-Secret': header } }
    const { json: hook } = await administrator('POST', '/hooks/v1/subscription', subscription, {
      headers: { 'idempotency-key': 'made once' },
    })
    secrets.set('a webhook’s secret', hook.secret)
    const { json: renewed } = await administrator('POST', `/hooks/v1/subscription/${hook.id}/secret`)
    secrets.set('a webhook’s new secret', renewed.secret)
  }

  async function makePeople(administrator: Caller): Promise<void> {
    const { json: user } = await administrator('POST', '/onboarding/user', { email: 'clerk@example.com' })
    const invitation = await mailTo('clerk@example.com')
    secrets.set('an invitation by mail', tokenIn(invitation))
    const { json } = await administrator('POST', `/onboarding/user/${user.id}/invitation`)
    secrets.set('an invitation by hand', json.token)
    const password = canary('clerk')
    secrets.set('a clerk’s password', password)
    const { status } = await installation.call('POST', '/identity/password', { token: json.token, password })
    assert.equal(status, 204)
  }

  async function importKey(administrator: Caller): Promise<void> {
    const now = new Date()
    const root = await generateKey('ES256')
    const rootKey = memoryKey(root.privateKey, 'ES256')
    const rootCertificate = await makeRoot({ publicKey: root.publicKey, key: rootKey, name: 'Foreign root', now })
    const issuer = memorySigner({ certificate: rootCertificate, chain: [], algorithm: 'ES256', ...root })
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const seal = { publicKey, name: 'Seal', organization: 'Acme', baseUrl: 'https://pki.example.com', now }
    const certificate = await makeSealCertificate(issuer, seal)
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const pem = certificatePem(certificate) + certificatePem(rootCertificate) + key
    const { json: department } = await administrator('POST', '/onboarding/department', {
      department: { name: 'Seals' },
    })
    const { json } = await administrator('POST', '/sealing/certificate', { pem, departmentId: department.id })
    // In bytes, so that a copy in another form is found as well.
    const scalar = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url')
    secrets.set('an imported private key', scalar)
    secrets.set('an imported private key as text', key.split('\n')[1]!)
    await until('the certificate', async () => {
      const { json: listing } = await administrator('GET', '/sealing/certificate')
      const found = listing.items.find((item: { id: string }) => item.id === json.id)
      assert.notEqual(found.state, 'Failed', found.stateReason)
      return found.state === 'Active'
    })
  }

  async function sign(): Promise<void> {
    const email = 'aino@example.com'
    const { json } = await installation.call('POST', '/onestepsigning/signaturerequest', {
      ...payload(),
      readingAuthenticationStrength: 'Email',
      signingAuthenticationStrength: 'Email',
    })
    const link = linkIn(await mailTo(email))
    secrets.set('a personal link', new URL(link).pathname.split('/').pop()!)
    const browser = new Browser(url())
    assert.equal((await browser.open(link)).status, 204)
    secrets.set('a signatory’s session', browser.cookie!.split('=')[1]!)
    for (const purpose of ['reading', 'signing']) {
      const page = await browser.page()
      if (page[purpose].isMet) continue
      mails.received.length = 0
      await browser.post('/sign/api/code', { purpose })
      const code = /\b\d{6}\b/.exec((await mailTo(email)).text)![0]
      codes.push(code)
      refusals.push((await browser.post('/sign/api/code/verify', { purpose, code: '000000' })).text)
      assert.equal((await browser.post('/sign/api/code/verify', { purpose, code })).status, 204)
    }
    assert.equal((await browser.sign()).status, 202)
    await until('closed', async () => (await installation.call('GET', path(json.id))).json.status === 'Closed')
  }

  const path = (id: string) => `/signing/signaturerequest/${id}`
  const codes: string[] = []

  /** By an identity provider: once while it is broken in the middle, once well. */
  async function identify(): Promise<void> {
    const email = 'strong@example.com'
    const person = { firstName: 'Aino', lastName: 'Virtanen', email, authenticationAreaCode: 'fi' }
    await installation.call('POST', '/onestepsigning/signaturerequest', {
      ...payload(),
      readingAuthenticationStrength: 'Strong',
      signatories: [{ ...person, personalIdentifier: NUMBER }],
    })
    const link = linkIn(await mailTo(email))
    const browser = new Browser(url())
    assert.equal((await browser.open(link)).status, 204)
    for (const [what, isBroken, outcome] of [
      ['a code that nobody could exchange', true, /strong=(?!done)/],
      ['a code of the identity provider', false, /strong=done/],
    ] as const) {
      provider.setBroken(isBroken)
      const { json } = await browser.post('/sign/api/strong', { purpose: 'reading' })
      const back = new URL(await provider.logIn(json.redirectTo, NUMBER))
      secrets.set(what, back.searchParams.get('code')!)
      const { headers } = await browser.get(back.pathname + back.search)
      assert.match(headers.get('location')!, outcome)
    }
  }

  /** With a wrong PIN, which the service refuses, and with the right one. */
  async function sealRemotely(): Promise<void> {
    const call = (await makeMachineTenant(database, sealingTenantId)).at(url())
    const { json: certificate } = await call('POST', '/sealing/certificate', { remoteKey: REMOTE_SEAL })
    await until('the remote key', async () => {
      const { json } = await call('GET', '/sealing/certificate')
      return json.items.find(({ id }: { id: string }) => id === certificate.id).state === 'Active'
    })
    const wrong = canary('wrong-pin')
    secrets.set('a wrong PIN', wrong)
    remoteSeal.writePin(wrong)
    const id = await openWith(call, [makePdf('Remote')])
    refusals.push(JSON.stringify(await waitFor(call, id, 'Error')))
    remoteSeal.writePin(SET['the remote key’s PIN'])
    await open(call, id)
    await waitFor(call, id, 'Processed')
  }

  async function useSecondFactor(): Promise<void> {
    const password = SET['the administrator’s password']
    const page = await signedIn(url(), 'admin@countersign.local', password)
    secrets.set('a console session', page.cookie!.split('=')[1]!)
    const { json: offer } = await page.call('POST', '/console/factor', { password })
    secrets.set('an authenticator’s secret', offer.secret)
    const seed = fromBase32(offer.secret)
    secrets.set('an authenticator’s seed', seed)
    const code = codeOfStep(seed, Math.floor(Date.now() / 30_000))
    const { json, text } = await page.call('POST', '/console/factor/confirm', { code })
    assert.ok(json.recoveryCodes, text)
    for (const [at, recovery] of json.recoveryCodes.entries()) secrets.set(`recovery code ${at}`, recovery)
  }

  /** Secrets where they do not belong: whatever refuses them does not repeat them. */
  async function misuse(administrator: Caller): Promise<void> {
    const misplaced = canary('misplaced')
    secrets.set('a secret in the wrong place', misplaced)
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
    const calls: [string, string, unknown?, { headers?: Record<string, string>; raw?: string }?][] = [
      ['POST', '/identity/login', { login: 'admin@countersign.local', password: misplaced }],
      ['POST', '/identity/login', { login: misplaced, password: 12 }],
      ['POST', '/identity/password', { token: misplaced, password: misplaced }],
      ['GET', `/storage/document/${misplaced}`],
      ['GET', `/nothing/${misplaced}?key=${misplaced}`],
      ['GET', `/signing/signaturerequest/${misplaced}`],
      ['GET', '/identity/me', undefined, bearer(misplaced)],
      ['GET', '/identity/me', undefined, { headers: { 'ocp-apim-subscription-key': misplaced } }],
      ['POST', '/sealing/certificate', { pem: misplaced, password: misplaced }],
      ['POST', '/onestepsigning/signaturerequest', undefined, { raw: `{"subject":"${misplaced}` }],
      ['POST', '/hooks/v1/subscription', { uri: `https://user:${misplaced}@example.com/`, eventType: 'x' }],
    ]
    for (const [method, address, body, options] of calls) {
      const { status, text } = await administrator(method, address, body, options)
      assert.ok(status < 500, `${method} ${address} ${status}`)
      refusals.push(text)
    }
    const browser = new Browser(url())
    refusals.push((await browser.open(`${url()}/sign/${misplaced}`)).text)
  }

  /** An error that nobody meant: the database refuses a row, and tells in its complaint what stands in it. */
  async function fail(administrator: Caller): Promise<void> {
    const unlucky = canary('unlucky')
    secrets.set('what was sent when something broke', unlucky)
    await database.asOwner(`create function refuse_row() returns trigger language plpgsql as $$
      begin raise exception 'this row is refused' using detail = 'Failing row contains ' || new::text; end $$`)
    await database.asOwner(`create trigger refuse_row before insert on department
                            for each row execute function refuse_row()`)
    const { status, text } = await administrator('POST', '/onboarding/department', { department: { name: unlucky } })
    await database.asOwner('drop trigger refuse_row on department')
    assert.equal(status, 500, text)
    refusals.push(text)
  }

  async function mailTo(address: string): Promise<ReceivedMail> {
    return until(`a mail to ${address}`, async () => mails.received.findLast(({ to }) => to.includes(address)))
  }

  /** Every row of every table as text, bytes in hexadecimal. */
  async function dump(): Promise<string> {
    const tables = await database.asOwner(
      `select c.oid::regclass::text as name from pg_class c
        where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`,
    )
    assert.ok(tables.length > 30)
    const rows = []
    for (const { name } of tables) {
      for (const { row } of await database.asOwner(`select t::text as row from ${String(name)} t`))
        rows.push(`${String(name)} ${String(row)}`)
    }
    assert.ok(rows.length > 100, 'nothing happened')
    return rows.join('\n')
  }

  test('came into being, all of them', (t) => {
    t.diagnostic(`${secrets.size} secrets`)
    for (const [name, secret] of secrets) assert.ok(secret?.length >= 8, name)
    assert.ok(secrets.size >= 44, `${secrets.size} secrets`)
    assert.equal(codes.length, 2)
  })

  test('would be found, however they are written', () => {
    const find = makeFinder(secrets)
    for (const [name, secret] of secrets) {
      for (const around of ['', 'x', 'xy']) {
        const bytes = Buffer.concat([Buffer.from(around), Buffer.from(secret), Buffer.from(around)])
        for (const spelling of [bytes, bytes.toString('base64'), bytes.toString('hex')])
          assert.ok(find('here', spelling).includes(`here tells ${name}`), `${name} ${spelling.toString()}`)
      }
    }
  })

  test('are in no row of the database: not in jobs, idempotent answers, messages or events either', async () => {
    assert.deepEqual(makeFinder(secrets)('the database', await dump()), [])
  })

  test('are in no file of the database, where deleted rows and the journal stay for a while', async () => {
    const find = makeFinder(secrets)
    const marker = canary('marker')
    await database.asOwner('create table marker as select $1::text as word', [marker])
    await database.asOwner('delete from marker')
    await database.asOwner('checkpoint')
    const files = await databaseFiles(database, journal)
    const isMarked = makeFinder(new Map([['the marker', marker]]))
    const findings = files.map((file) => ({ file, bytes: readFileSync(file) }))
    assert.ok(
      findings.filter(({ file, bytes }) => isMarked(file, bytes).length > 0).length >= 2,
      'a deleted row is seen',
    )
    for (const { file, bytes } of findings) assert.deepEqual(find(file, bytes), [])
  })

  test('are in no log of any process', () => {
    const output = installation.output()
    // The first start tells its owner the first key, once.
    const logs = output.split('\n').filter((line) => line.startsWith('{'))
    assert.ok(logs.length > 30, output)
    assert.match(logs.join('\n'), /"status":500/)
    assert.match(logs.join('\n'), /this row is refused/, 'what broke is told')
    assert.deepEqual(makeFinder(secrets)('a log', logs.join('\n')), [])
    for (const code of codes) assert.doesNotMatch(logs.join('\n'), new RegExp(`(?<![0-9])${code}(?![0-9])`))
  })

  test('are neither in metrics nor in refusals', async () => {
    const headers = { authorization: `Bearer ${SET['the token for metrics']}` }
    const metrics: Reply = await installation.call('GET', '/metrics', undefined, { headers })
    assert.equal(metrics.status, 200)
    const find = makeFinder(secrets)
    assert.deepEqual(find('metrics', metrics.text), [])
    assert.deepEqual(find('a refusal', refusals.join('\n')), [])
  })

  test('are in no argument of a process', () => {
    const commands = processesOf(installation.dataDir).map(({ command }) => command)
    assert.ok(commands.length >= 3)
    assert.deepEqual(makeFinder(secrets)('an argument', commands.join('\n')), [])
  })

  test('are in no file of the data directory but the one that only its owner reads, and in no stored document', () => {
    const find = makeFinder(secrets)
    const files = readdirSync(installation.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'first-start.txt')
      .map((entry) => join(entry.parentPath, entry.name))
    for (const file of files) assert.deepEqual(find(file, readFileSync(file)), [])
    assert.ok(s3.objects.size > 0)
    for (const [key, { bytes }] of s3.objects) assert.deepEqual(find(key, bytes), [])
  })
})

describe('a message that waits in the outbox of a newcomer', () => {
  test('tells its link to an administrator, and the database does not know it', async () => {
    const service = await startService({}, { worker: true })
    try {
      const tenant = await service.createTenant()
      const { requestId } = await invite(tenant)
      const message = await until('the message', async () => {
        const { json } = await tenant.asAdministrator('GET', `/messages?signatureRequestId=${requestId}`)
        return json.items.find(({ state }: { state: string }) => state === 'outbox')
      })
      const { json } = await tenant.asAdministrator('GET', `/messages/${message.id}`)
      const token = new URL(json.url).pathname.split('/').pop()!
      assert.equal((await new Browser(service.url).open(json.url)).status, 204, 'it is the real link')
      const find = makeFinder(new Map([['the link', token]]))
      const tables = await service.database.asOwner(
        `select c.oid::regclass::text as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
      )
      for (const { name } of tables) {
        const rows = await service.database.asOwner(`select t::text as row from ${String(name)} t`)
        assert.deepEqual(find(String(name), JSON.stringify(rows)), [])
      }
    } finally {
      await service.stop()
    }
  })
})

function linkIn({ text }: ReceivedMail): string {
  return /https?:\/\/\S+\/sign\/\S+/.exec(text)![0]
}

function tokenIn({ text }: ReceivedMail): string {
  return new URL(/https?:\/\/\S+/.exec(text)![0]).href.split(/[/=#?]/).pop()!
}

/** What an app reads the secret as (RFC 4648 6). */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  )
}
