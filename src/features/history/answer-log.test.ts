import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startService, type TestService } from '../../../test/service.ts'
import { rootOf } from './merkle-tree.ts'
import { readTilePath } from './tile-path.ts'
import { asWorker, logEverything, writeHistory } from './testing/log.ts'

describe('the public log', () => {
  let service: TestService

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const get = async (path: string) => {
    const response = await fetch(`${service.url}/log/${path}`)
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  test('has no checkpoint before the sequencer has run', async () => {
    assert.equal((await get('checkpoint')).status, 204)
  })

  test('can be followed by anybody: from the key to the checkpoint to the hashes below its root', async () => {
    await writeHistory(service, await service.createTenant('Acme'), 300)
    await logEverything(asWorker(service))

    const [vkey] = (await get('key')).bytes.toString().trim().split('\n')
    const [origin, keyHash, key64] = /^(.+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey!)!.slice(1) as [string, string, string]
    const key = Buffer.from(key64, 'base64')
    assert.equal(key[0], 1)
    const named = Buffer.concat([Buffer.from(`${origin}\n`), key])
    assert.equal(createHash('sha256').update(named).digest('hex').slice(0, 8), keyHash)

    const note = await get('checkpoint')
    assert.equal(note.headers.get('content-type'), 'text/plain; charset=utf-8')
    const [text, signatures] = note.bytes.toString().split('\n\n') as [string, string]
    const [name, size, root] = text.split('\n')
    assert.equal(name, origin)
    assert.equal(size, '300')
    const signature = Buffer.from(signatures.trim().split(' ')[2]!, 'base64')
    assert.equal(signature.subarray(0, 4).toString('hex'), keyHash)
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: key.subarray(1).toString('base64url') },
      format: 'jwk',
    })
    assert.ok(verify(null, Buffer.from(`${text}\n`), publicKey, signature.subarray(4)))

    const full = await get('tile/0/000')
    const partial = await get('tile/0/001.p/44')
    const hashes = Buffer.concat([full.bytes, partial.bytes])
    const leaves = Array.from({ length: 300 }, (_, index) => hashes.subarray(index * 32, (index + 1) * 32))
    assert.equal(rootOf(leaves).toString('base64'), root)
    assert.match(full.headers.get('cache-control')!, /immutable/)
    assert.deepEqual((await get('tile/1/000.p/1')).bytes, rootOf(leaves.slice(0, 256)))
    assert.deepEqual((await get('tile/0/001.p/7')).bytes, partial.bytes.subarray(0, 7 * 32), 'a size of before')
  })

  test('answers 404 for tiles that it does not have', async () => {
    const paths = [
      '0/001',
      '0/001.p/45',
      '0/002.p/1',
      '1/000',
      '2/000.p/1',
      '9/000',
      'x/000',
      '0/1',
      '0/x000',
      '0/000.p/0',
    ]
    paths.push('0/000.p/257', '0/x001/000', '0/x999/x999/999', '0/x999/x999/999.p/1', '0/a/b/c/d', 'entries/000')
    for (const path of paths) assert.equal((await get(`tile/${path}`)).status, 404, path)
  })

  test('numbers its tiles in groups of three digits', () => {
    const cases: [path: string, number: number, width: number][] = [
      ['000', 0, 256],
      ['067', 67, 256],
      ['x001/x234/067', 1_234_067, 256],
      ['x001/000.p/17', 1000, 17],
      ['000.p/256', 0, 256],
    ]
    for (const [path, number, width] of cases) {
      assert.deepEqual(readTilePath('0', path), { level: 0, number, width }, path)
    }
  })
})
