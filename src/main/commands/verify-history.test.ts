import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { trustAnchors } from '#features/certificates/index.ts'
import { makeStamping } from '#features/history/index.ts'
import { parseTimestampToken } from '#pki/timestamp.ts'
import { certificatePem, openssl, withoutOpenssl } from '../../../test/fakes/openssl.ts'
import { makeTestChain } from '../../../test/fakes/pki.ts'
import { asWorker, logEverything } from '../../features/history/testing/log.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { create } from '../../../test/signature-requests.ts'
import { runCommandLine } from '../command-line/run-command.ts'
import { history as command } from './history.ts'

type Event = Record<string, unknown> & { data: Record<string, unknown>; actor: Record<string, unknown> }
type Page = { items: Event[]; head: Record<string, unknown> | null; requestId: string; tenantId: string }

const WITHOUT_LOG = 'It comes without proof of its place in the log: whoever holds the keys could have rewritten it.'

/** The token with one byte of what it was made over changed. */
function otherTimestamp(base64: string): string {
  const token = Buffer.from(base64, 'base64')
  const { digest } = parseTimestampToken(token).info
  const at = token.indexOf(digest)
  token[at] = token[at]! ^ 1
  return token.toString('base64')
}

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

  async function run(...args: string[]): Promise<{ code: number | undefined; said: string }> {
    const said: string[] = []
    const say = (text: string) => void said.push(text)
    const surroundings = { out: say, err: say, isInteractive: false, environment: {} }
    const code = await runCommandLine({ history: command }, ['history', 'verify', ...args], surroundings)
    return { code, said: said.join('').trimEnd() }
  }

  const verify = (content: unknown, ...options: string[]) => run(save('history.json', content), ...options)

  test('finds a whole history intact, in one page or in several', async () => {
    assert.deepEqual(await verify(history, '--key', keyFile), {
      code: 0,
      said: `Intact: 5 events, in order and unchanged, to the signed end.\n${WITHOUT_LOG}`,
    })
    const path = `/event/signaturerequest/${history.requestId}?pageSize=3`
    const first = (await acme.call('GET', path)).json
    const second = (await acme.call('GET', `${path}&continuationToken=${first.continuationToken}`)).json
    assert.equal((await verify([first, second], '--key', keyFile)).code, 0)
    assert.equal((await verify([second, first], '--key', keyFile)).code, 1)
    assert.match((await verify([first], '--key', keyFile)).said, /may have been cut short/)
  })

  test('works without a key file, and says what that is worth', async () => {
    const { code, said } = await verify(history)
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
    test(`notices ${what}`, async () => {
      const page = structuredClone(history)
      change(page)
      const { code, said } = await verify(page, '--key', keyFile)
      assert.equal(code, 1)
      assert.match(said, /^Not intact: /)
      assert.match(said, problem)
    })
  }

  test('bears an event whose content was erased', async () => {
    const page = structuredClone(history)
    Object.assign(page.items[4]!, { actor: null, data: null, salt: null, body: null, erased: true })
    const { code, said } = await verify(page, '--key', keyFile)
    assert.equal(code, 0)
    assert.match(said, /5 events, 1 of them erased/)
  })

  describe('with its proof', () => {
    let proof: Page & { log: { checkpoint: string; timestamp: string | null; knownEvents: number } }
    let logKeyFile: string
    let rootFile: string

    before(async () => {
      const worker = asWorker(service)
      await logEverything(worker)
      await makeStamping(worker)()
      proof = (await acme.call('GET', `/event/signaturerequest/${history.requestId}/proof`)).json
      logKeyFile = save('log.key', (await service.call('GET', '/log/key')).text)
      const [root] = await trustAnchors(service.platform)
      rootFile = save('root.pem', certificatePem(root!))
    })

    test('tells where it lies in the log and since when, with either kind of key file', async () => {
      for (const key of [keyFile, logKeyFile]) {
        const { code, said } = await verify(proof, '--key', key, '--authority', rootFile)
        assert.equal(code, 0, said)
        const lines = said.split('\n')
        assert.match(lines[1]!, /^In the log: 5 of 5, by a signed checkpoint of 5 events\.$/)
        assert.match(lines[2]!, /^The checkpoint was timestamped at 20\S+Z by CN=Countersign timestamps/)
        assert.equal(lines.length, 3)
      }
      assert.match((await verify(proof)).said, /Who that authority is was not checked; see --authority/)
    })

    const lies: [what: string, change: (page: typeof proof) => void, problem: RegExp][] = [
      ['a changed place', ({ items }) => void (items[1]!['logPosition'] = 3), /Event 2 is not in the log at its place/],
      ['a place twice', ({ items }) => void (items[1]!['logPosition'] = 0), /Event 2 has no place in the log after/],
      ['a place beyond', ({ items }) => void (items[4]!['logPosition'] = 5), /Event 5 has no place/],
      [
        'a changed proof',
        ({ items }) => void (items[2]!['inclusionProof'] = [btoa('x'.repeat(32))]),
        /Event 3 is not in/,
      ],
      ['an empty proof', ({ items }) => void (items[2]!['inclusionProof'] = []), /Event 3 is not in the log/],
      [
        'a missing place',
        ({ items }) => void (items[2]!['logPosition'] = null),
        /Event 3 has no place in the log after/,
      ],
      [
        'missing places at the end',
        ({ items }) => void (items[4]!['logPosition'] = null),
        /Event 5 has no place in the log, and/,
      ],
      [
        'a changed root',
        ({ log }) => void (log.checkpoint = log.checkpoint.replace('\n5\n', '\n6\n')),
        /checkpoint of the log is not signed/,
      ],
      [
        'no signature',
        ({ log }) => void (log.checkpoint = log.checkpoint.split('—')[0]!),
        /checkpoint of the log is not signed/,
      ],
      ['no checkpoint', ({ log }) => void (log.checkpoint = ''), /checkpoint of the log is not signed/],
      [
        'more events known to the log',
        ({ log }) => void (log.knownEvents = 6),
        /The log knows 6 events of this request/,
      ],
      [
        'a timestamp of something else',
        ({ log }) => void (log.timestamp = otherTimestamp(log.timestamp!)),
        /timestamp of the checkpoint does not hold/,
      ],
      [
        'no timestamp at all in its place',
        ({ log }) => void (log.timestamp = btoa('nothing')),
        /timestamp of the checkpoint does not hold/,
      ],
    ]
    for (const [what, change, problem] of lies) {
      test(`notices ${what}`, async () => {
        const page = structuredClone(proof)
        change(page)
        const { code, said } = await verify(page, '--key', keyFile)
        assert.equal(code, 1)
        assert.match(said, problem)
      })
    }

    test('does not trust an authority that nobody vouches for', async () => {
      const { root } = await makeTestChain({ now: new Date() })
      const stranger = save('stranger.pem', certificatePem(root.certificate))
      assert.match(
        (await verify(proof, '--authority', stranger)).said,
        /^Not intact: The timestamp of the checkpoint does not hold/,
      )
      assert.equal((await verify(proof, '--authority', save('none.pem', 'nothing'))).code, 2)
    })

    test('openssl says the same of the timestamp', { skip: withoutOpenssl }, async () => {
      const [root] = await trustAnchors(service.platform)
      const files = {
        'checkpoint.txt': Buffer.from(proof.log.checkpoint),
        'checkpoint.tst': Buffer.from(proof.log.timestamp!, 'base64'),
        'root.pem': certificatePem(root!),
      }
      const args = ['-data', 'checkpoint.txt', '-in', 'checkpoint.tst', '-token_in', '-CAfile', 'root.pem']
      const { ok, text } = openssl(['ts', '-verify', ...args], files)
      assert.ok(ok, text)
    })
  })

  test('does not trust a history signed by a key that it was not given', async () => {
    const other = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 1).toString('base64url') }] }
    const { code, said } = await verify(history, '--key', save('other.json', other))
    assert.equal(code, 1)
    assert.match(said, /not signed by any of the keys/)
  })

  test('says what is wrong with what it was given', async () => {
    for (const content of [{}, [], [null], { items: [] }, 7, null]) {
      const { code, said } = await verify(content)
      assert.equal(code, 1, JSON.stringify(content))
      assert.match(said, /^Not intact: (This is not a history|The file holds no page)/)
    }
    assert.equal((await verify('{')).code, 2)
    const missing = await run(join(folder, 'none.json'))
    assert.equal(missing.code, 2)
    assert.match(missing.said, /none\.json can not be read as JSON/)
    for (const args of [[], ['a', '--unknown'], ['a', 'b']]) {
      const { code, said } = await run(...args)
      assert.equal(code, 2)
      assert.match(said, /countersign history verify FILE/)
    }
  })

  test('is a command that needs neither database nor configuration', async () => {
    const file = save('whole.json', history)
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['bin/countersign.js', 'history', 'verify', file, '--key', keyFile],
      {
        env: { PATH: process.env['PATH'] },
      },
    )
    assert.equal(stdout, `Intact: 5 events, in order and unchanged, to the signed end.\n${WITHOUT_LOG}\n`)
  })
})
