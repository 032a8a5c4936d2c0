// A newcomer: from an empty overview to a document that is really signed, and what the overview says afterwards.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { after, before, describe, test } from 'node:test'
import { signedIn } from '../console-browser.ts'
import { create, forceStatus } from '../signature-requests.ts'
import { makePdf } from '../small-pdf.ts'
import { until } from '../until.ts'
import { addPerson, goTo, SIZES, startConsole, type ConsoleJourneys } from './console.ts'
import { button, heading, layoutShift, requireAccessible, signOnPage } from './signatory.ts'

const execFilePromise = promisify(execFile)

describe('first steps and the overview', () => {
  let console: ConsoleJourneys

  before(async () => {
    console = await startConsole()
  })
  after(() => console.stop())

  for (const [where, size] of SIZES) {
    test(`${where}: three steps to a signed document`, async () => {
      const { page, context } = await console.enter('/console', { ...size, acceptDownloads: true })
      await page.getByText('Nobody has to sign anything at the moment.').waitFor()
      await requireAccessible(page, 'empty overview')
      await page.getByRole('link', { name: 'Take the first steps' }).click()
      await heading(page, 'First steps')
      await requireAccessible(page, 'first steps')
      await button(page, 'Send it to me').click()
      await page.getByText('is on its way to you').waitFor()
      await button(page, 'Get my personal link').click()
      const link = page.getByRole('link', { name: /Read and sign/ })
      await link.waitFor()
      await requireAccessible(page, 'the link')
      // The link begins with the address that people know, which is not the port of this test.
      const signing = await context.newPage()
      await signing.goto(console.service.url + new URL((await link.getAttribute('href'))!).pathname)
      await signOnPage(signing)
      await signing.close()
      const saving = page.waitForEvent('download')
      await button(page, 'Download the signed document').click()
      const file = readFileSync(await (await saving).path())
      assert.ok(file.includes('/Type /Sig') || file.includes('/Type/Sig'), 'the file carries signatures')
      await requireAccessible(page, 'done')
      await page.getByRole('link', { name: 'Everything about it' }).click()
      await heading(page, 'Agreement to try this out')
      await context.close()
    })
  }

  for (const [where, size] of SIZES) {
    test(`${where}: the overview says what waits for whom, what went wrong and how the service is`, async () => {
      const subject = `Contract ${where}`
      await create(console.tenant.call, { subject, signatories: [{ firstName: 'Ada', email: 'ada@example.com' }] })
      const failed = await create(console.tenant.call, { subject: `Broken ${where}` })
      await forceStatus(console.service, failed, 'Error')
      const { page, context } = await console.enter('/console', size)
      await page.getByRole('link', { name: subject }).waitFor()
      await page.getByText('Waiting for Ada').first().waitFor()
      await page.getByRole('link', { name: `Broken ${where}` }).waitFor()
      const delivery = page.getByRole('region', { name: 'Delivery' })
      await delivery.getByText('Messages lie in the outbox.').waitFor()
      await delivery.getByText('the authority of this installation').waitFor()
      await page.getByRole('region', { name: 'Certificates' }).getByText('Root', { exact: true }).waitFor()
      await requireAccessible(page, 'overview')
      assert.ok((await layoutShift(page)) < 0.1, 'nothing jumps')
      await page.getByRole('link', { name: /Need attention/ }).click()
      await heading(page, 'Signature requests')
      await page.getByRole('link', { name: `Broken ${where}` }).click()
      await heading(page, `Broken ${where}`)
      await button(page, 'Try again').waitFor()
      await context.close()
    })
  }

  test('the lines for the terminal do the same steps', async (t) => {
    if (spawnSync('curl', ['--version']).status !== 0) return t.skip('there is no curl here')
    const { page, context } = await console.enter('/console/first-steps', { acceptDownloads: true })
    const folder = mkdtempSync(join(tmpdir(), 'countersign-first-steps-'))
    const run = async (command: string): Promise<string> => {
      const env = { ...process.env, KEY: console.tenant.key }
      return (await execFilePromise('sh', ['-c', command], { cwd: folder, env })).stdout
    }
    try {
      const saving = page.waitForEvent('download')
      await button(page, 'download agreement.pdf').click()
      await (await saving).saveAs(join(folder, 'agreement.pdf'))
      // A document of one's own in its place may be larger than an argument of a command.
      writeFileSync(join(folder, 'agreement.pdf'), makePdf('A scan', { paddingBytes: 200_000 }))
      const { id } = JSON.parse(await run(await page.locator('pre').first().innerText()))
      await page.goto(`${console.service.url}/console/first-steps?request=${id}`)
      await page.getByText('is on its way to you').waitFor()
      await button(page, 'Get my personal link').waitFor()
      const { url } = JSON.parse(await run(await page.locator('pre').nth(1).innerText()))
      assert.match(url, /\/sign\//)
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await context.close()
    }
  })

  test('ordinary users are not told how the service is', async () => {
    const login = await addPerson(console, { email: 'clerk@example.com', role: 'clerk' })
    const { page, context } = await console.enter('/console', { login })
    await heading(page, 'Overview')
    await page.getByText('Waiting for people').first().waitFor()
    assert.equal(await page.getByText('Delivery').count(), 0)
    await goTo(page, 'Signature requests')
    await context.close()
  })

  test('what an opened page asks for is answered within 150 ms', async () => {
    const browser = await signedIn(console.service.url, console.tenant.administratorEmail)
    const [newest] = (await browser.call('GET', '/signing/signaturerequest?take=1')).json.items
    const asked = [
      '/identity/me',
      '/overview',
      '/signing/signaturerequest?take=25',
      '/signing/signaturerequest?take=25&search=contract',
      `/signing/signaturerequest/${newest.id}`,
      `/event/signaturerequest/${newest.id}?pageSize=500`,
      '/onboarding/department?take=500',
      '/console/session',
      '/console/factor',
    ]
    for (const path of asked) {
      // One quick answer shows what the server needs; the others may have waited for the machine.
      await until(`${path} within 150 ms`, async () => {
        const startedAt = performance.now()
        assert.equal((await browser.call('GET', path)).status, 200)
        return performance.now() - startedAt < 150
      })
    }
  })
})
