// Documents on their way in and out: from memory, from a file, as a stream.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect, type Content, type Countersign } from '#client'
import { startService, type TestService } from '../service.ts'
import { makePdf } from '../small-pdf.ts'

const pdf = new Uint8Array(makePdf())
const sha256 = createHash('sha256').update(pdf).digest('hex')

describe('documents through the client', () => {
  let service: TestService
  let countersign: Countersign
  let key: string
  const folder = mkdtempSync(join(tmpdir(), 'countersign-client-'))
  const path = join(folder, 'lease.pdf')

  before(async () => {
    writeFileSync(path, pdf)
    service = await startService()
    key = (await service.createTenant()).key
    countersign = connect({ url: service.url, key })
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const contents: [what: string, content: () => Content | Promise<Content>][] = [
    ['bytes', () => pdf],
    ['a Node buffer', () => Buffer.from(pdf)],
    ['an array buffer', () => pdf.buffer.slice(pdf.byteOffset, pdf.byteOffset + pdf.byteLength)],
    ['a blob with a type', () => new Blob([pdf], { type: 'application/pdf' })],
    ['a file that is read as it is sent', () => openAsBlob(path)],
    ['a stream', () => new Blob([pdf]).stream()],
  ]
  for (const [what, content] of contents) {
    test(`${what} can be uploaded`, async () => {
      const stored = await countersign.uploadDocument({ content: await content(), fileName: 'lease.pdf' })
      assert.deepEqual([stored.sha256, stored.size], [sha256, pdf.length])
    })
  }

  test('a download is a response: its bytes, its stream, its headers', async () => {
    const { uri } = await countersign.uploadDocument({ content: pdf, fileName: 'lease ä.pdf' })
    const response = (await countersign.downloadStoredDocument({ uri }))!
    assert.match(response.headers.get('content-disposition')!, /lease/)
    const chunks = await Array.fromAsync(response.body!)
    assert.deepEqual(new Uint8Array(Buffer.concat(chunks)), pdf)
    const part = (await countersign.downloadStoredDocument({ uri }, { headers: { range: 'bytes=0-4' } }))!
    assert.equal(await part.text(), '%PDF-')
    const text = (await countersign.downloadStoredDocument({ uri, base64: true }))!
    assert.equal(await text.text(), Buffer.from(pdf).toString('base64'))
  })

  test('what is not there is undefined', async () => {
    assert.equal(await countersign.downloadStoredDocument({ uri: 'nothing' }), undefined)
    const { id } = await countersign.createSignatureRequest({ subject: 'Lease' })
    assert.equal(await countersign.downloadEvidence({ id }), undefined)
  })

  test('the time limit is over once a document has begun to arrive', async () => {
    const { uri } = await countersign.uploadDocument({ content: pdf })
    const patient = connect({ url: service.url, key, timeoutMs: 1_500 })
    const response = await patient.downloadStoredDocument({ uri })
    await new Promise((resolve) => setTimeout(resolve, 1_600))
    assert.equal((await response!.arrayBuffer()).byteLength, pdf.length)
  })
})
