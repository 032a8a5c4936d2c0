import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeWorld, type World } from '#pades/validate/testing/world.ts'
import { startService, type Reply, type TestService, type TestTenant } from '../../../test/service.ts'
import { fetchBytes, invite, openLink, startSigningService, untilStatus } from '../../../test/signing-flow.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { unzip } from '../../../test/unzip.ts'

const MIB = 1024 * 1024
const PDF = { 'content-type': 'application/pdf' }

describe('validation of documents', () => {
  let service: TestService
  let tenant: TestTenant
  let world: World
  let folder: string

  before(async () => {
    world = await makeWorld()
    folder = mkdtempSync(join(tmpdir(), 'countersign-validation-'))
    const file = join(folder, 'trusted.pem')
    writeFileSync(file, pemOf(world.root.certificate))
    service = await startService({
      COUNTERSIGN_TRUST_FILE: file,
      COUNTERSIGN_MAX_DOCUMENT_MB: '1',
      COUNTERSIGN_MAX_SIGNATORIES: '7',
    })
    tenant = await service.createTenant()
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  const validate = (raw: Buffer, headers: Record<string, string> = PDF) =>
    tenant.call('POST', '/validation/document', undefined, { raw, headers })

  const sealed = async () => world.sign(makePdf(), { signer: await world.seal() })

  test('a file by an authority that the operator trusts: valid, with who, when and whose chain', async () => {
    const { status, json } = await validate(await sealed())
    assert.equal(status, 200)
    assert.equal(json.verdict, 'valid')
    const [signature] = json.signatures
    assert.deepEqual(
      { level: signature.level, chainEndsAt: signature.chainEndsAt, changed: signature.changedAfterwards },
      { level: 'B-LTA', chainEndsAt: 'Trusted', changed: 'explained' },
    )
    assert.equal(json.timestamps[0].chainEndsAt, 'Trusted')
    assert.equal(json.evidence, null)
  })

  test('the chain of an authority that nobody here knows ends nowhere', async () => {
    const stranger = await makeWorld()
    const { json } = await validate(await stranger.sign(makePdf(), { signer: await stranger.seal() }))
    assert.equal(json.verdict, 'indeterminate')
    assert.equal(json.signatures[0].chainEndsAt, 'Unknown')
    assert.equal(json.signatures[0].subIndication, 'NO_CERTIFICATE_CHAIN_FOUND')
  })

  test('a changed byte is told, an unsigned file too', async () => {
    const changed = Buffer.from(await sealed())
    changed[changed.indexOf('contract')] = 0x43
    assert.equal((await validate(changed)).json.verdict, 'invalid')
    assert.equal((await validate(makePdf())).json.verdict, 'unsigned')
  })

  test('a file that can’t be read: why, and no verdict on its signatures', async () => {
    const withPassword = makePdf().toString('latin1').replace('trailer\n<<', 'trailer\n<< /Encrypt 1 0 R')
    const encrypted = await validate(Buffer.from(withPassword, 'latin1'))
    assert.deepEqual(
      [encrypted.json.verdict, encrypted.json.unreadable],
      ['indeterminate', 'encrypted'],
      encrypted.text,
    )
    const damaged = await validate(Buffer.from('%PDF-1.7\nand nothing else'))
    assert.deepEqual([damaged.json.verdict, damaged.json.unreadable], ['invalid', 'damaged'], damaged.text)
    assert.equal((await validate(makePdf())).json.unreadable, null)
  })

  for (const [what, raw, headers, status, code] of [
    ['no PDF', Buffer.from('PK\u0003\u0004 something else'), PDF, 400, 1610],
    ['an empty body', Buffer.alloc(0), PDF, 400, 1000],
    ['a form', makePdf(), { 'content-type': 'multipart/form-data; boundary=x' }, 415, 1001],
    ['a compressed body', makePdf(), { ...PDF, 'content-encoding': 'gzip' }, 415, 1001],
    ['a file beyond the limit', makePdf('large', { paddingBytes: 2 * MIB }), PDF, 413, 1019],
  ] as const) {
    test(`${what} is refused`, async () => {
      const reply = await validate(raw, headers)
      assert.deepEqual([reply.status, reply.json.code], [status, code], reply.text)
    })
  }

  test('the largest document that is taken has grown by its signatures, and is judged', async () => {
    const paddingBytes = 1_000_000
    const missing = MIB - makePdf('largest', { paddingBytes }).length
    const largest = makePdf('largest', { paddingBytes: paddingBytes + missing })
    assert.equal(largest.length, MIB)
    const { status, json } = await validate(await world.sign(largest, { signer: await world.seal() }))
    assert.deepEqual([status, json.verdict], [200, 'valid'])
  })

  test('nothing is stored, whatever comes', async () => {
    await validate(await sealed())
    await validate(Buffer.from('nothing'))
    const files = readdirSync(service.blobFolder, { recursive: true, withFileTypes: true })
    assert.deepEqual(
      files.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name),
      [],
    )
    assert.deepEqual(await service.database.asOwner('select id from stored_document'), [])
  })

  test('anybody may ask on the page, but not without end', async () => {
    const ask = () => service.call('POST', '/verify/api/document', undefined, { raw: makePdf(), headers: PDF })
    const replies: Reply[] = []
    // Sixty at once, and one more with every second that this takes.
    while (replies.at(-1)?.status !== 429 && replies.length < 600) replies.push(await ask())
    assert.ok(replies.length > 60, `${replies.length}`)
    assert.equal(replies[0]!.json.verdict, 'unsigned')
    const refused = replies.at(-1)!
    assert.deepEqual([refused.status, refused.json.code], [429, 1002])
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await validate(makePdf())).status, 200, 'callers with a key have their own limit')
  })
})

describe('the link of an evidence page', () => {
  let service: TestService
  let tenant: TestTenant
  let document: Buffer
  let evidence: Buffer
  let code: string
  let requestId: string

  before(async () => {
    service = await startSigningService()
    tenant = await service.createTenant()
    const ceremony = await invite(tenant)
    requestId = ceremony.requestId
    const browser = await openLink(service, tenant, requestId, ceremony.signatoryIds[0]!)
    await browser.pageIn('ready')
    await browser.sign()
    const closed = await untilStatus(tenant, requestId, 'Closed')
    document = await fetchBytes(service, tenant, closed.documents[0].documentURI)
    const zip = unzip(await fetchBytes(service, tenant, `/signing/signaturerequest/${requestId}/evidence`))
    evidence = zip.get('evidence.pdf')!
    const { verifyUrl } = JSON.parse(zip.get('evidence.json')!.toString()) as { verifyUrl: string }
    code = verifyUrl.split('/').pop()!
  })
  after(() => service.stop())

  const ask = (raw: Buffer, given = code) =>
    service.call('POST', `/verify/api/document?evidence=${given}`, undefined, { raw, headers: PDF })

  test('says of the sealed document and of the evidence that they are the ones', async () => {
    for (const file of [document, evidence]) {
      const { json } = await ask(file)
      assert.deepEqual(json.evidence, { signatureRequestId: requestId, isSealedHere: true })
      assert.equal(json.verdict, 'valid')
      const parts = [...json.signatures, ...json.timestamps] as { kind: string; chainEndsAt: string }[]
      assert.ok(parts.some(({ kind }) => kind === 'timestamp'))
      assert.ok(
        parts.every(({ chainEndsAt }) => chainEndsAt === 'Installation'),
        'signatures and timestamps alike are told to be of this service itself',
      )
    }
  })

  test('says of any other file that it is not, also where it is valid', async () => {
    const earlier = document.subarray(0, document.length)
    const appended = Buffer.concat([earlier, Buffer.from('\n')])
    assert.equal((await ask(appended)).json.evidence.isSealedHere, false)
    assert.equal((await ask(makePdf())).json.evidence.isSealedHere, false)
  })

  test('answers the same for a request that does not exist as for a wrong file', async () => {
    const ids = Buffer.from(code, 'base64url')
    ids[31]! ^= 1
    const { status, json } = await ask(document, ids.toString('base64url'))
    assert.equal(status, 200)
    assert.equal(json.evidence.isSealedHere, false)
  })

  test('is refused where it is no such link', async () => {
    assert.equal((await ask(document, 'short')).json.code, 1611)
    assert.equal((await ask(document, `${'A'.repeat(42)}!`)).json.code, 1611)
  })
})

function pemOf(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`
}
