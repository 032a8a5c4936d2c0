import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { array, assert as assertProperty, asyncProperty, constantFrom, nat, record, uint8Array } from 'fast-check'
import type { Level } from '../sign.ts'
import { appendRevision, makePdf, stream } from '../testing/documents.ts'
import { makeWorld, type World } from './testing/world.ts'

const VERDICTS = ['valid', 'indeterminate', 'invalid', 'unsigned']

/** Every byte with FLIP_STRIDE=1, which takes a minute; otherwise a sample that meets every part of the file. */
const STRIDE = process.env['FLIP_STRIDE'] === undefined ? undefined : Number(process.env['FLIP_STRIDE'])

/** True if the changed byte is a hexadecimal digit in the other case: the file still says the same. */
const isOtherCase = (before: number | undefined, after: number | undefined) =>
  before !== undefined && after !== undefined && (before ^ after) === 0x20 && /[a-f]/i.test(String.fromCharCode(before))

describe('damaged files', () => {
  let world: World
  let judge: (pdf: Buffer) => ReturnType<World['validate']>
  let signed: (level: Level, reservedBytes?: number) => Promise<Buffer>
  before(async () => {
    world = await makeWorld()
    const signer = await world.signatory()
    const { ocsps } = await world.validationData(signer)
    judge = (pdf) => world.validate(pdf, { revocation: { ocsps } })
    signed = (level, reservedBytes) => world.sign(makePdf(), { signer, level, ...(reservedBytes && { reservedBytes }) })
  })

  /** Flips one bit in every `stride`th byte, each time another one; answers with the places where it went unnoticed. */
  async function unnoticed(pdf: Buffer, stride: number): Promise<number[]> {
    const places: number[] = []
    for (let at = 0; at < pdf.length; at += stride) {
      const flipped = Buffer.from(pdf)
      flipped[at] = (flipped[at] as number) ^ (1 << ((at / stride) % 8))
      if ((await judge(flipped)).verdict === 'valid' && !isOtherCase(pdf[at], flipped[at])) places.push(at)
    }
    return places
  }

  test('a flipped bit is noticed in a B-B file, wherever it is', async () => {
    const pdf = await signed('B-B', 3000)
    assert.equal((await judge(pdf)).verdict, 'valid')
    assert.deepEqual(await unnoticed(pdf, STRIDE ?? 7), [])
  })

  test('a flipped bit is noticed in a B-T file, its timestamp included', async () => {
    assert.deepEqual(await unnoticed(await signed('B-T', 6000), STRIDE ?? 53), [])
  })

  test('a flipped bit is noticed in a B-LTA file, its validation data included', async () => {
    assert.deepEqual(await unnoticed(await signed('B-LTA'), STRIDE ?? 211), [])
  })

  test('a hexadecimal digit in the other case changes nothing', async () => {
    const pdf = await signed('B-B')
    const at = pdf.indexOf('/Contents <') + 11
    const upper = Buffer.concat([
      pdf.subarray(0, at),
      Buffer.from(pdf.toString('latin1', at, at + 1000).toUpperCase()),
      pdf.subarray(at + 1000),
    ])
    assert(!upper.equals(pdf))
    assert.equal((await judge(upper)).verdict, 'valid')
  })

  test('whatever happens to a file, there is a report, and a changed file is never valid', async () => {
    const pdf = await signed('B-T', 6000)
    const place = nat(pdf.length - 1)
    const cut = record({ from: place, length: nat(400), to: place, text: uint8Array({ maxLength: 40 }) })
    await assertProperty(
      asyncProperty(cut, constantFrom('delete', 'insert', 'copy', 'truncate', 'overwrite'), async (where, how) => {
        const changed = mutate(pdf, how, where)
        const { verdict } = await judge(changed)
        assert(VERDICTS.includes(verdict))
        if (!changed.equals(pdf)) assert(verdict !== 'valid' || isSameButForCase(pdf, changed))
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  test('files made of nonsense get a report', async () => {
    const words = constantFrom(
      '%PDF-1.7\n',
      '1 0 obj',
      '<<',
      '>>',
      '/Type',
      '/Sig',
      'xref\n0 1\n',
      'trailer',
      '%%EOF',
      'startxref\n9\n',
      '[',
      '(',
      '<00>',
      'stream\n',
      '/ByteRange',
      '0 ',
    )
    await assertProperty(
      asyncProperty(array(words, { maxLength: 40 }), async (parts) => {
        const { verdict } = await judge(Buffer.from(parts.join('')))
        assert(verdict !== 'valid')
      }),
      { numRuns: 200, seed: 1 },
    )
  })

  const HOSTILE: Record<string, () => Buffer> = {
    'arrays without end': () => makePdf({ extraObjects: ['['.repeat(100_000)] }),
    'arrays full of nothing': () =>
      makePdf({ extraObjects: Array.from({ length: 60 }, () => `[${'0 '.repeat(45_000)}]`) }),
    'too many values': () => makePdf({ extraObjects: [`[${'0 '.repeat(200_000)}]`] }),
    'too many revisions': () => {
      let pdf = makePdf()
      for (let count = 0; count < 501; count++) pdf = appendRevision(pdf, { 3: '<< >>' })
      return pdf
    },
    'fields in a circle': () => makePdf({ fields: ['<< /T (a) /Kids [51 0 R] >>', '<< /T (b) /Kids [50 0 R] >>'] }),
    'a stream beyond the end': () => makePdf({ extraObjects: ['<< /Length 99999999 >>\nstream\n\nendstream'] }),
    'an object stream inside itself': () =>
      makePdf({ extraObjects: [stream('/Type /ObjStm /N 1 /First 6', Buffer.from('100 0 <<>>'))], xref: 'stream' }),
  }

  for (const [name, make] of Object.entries(HOSTILE)) {
    test(`${name}: refused or unsigned, within the bounds`, async () => {
      const { verdict } = await judge(make())
      assert.notEqual(verdict, 'valid')
    })
  }
})

function mutate(
  pdf: Buffer,
  how: string,
  { from, length, to, text }: { from: number; length: number; to: number; text: Uint8Array },
): Buffer {
  if (how === 'truncate') return pdf.subarray(0, from)
  if (how === 'delete') return Buffer.concat([pdf.subarray(0, from), pdf.subarray(from + length)])
  if (how === 'insert') return Buffer.concat([pdf.subarray(0, from), text, pdf.subarray(from)])
  if (how === 'copy') return Buffer.concat([pdf.subarray(0, to), pdf.subarray(from, from + length), pdf.subarray(to)])
  const changed = Buffer.from(pdf)
  changed.set(text.subarray(0, changed.length - from), from)
  return changed
}

const isSameButForCase = (one: Buffer, other: Buffer) =>
  one.length === other.length && one.every((byte, index) => byte === other[index] || isOtherCase(byte, other[index]))
