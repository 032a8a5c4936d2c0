// People whose names, addresses, numbers and documents can be recognised sign and are in the way of failures, in the real
// processes. Of all that, neither the logs nor the metrics nor an answer to anybody else tells a word.
import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createDatabase, type TestDatabase } from './database.ts'
import { startIdentityProvider, STRONG, type FakeIdentityProvider } from './fakes/identity-provider.ts'
import { startMailServer, type MailServer } from './fakes/mail-server.ts'
import { startSmsGateway, type FakeSmsGateway } from './fakes/sms-gateway.ts'
import { makeFinder } from './find-secrets.ts'
import { makeInstallation, type Installation } from './installation.ts'
import { databaseEnvironment, makeMachineTenant } from './machines.ts'
import type { Caller, Reply } from './service.ts'
import { CREATE, payload, pdf } from './signature-requests.ts'
import { Browser } from './signing-flow.ts'
import { until } from './until.ts'

const canary = (name: string) => `canary${name}${randomBytes(8).toString('hex')}`

const PERSON = {
  firstName: canary('First'),
  lastName: canary('Last'),
  email: `${canary('mail').toLowerCase()}@example.com`,
  mobilePhone: `+35840${randomInt(1_000_000, 9_999_999)}`,
  personalIdentifier: canary('number'),
  authenticationAreaCode: 'fi',
}
const SUBJECT = canary('Subject')
const TEXT = canary('Text')
const REASON = canary('Reason')
const PERSONAL = new Map([
  ['a first name', PERSON.firstName],
  ['a last name', PERSON.lastName],
  ['an e-mail address', PERSON.email],
  ['a phone number', PERSON.mobilePhone],
  ['a phone number without its sign', PERSON.mobilePhone.slice(1)],
  ['a personal identifier', PERSON.personalIdentifier],
  ['a subject', SUBJECT],
  ['the text of a document', TEXT],
  ['the name of a file', `${TEXT}.pdf`],
  ['the reason of a refusal', REASON],
])
const METRICS_TOKEN = 'a token that reads metrics in tests'

describe('what is personal', () => {
  /** What others than those whom it concerns were answered. */
  const answers: string[] = []
  let installation: Installation
  let database: TestDatabase
  let mails: MailServer
  let texts: FakeSmsGateway
  let provider: FakeIdentityProvider
  let call: Caller

  before(async () => {
    ;[database, mails, texts, provider] = await Promise.all([
      createDatabase(),
      startMailServer(),
      startSmsGateway(),
      startIdentityProvider(),
    ])
    installation = await makeInstallation(Number(provider.environment['COUNTERSIGN_PORT']))
    await installation.start(environment())
    call = (await makeMachineTenant(database)).at(url())
    await travel()
  })
  after(async () => {
    await installation.end('SIGTERM')
    installation.remove()
    await Promise.all([mails.stop(), texts.stop(), provider.stop()])
    await database.drop()
  })

  function environment(): Record<string, string> {
    return {
      ...provider.environment,
      ...databaseEnvironment(database),
      COUNTERSIGN_METRICS_TOKEN: METRICS_TOKEN,
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      COUNTERSIGN_SMS_URL: texts.url,
      COUNTERSIGN_LOG_LEVEL: 'debug',
    }
  }

  const url = () => `http://127.0.0.1:${installation.port}`

  /** All that can befall somebody who is asked to sign. */
  async function travel(): Promise<void> {
    await sign()
    await refuseMessages()
    await failInServer()
    await failInWorker()
    await misuse()
  }

  const signatureRequest = (changes: Record<string, unknown> = {}) =>
    payload({
      subject: SUBJECT,
      signatories: [PERSON],
      documents: [{ title: TEXT, fileName: `${TEXT}.pdf`, contentBase64: pdf(TEXT) }],
      ...changes,
    })

  async function create(changes: Record<string, unknown> = {}): Promise<string> {
    const { status, json, text } = await call('POST', CREATE, signatureRequest(changes))
    assert.equal(status, 202, text)
    return json.id
  }

  const read = async (id: string) => (await call('GET', `/signing/signaturerequest/${id}`)).json
  const untilItIs = (id: string, status: string) => until(status, async () => (await read(id)).status === status)

  /** Opens the link of the only signatory, once it is their turn. */
  async function follow(id: string): Promise<Browser> {
    const signatory = await until('the invitation', async () => {
      const [only] = (await read(id)).signatories
      return only.state === 'Invited' && only
    })
    const { json } = await call('GET', `/signing/signaturerequest/${id}/signatory/${signatory.id}/link`)
    const browser = new Browser(url())
    assert.equal((await browser.open(json.url)).status, 204)
    return browser
  }

  /** Identified by a provider, which says something wrong before it says what is right, and by a code on the phone. */
  async function sign(): Promise<void> {
    const id = await create({ readingAuthenticationStrength: 'Strong', signingAuthenticationStrength: 'Sms' })
    const browser = await follow(id)
    await identify(browser, { as: 'somebody else', outcome: /strong=wrongperson/ })
    provider.setLevel('urn:example:weak')
    await identify(browser, { as: PERSON.personalIdentifier, outcome: /strong=(?!done)/ })
    provider.setLevel(STRONG)
    await identify(browser, { as: PERSON.personalIdentifier, outcome: /strong=done/ })
    texts.statuses.push(500)
    await browser.post('/sign/api/code', { purpose: 'signing' })
    const code = await until('the code', async () => /\b\d{6}\b/.exec(JSON.stringify(texts.received[1]?.body))?.[0])
    assert.equal((await browser.post('/sign/api/code/verify', { purpose: 'signing', code })).status, 204)
    assert.equal((await browser.sign()).status, 202)
    await untilItIs(id, 'Closed')
    await askAsOthers(id)
  }

  async function identify(browser: Browser, { as, outcome }: { as: string; outcome: RegExp }): Promise<void> {
    const { json } = await browser.post('/sign/api/strong', { purpose: 'reading' })
    const back = new URL(await provider.logIn(json.redirectTo, as))
    const { headers } = await browser.get(back.pathname + back.search)
    assert.match(headers.get('location')!, outcome)
  }

  /** Another tenant, and somebody without a key. */
  async function askAsOthers(id: string): Promise<void> {
    const { documents, signatories } = await read(id)
    const other = (await makeMachineTenant(database)).at(url())
    const stranger = new Browser(url())
    for (const path of [
      `/signing/signaturerequest/${id}`,
      `/signing/signaturerequest/${id}/signatory/${signatories[0].id}/link`,
      `/event/signaturerequest/${id}`,
      `/storage/document/${documents[0].documentURI ?? documents[0].id}`,
      '/signing/signaturerequest',
    ])
      answers.push((await other('GET', path)).text, (await stranger.get(path)).text)
  }

  /** The mail server repeats whom it does not know, and what it does not take. */
  async function refuseMessages(): Promise<void> {
    mails.moods.push({ recipient: 450 }, { data: 451 }, { recipient: 550 })
    const failures = () => logged(/the mail server said 45/).length
    const before = failures()
    await create()
    await until('a message that failed', async () => failures() > before)
    const declining = await create({ signingAuthenticationStrength: 'None' })
    const browser = await follow(declining)
    const { status, text } = await browser.post('/sign/api/decline', { reason: REASON })
    assert.equal(status, 204, text)
  }

  /** The database refuses a row, and tells in its complaint what stands in it. */
  async function refuseRows(table: string, work: () => Promise<void>): Promise<void> {
    await database.asOwner(`create function refuse_row() returns trigger language plpgsql as $$
      begin raise exception 'this row is refused' using detail = 'Failing row contains ' || new::text; end $$`)
    await database.asOwner(
      `create trigger refuse_row before insert on ${table} for each row execute function refuse_row()`,
    )
    await work()
    await database.asOwner('drop function refuse_row cascade')
  }

  function failInServer(): Promise<void> {
    return refuseRows('signatory', async () => {
      const { status, text } = await call('POST', CREATE, signatureRequest())
      assert.equal(status, 500, text)
      answers.push(text)
    })
  }

  async function failInWorker(): Promise<void> {
    const id = await create({ signingAuthenticationStrength: 'None' })
    const browser = await follow(id)
    await refuseRows('certificate', async () => {
      assert.equal((await browser.sign()).status, 202)
      await until('the failure', async () => logged(/this row is refused/).some((line) => line.includes('"work"')))
    })
    await untilItIs(id, 'Closed')
  }

  /** Where it does not belong. */
  async function misuse(): Promise<void> {
    const calls: [method: string, path: string, body?: unknown][] = [
      ['GET', `/signing/signaturerequest?search=${PERSON.lastName}&take=0`],
      ['GET', `/signing/signaturerequest/${PERSON.email}`],
      ['GET', `/nothing/${PERSON.personalIdentifier}?email=${PERSON.email}`],
      ['POST', '/identity/login', { login: PERSON.email, password: 'wrong' }],
      ['POST', CREATE, signatureRequest({ documents: [{ contentBase64: btoa(TEXT) }] })],
    ]
    for (const [method, path, body] of calls) {
      const { status, text } = await call(method, path, body)
      assert.ok(status < 500, `${method} ${path} ${status}`)
      answers.push(text)
    }
  }

  const logged = (what: RegExp) =>
    installation
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{') && what.test(line))

  test('is there to be found: in the database, in e-mails and in texts', async () => {
    const rows = await database.asOwner('select t::text as row from signatory t')
    const find = makeFinder(PERSONAL)
    assert.ok(find('the database', JSON.stringify(rows)).length >= 6)
    assert.ok(mails.received.length > 2)
    assert.ok(mails.received.some(({ text }) => text.includes(SUBJECT)))
    assert.ok(texts.received.length >= 2)
  })

  test('is in no log of any process', () => {
    const logs = logged(/./).join('\n')
    for (const part of ['serve', 'work']) assert.match(logs, new RegExp(`"process":"${part}"`))
    for (const what of [/"status":500/, /the mail server said 45/, /the SMS gateway answered with status 500/])
      assert.match(logs, what)
    assert.deepEqual(makeFinder(PERSONAL)('a log', installation.output()), [])
  })

  test('is in no log as a sentence of a message', () => {
    const sentences = mails.received.flatMap(({ text }) => text.split('\n')).filter((line) => line.length > 20)
    assert.ok(sentences.length > 10)
    const letters = new Map([...new Set(sentences)].map((line) => [line, line]))
    assert.deepEqual(makeFinder(letters)('a log', logged(/./).join('\n')), [])
  })

  test('is neither in metrics nor in answers to others', async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const metrics: Reply = await installation.call('GET', '/metrics', undefined, { headers })
    assert.equal(metrics.status, 200)
    const find = makeFinder(PERSONAL)
    assert.deepEqual(find('metrics', metrics.text), [])
    assert.ok(answers.length > 10)
    assert.deepEqual(find('an answer', answers.join('\n')), [])
  })
})
