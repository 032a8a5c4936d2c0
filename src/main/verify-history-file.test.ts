import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startService, type TestService, type TestTenant } from '../../test/service.ts'
import { create } from '../../test/signature-requests.ts'
import { verifyHistoryFile } from './verify-history-file.ts'

type Event = Record<string, unknown> & { data: Record<string, unknown>; actor: Record<string, unknown> }
type Page = { items: Event[]; head: Record<string, unknown> | null; requestId: string; tenantId: string }

describe('countersign history verify', () => {
  let service: TestService
  let acme: TestTenant
  let folder: string
  let history: Page
  let keyFile: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-history-'))
    service = await startService()
    acme = await service.createTenant('Acme')
    const id = await create(acme.call)
    await acme.call('POST', `/signing/signaturerequest/${id}/cancel`, { reason: 'Enough' })
    history = (await acme.call('GET', `/event/signaturerequest/${id}`)).json
    keyFile = save('keys.json', (await acme.call('GET', '/event/.well-known/jwks.json')).json)
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function save(name: string, content: unknown): string {
    const path = join(folder, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }

  function verify(content: unknown, ...options: string[]): { code: number; said: string } {
    const said: string[] = []
    const code = verifyHistoryFile(['verify', save('history.json', content), ...options], (line) => said.push(line))
    return { code, said: said.join('\n') }
  }

  test('finds a whole history intact, in one page or in several', async () => {
    assert.deepEqual(verify(history, '--key', keyFile), {
      code: 0,
      said: 'Intact: 5 events, in order and unchanged, to the signed end.',
    })
    const path = `/event/signaturerequest/${history.requestId}?pageSize=3`
    const first = (await acme.call('GET', path)).json
    const second = (await acme.call('GET', `${path}&continuationToken=${first.continuationToken}`)).json
    assert.equal(verify([first, second], '--key', keyFile).code, 0)
    assert.equal(verify([second, first], '--key', keyFile).code, 1)
    assert.match(verify([first], '--key', keyFile).said, /may have been cut short/)
  })

  test('works without a key file, and says what that is worth', () => {
    const { code, said } = verify(history)
    assert.equal(code, 0)
    assert.match(said, /with the keys in the history itself/)
  })

  const changes: [what: string, change: (page: Page) => void, problem: RegExp][] = [
    ['a changed type', ({ items }) => void (items[1]!['eventType'] = 'x'), /Event 2 has been changed/],
    ['a changed time', ({ items }) => void (items[2]!['timestamp'] = '2020-01-01T00:00:00.000Z'), /Event 3 has been/],
    ['a changed fact', ({ items }) => void (items[4]!.data['reason'] = 'Other'), /What event 5 tells has been changed/],
    ['a changed actor', ({ items }) => void (items[0]!.actor['kind'] = 'user'), /What event 1 tells has been changed/],
    ['a changed body', ({ items }) => void (items[0]!['body'] = 'e30='), /What event 1 tells has been changed/],
    ['a removed event', ({ items }) => void items.splice(2, 1), /Event 3 is missing or out of order/],
    ['a removed first event', ({ items }) => void items.shift(), /Event 1 is missing/],
    ['two events exchanged', ({ items }) => void items.splice(1, 2, items[2]!, items[1]!), /Event 2 is missing/],
    ['an event told twice', ({ items }) => void items.splice(1, 0, items[1]!), /Event 3 is missing/],
    ['a cut end', ({ items }) => void items.pop(), /signed with 5 events; this one ends with event 4/],
    ['a removed head', (page) => void (page.head = null), /may have been cut short/],
    ['a changed signature', ({ head }) => void (head!['signature'] = btoa('x'.repeat(64))), /not signed by any/],
    ['another tenant', (page) => void (page.tenantId = page.requestId), /Event 1 has been changed/],
    [
      'a cut end with a head to match',
      ({ items, head }) => {
        items.pop()
        Object.assign(head!, { sequence: 4, hash: items[3]!['hash'] })
      },
      /not signed by any of the keys/,
    ],
    ['an erased body that still tells', ({ items }) => void (items[0]!['body'] = null), /What event 1 tells/],
  ]
  for (const [what, change, problem] of changes) {
    test(`notices ${what}`, () => {
      const page = structuredClone(history)
      change(page)
      const { code, said } = verify(page, '--key', keyFile)
      assert.equal(code, 1)
      assert.match(said, /^Not intact: /)
      assert.match(said, problem)
    })
  }

  test('bears an event whose content was erased', () => {
    const page = structuredClone(history)
    Object.assign(page.items[4]!, { actor: null, data: null, salt: null, body: null, erased: true })
    const { code, said } = verify(page, '--key', keyFile)
    assert.equal(code, 0)
    assert.match(said, /5 events, 1 of them erased/)
  })

  test('does not trust a history signed by a key that it was not given', () => {
    const other = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 1).toString('base64url') }] }
    const { code, said } = verify(history, '--key', save('other.json', other))
    assert.equal(code, 1)
    assert.match(said, /not signed by any of the keys/)
  })

  test('says what is wrong with what it was given', () => {
    for (const content of [{}, [], [null], { items: [] }, 7, null]) {
      const { code, said } = verify(content)
      assert.equal(code, 1, JSON.stringify(content))
      assert.match(said, /^Not intact: (This is not a history|The file holds no page)/)
    }
    assert.equal(verify('{').code, 2)
    const said: string[] = []
    assert.equal(
      verifyHistoryFile(['verify', join(folder, 'none.json')], (line) => said.push(line)),
      2,
    )
    assert.equal(
      verifyHistoryFile([], (line) => said.push(line)),
      2,
    )
    assert.equal(
      verifyHistoryFile(['verify', 'a', '--unknown'], (line) => said.push(line)),
      2,
    )
    assert.match(said[0]!, /none\.json can not be read as JSON/)
    assert.match(said[1]!, /^Usage: countersign history verify FILE/)
  })

  test('is a command that needs neither database nor configuration', async () => {
    const file = save('whole.json', history)
    const run = promisify(execFile)
    const { stdout } = await run(
      process.execPath,
      ['bin/countersign.js', 'history', 'verify', file, '--key', keyFile],
      {
        env: { PATH: process.env['PATH'] },
      },
    )
    assert.equal(stdout, 'Intact: 5 events, in order and unchanged, to the signed end.\n')
  })
})
