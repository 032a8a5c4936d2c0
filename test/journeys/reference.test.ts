// A developer opens the API reference, looks around and tries a call.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Fastify from 'fastify'
import { routes } from '#main/routes.ts'
import { addReference } from '#platform/http/docs-page/add-reference.ts'
import { describeApi } from '#platform/http/openapi/describe-api.ts'
import { visit } from '../browser.ts'

const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
const USER_ID = '0198c0de-0000-7000-8000-000000000001'

describe('the API reference in a browser', () => {
  const app = Fastify()
  const calls: { url: string; key: unknown }[] = []
  let origin: string

  before(async () => {
    app.get('/user/profile/:id', async ({ url, headers }) => {
      calls.push({ url, key: headers['ocp-apim-subscription-key'] })
      return { id: USER_ID, lastName: 'Virtanen' }
    })
    addReference(app, { document: describeApi(routes, { version: '1.0.0' }) })
    origin = await app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => app.close())

  test('on a desktop: lists the operations, and tries a call with the key that was typed in', async () => {
    const { context, page, complaints, strangers } = await visit(origin, { viewport: DESKTOP })
    await page.goto(`${origin}/docs`)
    await page.getByRole('heading', { name: 'Countersign' }).waitFor()
    await page.locator('input[type=password], input.scalar-password-input').first().fill('a key typed in')

    await page.goto(`${origin}/docs#tag/user`)
    await page.getByRole('heading', { name: 'Read a user profile' }).waitFor()
    await page.getByRole('button', { name: /Test Request.*get \/user\/profile/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Value' }).first().fill(USER_ID)
    await dialog.getByRole('button', { name: /Send/ }).first().click()
    await dialog.getByText('Virtanen').first().waitFor()

    assert.deepEqual(calls, [{ url: `/user/profile/${USER_ID}`, key: 'a key typed in' }])
    assert.doesNotMatch(String(await page.evaluate('JSON.stringify(localStorage)')), /a key typed in/)
    assert.deepEqual({ complaints, strangers }, { complaints: [], strangers: [] })
    await context.close()
  })

  test('on a phone: fits the screen, and the operations are in its menu', async () => {
    const { context, page, complaints, strangers } = await visit(origin, { viewport: PHONE, hasTouch: true })
    await page.goto(`${origin}/docs`)
    await page.getByRole('heading', { name: 'Countersign' }).waitFor()
    const widthPx = await page.evaluate('document.documentElement.scrollWidth')
    await page.getByRole('button', { name: 'Open Menu' }).click()
    await page.getByRole('button', { name: /Open Group - User/ }).waitFor()

    assert.ok(Number(widthPx) <= PHONE.width, `the page is ${String(widthPx)} px wide`)
    assert.deepEqual({ complaints, strangers }, { complaints: [], strangers: [] })
    await context.close()
  })
})
