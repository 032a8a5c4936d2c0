// Mistakes that whoever signs might make one day: none of the files leaves the house.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { appendRevision, makePdf } from '#pades/testing/documents.ts'
import { DAY_MS, makeWorld, type World } from '#pades/validate/testing/world.ts'
import { openLocalBlobs } from '#platform/blobs/local-blobs.ts'
import { readStaged } from '#platform/blobs/testing/read-staged.ts'
import type { Platform } from '#platform/platform.ts'
import { requireSoundFile, stageSoundFile, UnsoundFile, type FileToCheck } from './sound-file.ts'

/** Who is asked only for the anchors, which are given here. */
const NOBODY = {} as Platform

const OTHER_CONTENT = '<< /Length 12 >>\nstream\n0 0 9 9 re f\nendstream'

describe('a file that we have made', () => {
  let world: World
  let strangers: World
  let good: Buffer

  before(async () => {
    ;[world, strangers] = await Promise.all([makeWorld(), makeWorld()])
    good = await signed(makePdf())
  })

  const signed = async (pdf: Buffer, options: Partial<Parameters<World['sign']>[1]> = {}) =>
    world.sign(pdf, { signer: await world.signatory(), ...options })
  const check = (bytes: Buffer, wanted: Partial<FileToCheck> = {}) =>
    requireSoundFile(NOBODY, {
      tenantId: 'nobody',
      bytes,
      fields: ['Signature'],
      level: 'B-LTA',
      time: world.now,
      anchors: [world.root.certificate],
      ...wanted,
    })
  /** Where the value of the first signature stands. */
  const valueIn = (pdf: Buffer): [start: number, end: number] => {
    const start = pdf.indexOf('/Contents <')
    return [start, pdf.indexOf('>', start)]
  }
  /** Signed at another moment than the certificate was made for. */
  const signedApart = async (moment: (then: Date) => Date) => {
    const apart = await makeWorld()
    const signer = await apart.signatory()
    apart.now = moment(apart.now)
    const pdf = await apart.sign(makePdf(), { signer })
    return { pdf, wanted: { time: apart.now, anchors: [apart.root.certificate] } }
  }
  const changed = (pdf: Buffer, at: number) => {
    const copy = Buffer.from(pdf)
    copy[at]! ^= 1
    return copy
  }

  test('is published where nothing is wrong with it, judged here or in another thread', async () => {
    for (const isBulk of [false, true]) assert.equal((await check(good, { isBulk })).verdict, 'valid')
  })

  describe('that nobody waits for', () => {
    let folder: string
    let platform: Platform

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sound-'))
      platform = { blobs: await openLocalBlobs(folder) } as Platform
    })
    after(async () => {
      await platform.blobs.close()
      await rm(folder, { recursive: true })
    })

    const stage = (bytes: Buffer) => {
      const wanted = { tenantId: 'nobody', fields: ['Signature'], level: 'B-LTA', time: world.now } as const
      return stageSoundFile(platform, { ...wanted, bytes: Buffer.from(bytes), anchors: [world.root.certificate] })
    }
    const staged = () => readdir(join(folder, 'staging'))

    test('is staged as it was judged', async () => {
      const { report, staged: blob } = await stage(good)
      assert.equal(report.verdict, 'valid')
      assert.equal(blob.sha256, hash('sha256', good))
      assert.deepEqual(await readStaged(blob), good)
      await blob.discard()
    })

    test('is neither published nor staged where anything is wrong with it', async () => {
      await assert.rejects(stage(changed(good, good.indexOf('595'))), UnsoundFile)
      assert.deepEqual(await staged(), [])
    })
  })

  const mistakes: [what: string, why: RegExp, make: () => Promise<{ pdf: Buffer; wanted?: Partial<FileToCheck> }>][] = [
    ['has no signature', /Signature holds 0 signatures/, async () => ({ pdf: makePdf() })],
    [
      'is signed in another field',
      /holds 0/,
      async () => ({ pdf: await signed(makePdf(), { field: { name: 'Other' } }) }),
    ],
    [
      'lacks one of two signatures',
      /Second holds 0/,
      async () => ({ pdf: good, wanted: { fields: ['Signature', 'Second'] } }),
    ],
    ['has another byte in the document', /TOTAL-FAILED/, async () => ({ pdf: changed(good, good.indexOf('595')) })],
    [
      'has another byte in the signature',
      /TOTAL-FAILED|INDETERMINATE/,
      async () => ({ pdf: changed(good, good.indexOf('/Contents <') + 700) }),
    ],
    ['is cut short', /its end is missing/, async () => ({ pdf: good.subarray(0, -200) })],
    [
      'does not end where it should',
      /its last lines are not as they should be/,
      async () => ({ pdf: Buffer.concat([good, Buffer.from('\n1 0 obj << /Type /Catalog >> endobj\n')]) }),
    ],
    [
      'has no timestamp',
      /instead of B-LTA|INDETERMINATE/,
      async () => ({ pdf: await signed(makePdf(), { level: 'B-B' }) }),
    ],
    [
      'has no validation data',
      /instead of B-LTA|INDETERMINATE/,
      async () => ({ pdf: await signed(makePdf(), { level: 'B-T' }) }),
    ],
    [
      'has no archive timestamp',
      /reached B-LT instead of B-LTA/,
      async () => ({ pdf: await signed(makePdf(), { level: 'B-LT' }) }),
    ],
    [
      'is signed by an authority that is not ours',
      /INDETERMINATE|TOTAL-FAILED/,
      async () => ({ pdf: await strangers.sign(makePdf(), { signer: await strangers.signatory() }) }),
    ],
    [
      'is signed with a certificate that has been revoked',
      /REVOKED|INDETERMINATE|TOTAL-FAILED/,
      async () => {
        const signer = await world.signatory()
        world.revoke(signer, new Date(world.now.getTime() - DAY_MS))
        return { pdf: await world.sign(makePdf(), { signer }) }
      },
    ],
    [
      'carries the signature of another file',
      /TOTAL-FAILED|INDETERMINATE/,
      async () => {
        const other = await signed(makePdf({ content: '0.8 g 40 700 200 60 re f' }), {
          signer: await world.signatory(),
        })
        const [[at, end], [from, to]] = [valueIn(good), valueIn(other)]
        return { pdf: Buffer.concat([good.subarray(0, at), other.subarray(from, to), good.subarray(end)]) }
      },
    ],
    [
      'is signed in part alone',
      /holds 0|TOTAL-FAILED/,
      async () => {
        const shorter = (whole: string, begin: string, length: string) =>
          `${begin}${String(Number(length) - 10).padEnd(length.length)}]`.padEnd(whole.length)
        const text = good.toString('latin1').replace(/(\/ByteRange \[\d+ \d+ \d+ )(\d+)\]/, shorter)
        return { pdf: Buffer.from(text, 'latin1') }
      },
    ],
    [
      'is signed with a certificate that has ended',
      /TOTAL-FAILED|INDETERMINATE/,
      async () => signedApart((then) => new Date(then.getTime() + 2 * DAY_MS)),
    ],
    [
      'is signed with a certificate that is not valid yet',
      /TOTAL-FAILED|INDETERMINATE/,
      async () => signedApart((then) => new Date(then.getTime() - DAY_MS / 2)),
    ],
    [
      'is signed with a certificate that is not for signing',
      /TOTAL-FAILED|INDETERMINATE/,
      async () => ({ pdf: await signed(makePdf(), { signer: world.stamper }) }),
    ],
    [
      'is stamped by an authority that is not ours',
      /instead of B-LTA|TOTAL-FAILED|INDETERMINATE/,
      async () => ({ pdf: await signed(makePdf(), { tsa: strangers.tsa }) }),
    ],
    [
      'has validation data about somebody else',
      /instead of B-LTA|INDETERMINATE/,
      async () => {
        const somebody = await world.signatory('Somebody Else')
        return { pdf: await signed(makePdf(), { validationData: () => world.validationData(somebody) }) }
      },
    ],
    [
      'has validation data of an authority that is not ours',
      /instead of B-LTA|INDETERMINATE/,
      async () => ({ pdf: await signed(makePdf(), { validationData: () => strangers.validationData() }) }),
    ],
    [
      'has another page since it was signed',
      /TOTAL-FAILED|INDETERMINATE/,
      async () => ({ pdf: appendRevision(good, { 4: OTHER_CONTENT }) }),
    ],
    [
      'got another page between the signature and the archive timestamp',
      /TOTAL-FAILED|INDETERMINATE/,
      async () => {
        const changedSince = appendRevision(await signed(makePdf(), { level: 'B-LT' }), { 4: OTHER_CONTENT })
        return { pdf: await world.archive(changedSince) }
      },
    ],
    [
      'harms the signature that was there before',
      /^the produced file was not published: Signature: /,
      async () => {
        const harmed = changed(good, good.indexOf('595'))
        return { pdf: await signed(harmed, { field: { name: 'Second' } }), wanted: { fields: ['Second'] } }
      },
    ],
  ]
  test('has twenty ways and more to be wrong here', () => assert.ok(mistakes.length >= 20))

  for (const [what, why, make] of mistakes) {
    test(`is not published where it ${what}`, async () => {
      const { pdf, wanted } = await make()
      await assert.rejects(check(pdf, wanted), (error: Error) => {
        assert.ok(error instanceof UnsoundFile, error.stack)
        assert.match(error.message, why)
        return true
      })
    })
  }
})
