import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readTroubles } from '#platform/troubles/troubles.ts'
import { startIdentityProvider, STRONG, type FakeIdentityProvider } from '../../../test/fakes/identity-provider.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { CREATE, payload } from '../../../test/signature-requests.ts'
import { unzip } from '../../../test/unzip.ts'
import {
  fetchBytes,
  invite,
  openLink,
  startSigningService,
  untilStatus,
  type Browser,
} from '../../../test/signing-flow.ts'
import { checkIdentityProviders } from './check-providers.ts'

const NUMBER = '131052-308T'
const PERSON = {
  firstName: 'Aino',
  lastName: 'Virtanen',
  email: 'aino@example.com',
  authenticationAreaCode: 'fi',
  personalIdentifier: NUMBER,
}

describe('strong authentication', () => {
  let provider: FakeIdentityProvider
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    provider = await startIdentityProvider()
    service = await startSigningService(provider.environment)
    tenant = await service.createTenant()
  })
  after(async () => {
    await service.stop()
    await provider.stop()
  })

  type Person = Partial<typeof PERSON> & Record<string, unknown>
  type Visit = { browser: Browser; requestId: string; signatoryId: string }

  async function begin(changes: Record<string, unknown>, person: Person = PERSON): Promise<Visit> {
    const { requestId, signatoryIds } = await invite(tenant, { signatories: [person], ...changes })
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    return { browser, requestId, signatoryId: signatoryIds[0]! }
  }
  const forReading = (person?: Person) => begin({ readingAuthenticationStrength: 'Strong' }, person)
  const forSigning = (person?: Person) => begin({ signingAuthenticationStrength: 'Strong' }, person)

  async function leave(browser: Browser, purpose: string): Promise<string> {
    const { status, json, text } = await browser.post('/sign/api/strong', { purpose })
    assert.equal(status, 200, text)
    return json.redirectTo
  }
  /** Follows the provider's redirect in this browser; answers with where it leads on to. */
  async function comeBack(browser: Browser, address: string): Promise<string | null> {
    const { pathname, search } = new URL(address)
    const { status, headers } = await browser.get(pathname + search)
    assert.equal(status, 303)
    return headers.get('location')
  }
  async function identify(browser: Browser, purpose: string, as: string): Promise<string | null> {
    return comeBack(browser, await provider.logIn(await leave(browser, purpose), as))
  }
  const historyOf = async (requestId: string, type: string) => {
    const { json } = await tenant.call('GET', `/event/signaturerequest/${requestId}`)
    return (json.items as { eventType: string; data: Record<string, unknown> }[]).filter((e) => e.eventType === type)
  }

  test('for reading shows nothing before it, and everything after it', async () => {
    const { browser, requestId } = await forReading()
    const before = await browser.page()
    assert.deepEqual([before.state, before.subject, before.documents], ['authenticate', null, null])
    assert.equal(await identify(browser, 'reading', NUMBER), '/sign?strong=done&purpose=reading')
    assert.equal((await browser.page()).state, 'ready')
    const [event] = await historyOf(requestId, 'signatoryauthenticated')
    const { purpose, method, areaCode, issuer, acr, subject, isIdentifierCompared } = event!.data
    assert.deepEqual(
      { purpose, method, areaCode, issuer, acr, subject, isIdentifierCompared },
      {
        purpose: 'reading',
        method: 'identityprovider',
        areaCode: 'fi',
        issuer: provider.issuer,
        acr: STRONG,
        subject: `person-${NUMBER}`,
        isIdentifierCompared: true,
      },
    )
  })

  test('for signing stands in the certificate and in the evidence', async () => {
    const { browser, requestId } = await forSigning()
    assert.equal((await browser.sign()).status, 403, 'not before the identification')
    assert.equal(await identify(browser, 'signing', NUMBER), '/sign?strong=done&purpose=signing')
    assert.equal((await browser.sign()).status, 202)
    await untilStatus(tenant, requestId, 'Closed')
    const host = new URL(provider.issuer).host
    const [row] = await service.database.asOwner(
      `select certificate, policy from signature_intent where request_id = $1 and signatory_id is not null`,
      [requestId],
    )
    const { certificate, policy } = row as { certificate: Buffer; policy: string }
    assert.equal(
      policy,
      `Electronic signature. The person was authenticated by an identity provider ${host} (${STRONG}).`,
    )
    assert.ok(certificate.includes(Buffer.from(policy)), 'the certificate says the same')
    const files = unzip(await fetchBytes(service, tenant, `/signing/signaturerequest/${requestId}/evidence`))
    const evidence = JSON.parse(files.get('evidence.json')!.toString())
    const { strength, identity } = evidence.participants[0].authentication.signing
    assert.deepEqual([strength, identity.issuer, identity.acr], ['Strong', provider.issuer, STRONG])
  })

  test('of somebody else is refused and recorded, and the right person may still come', async () => {
    const { browser, requestId } = await forReading()
    assert.equal(await identify(browser, 'reading', '010203-999X'), '/sign?strong=wrongperson&purpose=reading')
    assert.equal((await browser.page()).state, 'authenticate')
    const [event] = await historyOf(requestId, 'signatoryauthenticationfailed')
    assert.equal(event!.data['reason'], 'wrongperson')
    assert.equal(await identify(browser, 'reading', NUMBER), '/sign?strong=done&purpose=reading')
  })

  test('without an identifier to compare lets anybody in whom the provider knows, and says so', async () => {
    const { browser, requestId } = await forReading({ ...PERSON, personalIdentifier: undefined })
    assert.equal(await identify(browser, 'reading', '010203-999X'), '/sign?strong=done&purpose=reading')
    const [event] = await historyOf(requestId, 'signatoryauthenticated')
    assert.deepEqual([event!.data['isIdentifierCompared'], event!.data['subject']], [false, 'person-010203-999X'])
  })

  test('that the person breaks off changes nothing', async () => {
    const { browser } = await forReading()
    assert.equal(await identify(browser, 'reading', 'nobody'), '/sign?strong=aborted&purpose=reading')
    assert.equal((await browser.page()).state, 'authenticate')
  })

  test('at a lower level than the operator asks for is refused', async () => {
    const { browser } = await forReading()
    provider.setLevel('urn:example:weak')
    try {
      assert.equal(await identify(browser, 'reading', NUMBER), '/sign?strong=failed&purpose=reading')
    } finally {
      provider.setLevel(STRONG)
    }
    assert.equal((await browser.page()).reading.isMet, false)
  })

  test('an answer counts once', async () => {
    const { browser, requestId } = await forReading()
    const address = await provider.logIn(await leave(browser, 'reading'), NUMBER)
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => comeBack(browser, address)))
    assert.equal(outcomes.filter((outcome) => outcome === '/sign?strong=done&purpose=reading').length, 1)
    assert.equal(outcomes.filter((outcome) => outcome === '/sign').length, 4)
    assert.equal((await historyOf(requestId, 'signatoryauthenticated')).length, 1)
  })

  test('an answer to another session, for another state, late, or without a session proves nothing', async () => {
    const mine = await forReading()
    const other = await forReading()
    const stolen = await provider.logIn(await leave(mine.browser, 'reading'), NUMBER)
    assert.equal(await comeBack(other.browser, stolen), '/sign')
    assert.equal((await other.browser.page()).state, 'authenticate')

    const changed = new URL(stolen)
    changed.searchParams.set('state', 'A'.repeat(43))
    assert.equal(await comeBack(mine.browser, changed.href), '/sign')
    const { pathname, search } = new URL(stolen)
    const stranger = await service.call('GET', pathname + search)
    assert.deepEqual([stranger.status, stranger.headers.get('location')], [303, '/sign'])

    service.clock.advance(11 * 60_000)
    assert.equal(await comeBack(mine.browser, stolen), '/sign')
    assert.equal((await mine.browser.page()).state, 'authenticate')
    service.clock.advance(-11 * 60_000)
  })

  test('a code that belongs to another identification is refused, by PKCE and by the nonce', async () => {
    const mine = await forReading()
    const other = await forReading()
    const answer = new URL(await provider.logIn(await leave(mine.browser, 'reading'), NUMBER))
    const foreign = new URL(await provider.logIn(await leave(other.browser, 'reading'), NUMBER))
    answer.searchParams.set('code', foreign.searchParams.get('code')!)
    assert.equal(await comeBack(mine.browser, answer.href), '/sign?strong=failed&purpose=reading')
    assert.equal((await mine.browser.page()).state, 'authenticate')
  })

  test('is not begun by whoever needs none, nor from another page, nor without end', async () => {
    const { browser } = await forSigning()
    assert.equal((await browser.post('/sign/api/strong', { purpose: 'reading' })).json.code, 7953)
    const foreign = await browser.post('/sign/api/strong', { purpose: 'signing' }, { origin: 'https://evil.example' })
    assert.equal(foreign.status, 403)
    for (let i = 0; i < 20; i++) await leave(browser, 'signing')
    assert.equal((await browser.post('/sign/api/strong', { purpose: 'signing' })).json.code, 7954)
  })

  test('is asked for in vain where no provider answers for the area', async () => {
    const ask = async (signatory: Person, status = 'Open') => {
      const body = payload({ status, signatories: [signatory], readingAuthenticationStrength: 'High' })
      return (await tenant.call('POST', CREATE, body)).json.message as string | undefined
    }
    const { authenticationAreaCode: _gone, ...nowhere } = PERSON
    assert.match(
      (await ask({ ...PERSON, authenticationAreaCode: 'SE' }))!,
      /^signatories\[0\]\.authenticationAreaCode: no identity provider.* one of fi/,
    )
    assert.match((await ask({ ...PERSON, authenticationAreaCode: 'SE' }, 'Draft'))!, /authenticationAreaCode/)
    assert.match((await ask(nowhere))!, /^signatories\[0\]\.authenticationAreaCode: is required/)
    assert.equal(await ask(nowhere, 'Draft'), undefined, 'a draft may lack it')
  })

  test('says that the provider is away, and readiness knows it', async () => {
    // A request of its own process's memory: this service has not asked the provider yet.
    const fresh = await startService({ COUNTERSIGN_OIDC_FILE: provider.environment['COUNTERSIGN_OIDC_FILE']! })
    const { platform: ofWorker } = fresh.startWorker()
    try {
      await provider.goAway()
      const there = await fresh.createTenant()
      const { requestId, signatoryIds } = await invite(there, {
        signatories: [PERSON],
        readingAuthenticationStrength: 'Strong',
      })
      const browser = await openLink(fresh, there, requestId, signatoryIds[0]!)
      const refused = await browser.post('/sign/api/strong', { purpose: 'reading' })
      assert.deepEqual([refused.status, refused.json.code], [503, 9950])
      assert.equal(refused.headers.get('retry-after'), '30')
      await checkIdentityProviders(ofWorker)
      assert.deepEqual(await readTroubles(fresh.platform), ['identity provider fi'])
      await provider.comeBack()
      await checkIdentityProviders(ofWorker)
      assert.deepEqual(await readTroubles(fresh.platform), [])
      assert.equal((await browser.post('/sign/api/strong', { purpose: 'reading' })).status, 200)
    } finally {
      await fresh.stop()
    }
  })
})
