// Subscription keys and webhooks: every task at both sizes, with a real receiver.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  makeReceiverAuthority,
  startReceiver,
  type Receiver,
  type ReceiverAuthority,
} from '../fakes/webhook-receiver.ts'
import { makeCaller } from '../service.ts'
import { goTo, SIZES, startConsole, type ConsoleJourneys } from './console.ts'
import { button, heading, requireAccessible } from './signatory.ts'

describe('integrations in the console', () => {
  let console: ConsoleJourneys
  let authority: ReceiverAuthority
  let receiver: Receiver

  before(async () => {
    authority = await makeReceiverAuthority()
    receiver = await startReceiver(await authority.issue(['localhost', '127.0.0.1']))
    console = await startConsole({
      COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true',
      COUNTERSIGN_HOOKS_CA_FILE: authority.caFile,
    })
  })
  after(async () => {
    await console.stop()
    await receiver.stop()
    authority.remove()
  })

  const dialog = (page: Page) => page.getByRole('dialog')
  const secrets = (page: Page) => dialog(page).locator('.secret code').allTextContents()
  const statusWith = async (key: string) =>
    (await makeCaller(console.service.url, { 'ocp-apim-subscription-key': key })('GET', '/signing/signaturerequest'))
      .status

  for (const [where, size] of SIZES) {
    test(`${where}: a key is made, shown once, replaced, used and deleted`, async () => {
      const name = `Billing ${where.split(' ').at(-1)}`
      const { page, context } = await console.enter('/console', size)
      await goTo(page, 'Integrations')
      await requireAccessible(page, 'keys')
      await button(page, 'Create a key').click()
      await dialog(page).getByLabel('Name').fill(name)
      await requireAccessible(page, 'a new key')
      await button(page, 'Create the key').click()
      await dialog(page).getByText('Primary value', { exact: true }).waitFor()
      const [primary, secondary] = (await secrets(page)) as [string, string]
      await requireAccessible(page, 'the values')
      assert.deepEqual([await statusWith(primary), await statusWith(secondary)], [200, 200])
      await button(page, 'I have copied it').click()
      await page.getByText(name).first().waitFor()

      const drawn = await button(page, `Replace a value of ${name}`).boundingBox()
      assert.ok(drawn!.height < 2 * 44, `the words of a row's button stand below each other: ${drawn!.height} px high`)
      await button(page, `Replace a value of ${name}`).click()
      await button(page, 'Replace it').click()
      await dialog(page).getByText('New secondary value', { exact: true }).waitFor()
      const [replaced] = (await secrets(page)) as [string]
      assert.deepEqual(
        [await statusWith(primary), await statusWith(secondary), await statusWith(replaced)],
        [200, 401, 200],
      )
      await button(page, 'I have copied it').click()

      await console.service.platform.authenticator.flushUsage()
      await page.reload()
      const row = page.getByRole('listitem').filter({ hasText: name })
      await row.getByText('In use').waitFor()
      await row.getByText(/[1-9] calls? today/).waitFor()
      await button(page, `Delete ${name}`).click()
      await dialog(page).getByRole('textbox').fill(name)
      await button(page, 'Delete the key').click()
      await row.waitFor({ state: 'detached' })
      assert.deepEqual([await statusWith(primary), await statusWith(replaced)], [401, 401])
      await context.close()
    })

    test(`${where}: a webhook is added, tested, paused, replayed, given a new secret and deleted`, async () => {
      receiver.answer(200)
      const { page, context } = await console.enter('/console/integrations/webhooks', size)
      await heading(page, 'Integrations')
      await requireAccessible(page, 'no webhooks yet')
      await button(page, 'Add a webhook').click()
      await dialog(page).getByLabel('When').selectOption('signaturerequestcreated')
      await dialog(page).getByLabel('Send to').fill(receiver.url)
      await dialog(page).getByLabel('What it is for').fill('Customer system')
      await button(page, 'Add a header').click()
      await dialog(page).getByLabel('Header 1', { exact: true }).fill('X-Team')
      await dialog(page).getByLabel('Value of header 1').fill('archive')
      await requireAccessible(page, 'a new webhook')
      await button(page, 'Add the webhook').click()
      await dialog(page).getByText('whsec_').waitFor()
      await requireAccessible(page, 'its secret')
      await button(page, 'Go on and send a test').click()
      await heading(page, 'Customer system')

      await button(page, 'Send a test').click()
      const delivery = page.locator('.delivery').first()
      await delivery.getByText('Delivered').waitFor()
      await delivery.locator('summary').click()
      await delivery.getByText('webhook-signature').waitFor()
      await requireAccessible(page, 'a delivery with its try')
      const arrived = receiver.received.length
      await button(page, 'Send this one again').click()
      await delivery.getByText('2 tries').waitFor()
      assert.equal(receiver.received.length, arrived + 1)

      await button(page, 'Pause').click()
      await page.getByText('Paused').waitFor()
      await button(page, 'Resume').click()
      await page.getByText('Active').waitFor()
      await button(page, 'Send a span of time again').click()
      await requireAccessible(page, 'a span')
      await button(page, 'Send it again').click()
      await page.getByText('What happened in that time is being sent again').waitFor()
      await button(page, 'Replace the secret').click()
      await button(page, 'Replace it').click()
      await dialog(page).getByText('whsec_').waitFor()
      await button(page, 'I have copied it').click()

      await button(page, 'Delete').click()
      await dialog(page).getByRole('textbox').fill(new URL(receiver.url).host)
      await button(page, 'Delete it').click()
      await page.getByText('Nobody is told yet').waitFor()
      await context.close()
    })
  }

  test('a receiver that fails is shown with its answer', async () => {
    receiver.answer(503)
    const { json } = await console.tenant.asAdministrator('POST', '/hooks/v1/subscription', {
      eventType: 'signatorysigned',
      uri: receiver.url,
    })
    const { page, context } = await console.enter(`/console/integrations/webhooks/${json.id}`)
    await button(page, 'Send a test').click()
    const delivery = page.locator('.delivery').first()
    await delivery.getByText('last answered 503').waitFor()
    await delivery.locator('summary').click()
    await delivery.getByText('Try 1: 503').waitFor()
    await requireAccessible(page, 'a failed try')
    await context.close()
  })

  test('the reference is one step away', async () => {
    const { page, context } = await console.enter('/console/integrations/api')
    const link = page.getByRole('link', { name: 'Open the API reference' })
    await link.waitFor()
    await requireAccessible(page, 'api')
    assert.equal(await link.getAttribute('href'), '/docs')
    await context.close()
  })
})
