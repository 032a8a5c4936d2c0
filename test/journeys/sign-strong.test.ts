// With an identity provider between: people leave the page, prove who they are, and come back to where they were.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { visit, type Visit } from '../browser.ts'
import { startIdentityProvider, type FakeIdentityProvider } from '../fakes/identity-provider.ts'
import { untilStatus } from '../signing-flow.ts'
import { makePdf } from '../small-pdf.ts'
import { signIn } from './console.ts'
import {
  button,
  documentDrawn,
  heading,
  NARROW,
  PHONE,
  requireAccessible,
  requireEveryLanguageFits,
  requireEverySheetFits,
  requireQuiet,
  startJourneys,
  type Journeys,
} from './signatory.ts'

const NUMBER = '131052-308T'
const PERSON = {
  firstName: 'Aino',
  lastName: 'Virtanen',
  email: 'aino@example.com',
  authenticationAreaCode: 'FI',
  personalIdentifier: NUMBER,
}

describe('journey: strong authentication', () => {
  let provider: FakeIdentityProvider
  let journeys: Journeys
  before(async () => {
    provider = await startIdentityProvider()
    journeys = await startJourneys(provider.environment)
  })
  after(async () => {
    await journeys.stop()
    await provider.stop()
  })

  const open = async (changes: Record<string, unknown>): Promise<Visit & { requestId: string }> => {
    const ceremony = await journeys.invite({ signatories: [PERSON], ...changes })
    const visitor = await visit([journeys.service.url, provider.issuer], PHONE)
    await visitor.page.goto(await journeys.link(ceremony))
    return { ...visitor, requestId: ceremony.requestId }
  }
  const logIn = async (page: Page, number: string) => {
    await page.getByLabel('Personal number').fill(number)
    await button(page, 'Log in').click()
  }

  test('for reading and for signing, from the link to the sealed document', async () => {
    const strength = { readingAuthenticationStrength: 'Strong', signingAuthenticationStrength: 'Strong' }
    const visitor = await open(strength)
    const { page, context, requestId } = visitor
    await heading(page, 'Confirm who you are')
    await requireAccessible(page, 'before the identification')
    await button(page, 'Identify yourself').click()
    await logIn(page, NUMBER)
    await documentDrawn(page)
    assert.equal(
      new URL(page.url()).pathname + new URL(page.url()).search,
      '/sign',
      'nothing of it stays in the address',
    )

    await button(page, 'Go on to signing').click()
    await page.getByText('Your signature needs proof of who you are.').waitFor()
    await button(page, 'Identify yourself').click()
    await logIn(page, NUMBER)
    await page.getByText('You are identified.').waitFor()
    await requireAccessible(page, 'after the identification')
    await button(page, 'Sign 1 document').click()
    await heading(page, 'Signed')
    await untilStatus(journeys.tenant, requestId, 'Closed')
    requireQuiet(visitor)
    await context.close()
  })

  test('whoever sends chooses the provider in the console, and that one is asked', async () => {
    const visitor = await visit([journeys.service.url, provider.issuer], PHONE)
    const { page, context } = visitor
    await page.goto(`${journeys.service.url}/console/requests/new`)
    await signIn(page, journeys.tenant.administratorEmail)
    await page
      .getByLabel('PDF files')
      .setInputFiles({ name: 'lease.pdf', mimeType: 'application/pdf', buffer: makePdf() })
    await page.getByLabel('E-mail address').fill(PERSON.email)
    await page.getByLabel('Before signing').selectOption('An identity provider')
    await button(page, 'Send for signature').click()
    await page.getByText(`${PERSON.email} needs an identity provider.`).waitFor()
    await page.getByLabel('Identity provider').selectOption('FI')
    await page.getByLabel('Personal identifier (must match, if given)').fill(NUMBER)
    await requireAccessible(page, 'the provider is chosen')
    await button(page, 'Send for signature').click()
    await page.waitForURL(/\/console\/requests\/[\da-f-]{36}$/)
    const requestId = page.url().split('/').at(-1)!
    const { json } = await journeys.tenant.call('GET', `/signing/signaturerequest/${requestId}`)
    const [{ id: signatoryId, authenticationAreaCode }] = json.signatories
    assert.equal(authenticationAreaCode.toLowerCase(), 'fi')
    await page.goto(await journeys.link({ requestId, signatoryIds: [signatoryId] }))
    await documentDrawn(page)
    await button(page, 'Go on to signing').click()
    await button(page, 'Identify yourself').click()
    await logIn(page, NUMBER)
    await page.getByText('You are identified.').waitFor()
    await context.close()
  })

  test('of somebody else is refused in words, and giving up leads back to where one can try again', async () => {
    const visitor = await open({ readingAuthenticationStrength: 'Strong' })
    const { page, context } = visitor
    await button(page, 'Identify yourself').click()
    await logIn(page, '010203-999X')
    await page.getByText('is not the one who was asked to sign').waitFor()
    await requireAccessible(page, 'after somebody else')
    await page.setViewportSize(NARROW)
    await requireEveryLanguageFits(page, 'after somebody else')
    assert.equal(await page.getByText('Lease').count(), 0, 'nothing of the request is shown')

    await button(page, 'Identify yourself').click()
    await button(page, 'Cancel').click()
    await page.getByText('You stopped before you were identified.').waitFor()

    await button(page, 'Identify yourself').click()
    await logIn(page, NUMBER)
    await documentDrawn(page)
    requireQuiet(visitor)
    await context.close()
  })

  test('while the provider is broken is refused in words, and works again after it', async () => {
    const visitor = await open({ signingAuthenticationStrength: 'Strong' })
    const { page, context } = visitor
    await documentDrawn(page)
    await page.setViewportSize(NARROW)
    await requireEverySheetFits(page, [{ opener: '.remaining .button-primary', name: 'strong' }])
    await button(page, 'Go on to signing').click()
    await button(page, 'Identify yourself').click()
    provider.setBroken(true)
    await logIn(page, NUMBER)
    await page.getByText('The identification did not succeed.').waitFor()
    provider.setBroken(false)
    await button(page, 'Identify yourself').click()
    await logIn(page, NUMBER)
    await page.getByText('You are identified.').waitFor()
    await context.close()
  })
})
