// Documents that want to run or to fetch something: shown as what they are, never obeyed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { button, DESK, documentDrawn, requireQuiet, signOnPage, startJourneys, type Journeys } from './signatory.ts'

describe('journey: hostile documents', () => {
  let journeys: Journeys
  before(async () => {
    journeys = await startJourneys({ COUNTERSIGN_ACTIVE_CONTENT: 'allow' })
  })
  after(() => journeys.stop())

  const countDialogs = (page: Page) => {
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    return dialogs
  }

  test('documents are drawn where there is no origin, no cookie and no way to the page or the service', async () => {
    const visitor = await journeys.open(await journeys.invite(), DESK)
    const { page, context } = visitor
    await documentDrawn(page)
    const sandbox = page.frames().find((frame) => frame.url().endsWith('/sign/paper'))!
    const tryAll = `(async () => {
      const attempt = async (what) => { try { return String(await what()) } catch { return 'refused' } }
      return {
        origin: self.origin,
        cookies: await attempt(() => document.cookie),
        storage: await attempt(() => localStorage.length),
        page: await attempt(() => parent.document.title),
        service: await attempt(async () => (await fetch('/sign/api/request', { credentials: 'include' })).status),
        evaluated: await attempt(() => eval('1 + 1')),
      }
    })()`
    const found = (await sandbox.evaluate(tryAll)) as Record<string, string>
    assert.deepEqual(found, {
      origin: 'null',
      cookies: 'refused',
      storage: 'refused',
      page: 'refused',
      service: 'refused',
      evaluated: 'refused',
    })
    assert.equal(await page.locator('iframe').getAttribute('sandbox'), 'allow-scripts')
    await context.close()
  })

  test('whatever a foreign page or the sandbox says unasked is ignored', async () => {
    const visitor = await journeys.open(await journeys.invite(), DESK)
    const { page, context } = visitor
    await documentDrawn(page)
    const before = await page.locator('.textLayer').first().innerText()
    // Messages arrive in the order in which they were sent: once the last is there, the others have been heard.
    const lastOf = (words: string) => `new Promise((resolve) =>
      addEventListener('message', ({ data }) => data === ${JSON.stringify(words)} && resolve(true)))`
    await page.evaluate(
      `globalThis.heard = Promise.all([${lastOf('last of the page')}, ${lastOf('last of the sandbox')}])
       for (const said of [null, 'ready', { kind: 'drawn', call: 1 }, { kind: 'failed', call: 2 }, 'last of the page']) postMessage(said, '*')`,
    )
    const sandbox = page.frames().find((frame) => frame.url().endsWith('/sign/paper'))!
    await sandbox.evaluate(
      `for (const said of ['ready', { kind: 'drawn', call: 1 }, 'last of the sandbox']) parent.postMessage(said, '*')`,
    )
    await page.evaluate('globalThis.heard')
    assert.equal(await page.locator('.textLayer').first().innerText(), before)
    assert.equal(await page.locator('iframe').count(), 1)
    requireQuiet(visitor)
    await context.close()
  })

  test('a document’s scripts do not run, its addresses are not asked for', async () => {
    const contentBase64 = hostilePdf([
      '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\); this.submitForm\\("https://example.net/form"\\)) >>',
      '/AA << /WC << /S /URI /URI (https://example.net/closed) >> >>',
      '/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (app.launchURL\\("https://example.net/js"\\)) >>] >> >>',
    ])
    const ceremony = await journeys.invite({ documents: [{ title: 'Lease', fileName: 'lease.pdf', contentBase64 }] })
    const visitor = await journeys.open(ceremony, DESK)
    const { page, context } = visitor
    const dialogs = countDialogs(page)
    const origins = new Set<string>()
    page.on('request', (request) => origins.add(new URL(request.url()).origin))
    await documentDrawn(page)
    await page
      .locator('.sheet-of-paper')
      .first()
      .click({ position: { x: 300, y: 300 } })
    await button(page, 'Larger').click()
    await signOnPage(page)
    assert.deepEqual(dialogs, [])
    assert.deepEqual([...origins], [journeys.service.url])
    assert.equal(context.pages().length, 1)
    requireQuiet(visitor)
    await context.close()
  })
})

/** A page with a link over all of it, a font whose matrix holds a script, and what else is asked for. */
function hostilePdf(catalogue: string[]): string {
  const drawing = 'BT /F1 24 Tf 72 720 Td (Read me) Tj /F2 24 Tf 0 -40 Td (A) Tj ET'
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalogue.join(' ')} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [6 0 R] /Resources << /Font << /F1 5 0 R /F2 7 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /Border [0 0 0] /A << /S /URI /URI (https://example.net/link) >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Evil /FontMatrix [1 2 3 4 5 (0\\); alert\\(1\\)//)] /FontDescriptor 8 0 R /FirstChar 65 /LastChar 65 /Widths [600] >>',
    '<< /Type /FontDescriptor /FontName /Evil /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /CapHeight 1 /StemV 1 >>',
  ]
  let file = '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = file.length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1').toString('base64')
}
