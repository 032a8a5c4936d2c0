// What is signed depends on what is given and on nothing else: no clock, no chance, no order of a map, no place or
// language of the machine. So whoever has the same document, key, time and answers can make the same file.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { makeSignatoryCertificate } from '#pki/authority.ts'
import { generateKey } from '#pki/raw-signer.ts'
import { makeTestAuthority, TEST_TIME, type TestAuthority } from './testing/authority.ts'
import { makePdf, type DocumentShape } from './testing/documents.ts'
import { signAgain, type Given, type Made } from './testing/sign-again.ts'

const PROGRAM = new URL('./testing/sign-again.ts', import.meta.url).pathname

const SHAPES: Record<string, DocumentShape> = {
  'a table': {},
  'a cross-reference stream with object streams': { xref: 'stream', objectStream: true, version: '1.5' },
}

describe('the same document, key, time and answers', () => {
  let authority: TestAuthority
  let signer: Pick<Given, 'key' | 'certificate' | 'chain'>

  before(async () => {
    authority = await makeTestAuthority()
    const { publicKey, privateKey } = await generateKey('RS256')
    const { issuing } = authority
    const person = { name: 'Anna Müller', requestId: 'request-1', authentication: 'None.' }
    const certificate = await makeSignatoryCertificate(issuing, { publicKey, ...person, now: TEST_TIME })
    signer = {
      key: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      certificate: certificate.toString('base64'),
      chain: [issuing.certificate.toString('base64')],
    }
  })

  const given = (shape: DocumentShape): Given => ({
    ...signer,
    pdf: makePdf(shape).toString('base64'),
    time: TEST_TIME.toISOString(),
    tokens: {},
  })

  for (const [name, shape] of Object.entries(SHAPES)) {
    test(`${name}: the prepared bytes and the signed file are the same, here and in another process`, async () => {
      const all = given(shape)
      const first = await signAgain(all, authority.tsa)
      assert.equal(Object.keys(all.tokens).length, 2, 'over the signature and over the document')
      assert.deepEqual(await signAgain(all), first)
      const env = { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', PATH: process.env['PATH'] }
      const said = execFileSync(process.execPath, [PROGRAM], { input: JSON.stringify(all), env, maxBuffer: 10_000_000 })
      assert.deepEqual(JSON.parse(said.toString()) as Made, first)
    })
  }

  test('another moment makes another file', async () => {
    const all = given({})
    const first = await signAgain(all, authority.tsa)
    const later = { ...all, time: new Date(TEST_TIME.getTime() + 1000).toISOString() }
    assert.notDeepEqual(await signAgain(later, authority.tsa), first)
    await assert.rejects(signAgain({ ...later, tokens: {} }), /these are other bytes/)
  })
})
