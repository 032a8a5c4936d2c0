import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { describeSignature, type Appearance } from './appearance.ts'
import { createSignatureFields } from './fields.ts'
import { readForm } from './form.ts'
import { placeOnPage, toBox, type Rotation } from './page.ts'
import { openPdf } from './reader.ts'
import { PdfRefused } from './refused.ts'
import { signPdf } from './sign.ts'
import { bufferSource } from './source.ts'
import { strokesInBox } from './strokes.ts'
import { makeTestAuthority, TEST_TIME, type TestAuthority } from './testing/authority.ts'
import { emptySignatureField, makePdf, type DocumentShape } from './testing/documents.ts'
import { pdfsigReport, qpdfComplaints, skipWithout, withFile } from './testing/judges.ts'
import { entry } from './value.ts'

const PLACEMENT = { x: 100, y: 50, width: 200, height: 60 }

type Colour = [red: number, green: number, blue: number, alpha: number]

/** A picture whose upper left quarter has a colour and whose rest is white. */
function makePng(width: number, height: number, colour: Colour): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const rows = Array.from({ length: height }, (_, y) => {
    const pixels = Array.from({ length: width }, (_, x) =>
      x < width / 2 && y < height / 2 ? colour : [255, 255, 255, 255],
    )
    return Buffer.from([0, ...pixels.flat()])
  })
  const chunks = [
    ['IHDR', header],
    ['IDAT', deflateSync(Buffer.concat(rows))],
    ['IEND', Buffer.alloc(0)],
  ] as const
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, ...chunks.map(([type, content]) => pngChunk(type, content))])
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

interface Ink {
  left: number
  top: number
  right: number
  bottom: number
}

interface Picture {
  width: number
  height: number
  /** Three bytes each. */
  pixels: Buffer
}

/** The first page as poppler draws it, one pixel a point. */
function rendered(pdf: Buffer): Picture {
  const image = withFile(pdf, (path) =>
    execFileSync('pdftoppm', ['-r', '72', '-f', '1', '-l', '1', '-cropbox', path], { maxBuffer: 64_000_000 }),
  )
  const [width, height] = image.subarray(3, 20).toString('latin1').split(/\s/).map(Number) as [number, number]
  return { width, height, pixels: image.subarray(image.length - width * height * 3) }
}

/** Where the first page is not white. */
function renderedInk(pdf: Buffer): Ink {
  const { width, height, pixels } = rendered(pdf)
  const ink: Ink = { left: width, top: height, right: 0, bottom: 0 }
  for (let at = 0; at < pixels.length; at += 3) {
    if ((pixels[at + 1] as number) > 200) continue
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)]
    Object.assign(ink, {
      left: Math.min(ink.left, x),
      right: Math.max(ink.right, x),
      top: Math.min(ink.top, y),
      bottom: Math.max(ink.bottom, y),
    })
  }
  return ink
}

describe('visible signatures', () => {
  let authority: TestAuthority
  before(async () => {
    authority = await makeTestAuthority()
  })

  async function signVisibly(appearance: Appearance, shape: DocumentShape = {}, field?: string): Promise<Buffer> {
    const pdf = makePdf(shape)
    const where = field ?? { name: 'Visible', placement: PLACEMENT }
    const options = { signer: authority.signer, level: 'B-B', time: TEST_TIME, field: where, appearance } as const
    return Buffer.concat([pdf, ...(await signPdf(bufferSource(pdf), options))])
  }

  const lines = describeSignature({ name: 'Žofia Ångström-Δ', time: TEST_TIME, reason: 'Ich stimme zu' })

  test('name, time and reason become lines', () => {
    assert.deepEqual(lines, ['Žofia Ångström-Δ', '2026-11-15 03:20 UTC', 'Ich stimme zu'])
  })

  test('the text can be read out again, from an embedded font', { skip: skipWithout('pdftotext') }, async () => {
    const pdf = await signVisibly({ lines, hasBorder: true })
    const text = withFile(pdf, (path) => execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' }))
    for (const line of lines) assert(text.includes(line), text)
    const fonts = withFile(pdf, (path) => execFileSync('pdffonts', [path], { encoding: 'utf8' }))
    assert.match(fonts, /[A-Z]{6}\+DejaVuSans\s+CID TrueType\s+Identity-H\s+yes yes yes/)
  })

  const fontsOf = (pdf: Buffer) => withFile(pdf, (path) => execFileSync('pdffonts', [path], { encoding: 'utf8' }))
  const textOf = (pdf: Buffer) => withFile(pdf, (path) => execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' }))

  for (const typed of ['Zoë Ångström-Õunapuu', 'Żółć Łukasz', 'Марина Цветаева']) {
    test(
      `a typed signature shows as handwriting: ${typed}`,
      { skip: skipWithout('pdftotext') || skipWithout('qpdf') },
      async () => {
        const pdf = await signVisibly({ lines, typed })
        assert.match(fontsOf(pdf), /[A-Z]{6}\+Caveat\s+CID TrueType\s+Identity-H\s+yes yes yes/)
        for (const line of [typed, ...lines]) assert(textOf(pdf).includes(line), textOf(pdf))
        assert.match(pdfsigReport(pdf), /Signature is Valid/)
        assert.equal(qpdfComplaints(pdf), '')
      },
    )
  }

  test(
    'one with a letter that the handwriting lacks is set in the text face',
    { skip: skipWithout('pdftotext') },
    async () => {
      const pdf = await signVisibly({ lines, typed: 'Ελένη Παπαδοπούλου' })
      assert.doesNotMatch(fontsOf(pdf), /Caveat/)
      assert(textOf(pdf).includes('Ελένη Παπαδοπούλου'), textOf(pdf))
    },
  )

  test(
    'it is still valid, and qpdf finds nothing wrong',
    { skip: skipWithout('pdfsig') || skipWithout('qpdf') },
    async () => {
      const strokes = {
        width: 100,
        height: 50,
        strokes: [
          [
            [0, 0],
            [50, 25],
            [100, 0],
          ],
          [[10, 10]],
        ] as [number, number][][],
      }
      for (const shape of [{}, { xref: 'stream', objectStream: true } as const]) {
        const pdf = await signVisibly({ lines, strokes }, shape)
        assert.match(pdfsigReport(pdf), /Signature is Valid/)
        assert.equal(qpdfComplaints(pdf), '')
      }
    },
  )

  test('strokes that reach from one end of all numbers to the other are drawn like any others', async () => {
    const strokes = strokesInBox([
      [1e308, 0, -1e308, 0],
      [0, 1.7e308, 3, -1.7e308],
    ])!
    assert.ok(strokes.strokes.flat(2).every((number) => number >= 0 && number <= strokes.width))
    await signVisibly({ lines, strokes })
  })

  const crop = '/CropBox [50 40 545 800]'
  for (const rotation of [0, 90, 180, 270] satisfies Rotation[]) {
    test(
      `on a cropped page turned by ${rotation}° it shows upright where it was placed`,
      { skip: skipWithout('pdftoppm') },
      async () => {
        const image = makePng(20, 6, [200, 0, 0, 255])
        const shape = { pageEntries: `/Rotate ${rotation} ${crop}`, content: '' }
        const ink = renderedInk(await signVisibly({ image }, shape))
        const edges = [ink.left - 110, ink.top - 53, ink.right - 200, ink.bottom - 80]
        assert(
          edges.every((edge) => Math.abs(edge) <= 3),
          JSON.stringify(ink),
        )
      },
    )
  }

  test('an existing field is filled where it stands', { skip: skipWithout('pdftoppm') }, async () => {
    const image = makePng(20, 6, [200, 0, 0, 255])
    const ink = renderedInk(
      await signVisibly({ image }, { content: '', fields: [emptySignatureField('Here')] }, 'Here'),
    )
    assert(Math.abs(ink.left - 110) <= 3 && Math.abs(ink.top - (842 - 157)) <= 3, JSON.stringify(ink))
  })

  test('not one pixel outside of its place is another', { skip: skipWithout('pdftoppm') }, async () => {
    const shape = { content: '0.2 0.5 0.8 rg 0 0 595 842 re f 0 g 40 700 300 90 re f' }
    const [before, after] = [rendered(makePdf(shape)), rendered(await signVisibly({ lines, hasBorder: true }, shape))]
    const { x, y, width, height } = PLACEMENT
    const changes = { inside: 0, outside: 0 }
    for (let at = 0; at < before.pixels.length; at += 3) {
      if (before.pixels.subarray(at, at + 3).equals(after.pixels.subarray(at, at + 3))) continue
      const [column, row] = [(at / 3) % before.width, Math.floor(at / 3 / before.width)]
      const isInside = column >= x - 1 && column <= x + width && row >= y - 1 && row <= y + height
      changes[isInside ? 'inside' : 'outside']++
    }
    assert.equal(after.pixels.length, before.pixels.length)
    assert.equal(changes.outside, 0)
    assert.ok(changes.inside > 100, 'nothing was drawn')
  })

  test('a JPEG is embedded as it is', { skip: skipWithout('pdftoppm') }, async () => {
    const args = ['-jpeg', '-r', '10', '-singlefile']
    const page = makePdf({ content: '0 g 0 0 595 842 re f' })
    const image = withFile(page, (path) => execFileSync('pdftoppm', [...args, path]))
    const pdf = await signVisibly({ image }, { content: '' })
    assert(pdf.includes(image))
    const ink = renderedInk(pdf)
    assert(Math.abs(ink.top - 53) <= 3 && Math.abs(ink.bottom - 107) <= 3, JSON.stringify(ink))
  })

  test('transparent pictures keep their transparency, except where there must be none', async () => {
    const image = makePng(4, 4, [0, 0, 0, 100])
    assert.match((await signVisibly({ image })).toString('latin1'), /\/SMask \d+ 0 R/)
    assert.doesNotMatch((await signVisibly({ image }, { version: '1.4' })).toString('latin1'), /\/SMask/)
  })

  test('pictures that cannot be used are refused in words', async () => {
    const huge = makePng(1, 1, [0, 0, 0, 255])
    huge.writeUInt32BE(100_000, 16)
    huge.writeUInt32BE(100_000, 20)
    const broken = makePng(4, 4, [0, 0, 0, 255]).subarray(0, 40)
    for (const image of [Buffer.from('GIF89a'), huge, broken, Buffer.from([0xff, 0xd8, 0xff, 0xe0])]) {
      await assert.rejects(
        signVisibly({ image }),
        (error) => error instanceof PdfRefused && error.reason === 'unsupported',
      )
    }
    const strokes = { width: 0, height: 10, strokes: [] }
    await assert.rejects(signVisibly({ strokes }), PdfRefused)
  })

  test('a text that does not fit ends in an ellipsis', { skip: skipWithout('pdftotext') }, async () => {
    const pdf = await signVisibly({ lines: ['A very long reason '.repeat(10)] })
    const text = withFile(pdf, (path) => execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' }))
    assert.match(text, /^A very long reason .*…/)
  })
})

describe('signature fields', () => {
  test('are made empty, visible or not, and never with a size of nothing', async () => {
    const pdf = makePdf({ pages: 3 })
    const fields = [{ name: 'A' }, { name: 'B', page: 2, placement: PLACEMENT }]
    const result = Buffer.concat([pdf, await createSignatureFields(bufferSource(pdf), fields)])
    const reader = await openPdf(result)
    const { signatureFields } = await readForm(reader)
    const boxes = await Promise.all(signatureFields.map(({ dict }) => toBox(reader, entry(dict, 'Rect'))))
    assert.deepEqual(boxes[0], { left: 0, bottom: 0, right: 0, top: 0 })
    assert.deepEqual(boxes[1], { left: 100, bottom: 842 - 110, right: 300, top: 842 - 50 })
    assert(signatureFields.every(({ signature }) => signature === undefined))
    const bad = createSignatureFields(bufferSource(pdf), [{ name: 'C', placement: { ...PLACEMENT, width: 0 } }])
    await assert.rejects(bad, (error) => error instanceof PdfRefused && error.reason === 'field')
  })

  test('a page that asks viewers to redraw fields no longer does', async () => {
    const pdf = makePdf({ catalogEntries: '/AcroForm << /NeedAppearances true /Fields [] >>' })
    const result = Buffer.concat([pdf, await createSignatureFields(bufferSource(pdf), [{ name: 'A' }])])
    const reader = await openPdf(result)
    const form = await reader.findDict(await reader.catalog(), 'AcroForm')
    const flag = form && entry(form, 'NeedAppearances')
    assert.equal(flag?.kind === 'boolean' && flag.value, false)
  })

  test('a place from the top left is found under every rotation', () => {
    const box = { left: 10, bottom: 20, right: 110, top: 220 }
    const place = { x: 1, y: 2, width: 3, height: 4 }
    const corners = ([0, 90, 180, 270] as const).map((rotation) => {
      const { left, bottom, right, top } = placeOnPage({ box, rotation }, place)
      return [left, bottom, right, top]
    })
    assert.deepEqual(corners, [
      [11, 214, 14, 218],
      [12, 21, 16, 24],
      [106, 22, 109, 26],
      [104, 216, 108, 219],
    ])
  })
})
