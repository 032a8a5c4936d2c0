import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { parseCertificate } from '#pki/certificate.ts'
import { makePdf } from '../testing/documents.ts'
import { Memory, Remembered } from './memory.ts'
import { makeWorld, type World } from './testing/world.ts'
import { validatePdf } from './validate-pdf.ts'

describe('a judge who remembers', () => {
  let world: World
  let sealed: Buffer
  let judge: (pdf: Buffer, memory?: Memory) => ReturnType<typeof validatePdf>
  before(async () => {
    world = await makeWorld()
    sealed = await world.sign(makePdf(), { signer: await world.seal() })
    judge = (pdf, memory) => validatePdf(pdf, { trustAnchors: [world.root.certificate], time: world.now }, memory)
  })

  test('says the same about a file that it has seen and about one of another maker', async () => {
    const memory = new Memory()
    const other = await world.sign(makePdf(), { signer: await world.signatory() })
    for (const file of [sealed, other, sealed, await world.archive(sealed), makePdf(), sealed])
      assert.deepEqual(await judge(file, memory), await judge(file))
  })

  test('does not take a damaged file for the one that it remembers, wherever the damage is', async () => {
    const memory = new Memory()
    assert.equal((await judge(sealed, memory)).verdict, 'valid')
    const stride = Math.ceil((sealed.length - makePdf().length) / 90)
    for (let at = makePdf().length; at < sealed.length; at += stride) {
      const damaged = Buffer.from(sealed)
      damaged[at] = damaged[at]! ^ 0x11
      assert.deepEqual(await judge(damaged, memory), await judge(damaged), `byte ${at}`)
    }
    assert.equal((await judge(sealed, memory)).verdict, 'valid')
  })

  test('learns of a revocation, and forgets an anchor that is trusted no more', async () => {
    const memory = new Memory()
    const stranger = await makeWorld()
    assert.equal((await judge(sealed, memory)).verdict, 'valid')
    const untrusted = { trustAnchors: [stranger.root.certificate], time: world.now }
    assert.equal((await validatePdf(sealed, untrusted, memory)).verdict, 'indeterminate')
    const signer = await world.seal()
    const signed = await world.sign(makePdf(), { signer })
    assert.equal((await judge(signed, memory)).verdict, 'valid')
    world.revoke(signer, world.now)
    const revoked = await world.sign(makePdf(), { signer })
    assert.notEqual((await judge(revoked, memory)).verdict, 'valid')
    assert.deepEqual(await judge(revoked, memory), await judge(revoked))
  })

  test('reads the same bytes once, keeps none of the file that they came from, and forgets the oldest', () => {
    let reads = 0
    const remembered = new Remembered((der) => {
      reads++
      return parseCertificate(der)
    })
    const { certificate } = world.root
    const file = Buffer.concat([Buffer.alloc(50_000), certificate])
    const first = remembered.read(file.subarray(50_000))
    assert.equal(remembered.read(Buffer.from(certificate)), first)
    assert.equal(reads, 1)
    assert.ok(first.raw.equals(certificate))
    assert.notEqual(first.raw.buffer, file.buffer)

    const seen: number[] = []
    const numbers = new Remembered((der) => seen.push(der.readUInt32BE()))
    const read = (number: number) => numbers.read(Buffer.from([0, 0, number >> 8, number & 0xff]))
    for (let number = 0; number < 300; number++) read(number)
    read(299)
    assert.equal(seen.length, 300)
    read(0)
    assert.equal(seen.at(-1), 0)
  })
})
