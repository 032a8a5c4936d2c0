import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  makeReceiverAuthority,
  startReceiver,
  type Receiver,
  type ReceiverAuthority,
  type ReceiverOptions,
} from '../../../test/fakes/webhook-receiver.ts'
import type { Lookup } from './guarded-connect.ts'
import { makeSender, type Sender, type SenderOptions } from './sender.ts'

const LOCAL = ['localhost', '127.0.0.1', 'hooks.example.com']

/** `npm run proof:rebinding` sends more. */
const REBOUND_SENDS = Number(process.env['COUNTERSIGN_REBOUND_SENDS'] ?? 200)

describe('sending to somebody else’s server', () => {
  let authority: ReceiverAuthority
  let certificate: { cert: string; key: string }
  const senders: Sender[] = []
  const receivers: Receiver[] = []

  before(async () => {
    authority = await makeReceiverAuthority()
    certificate = await authority.issue(LOCAL)
  })
  afterEach(async () => {
    await Promise.all(senders.splice(0).map((sender) => sender.close()))
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))
  })
  after(() => authority.remove())

  function sender(options: Partial<SenderOptions> = {}): Sender {
    const made = makeSender({ allow: [], allowLoopback: true, caFile: authority.caFile, ...options })
    senders.push(made)
    return made
  }
  async function receiver(options: ReceiverOptions = certificate): Promise<Receiver> {
    const started = await startReceiver(options)
    receivers.push(started)
    return started
  }
  const post = (from: Sender, url: string) => from.post({ url, headers: { 'x-a': 'b' }, body: '{"a":1}' })

  test('posts over TLS and keeps the first bytes of the answer', async () => {
    const to = await receiver()
    to.answer((_request, response) => response.writeHead(201, { 'retry-after': '5' }).end(`\0${'é'.repeat(40_000)}`))
    const reply = await post(sender(), `${to.url}?q=1`)
    assert.deepEqual([reply.status, reply.error, reply.retryAfter], [201, undefined, '5'])
    assert.ok(reply.answer!.startsWith('\ufffdéé') && Buffer.byteLength(reply.answer!) < 1_100)
    assert.deepEqual(
      [to.received[0]!.path, to.received[0]!.body, to.received[0]!.headers['x-a']],
      ['/hook?q=1', '{"a":1}', 'b'],
    )
  })

  test('speaks plain http to this machine alone', async () => {
    const bodies: string[] = []
    const plain = createHttpServer((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()))
      request.on('end', () => response.writeHead(200).end())
    })
    const port = await listen(plain)
    assert.equal((await post(sender(), `http://localhost:${port}/`)).status, 200)
    assert.deepEqual(bodies, ['{"a":1}'])
    assert.match((await post(sender({ allowLoopback: false }), `http://127.0.0.1:${port}/`)).error!, /not a public/)
    assert.match((await post(sender(), `http://hooks.example.com:${port}/`)).error!, /only https/)
    assert.equal(bodies.length, 1)
    plain.closeAllConnections()
    await new Promise((resolve) => plain.close(resolve))
  })

  test('uses its connections again', async () => {
    const to = await receiver()
    const from = sender()
    for (let count = 0; count < 10; count++) assert.equal((await post(from, to.url)).status, 200)
    assert.ok(to.connections <= 2, `${to.connections} connections`)
  })

  test('reads no more than it wants of an endless answer, and takes its status', async () => {
    const to = await receiver()
    let written = 0
    to.answer((_request, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) written += 64 * 1024
        written += 64 * 1024
      }
      response.on('drain', more)
      more()
    })
    const reply = await post(sender(), to.url)
    assert.equal(reply.status, 200)
    assert.ok(written < 20 * 1024 * 1024, `${written} bytes were taken`)
  })

  test('ends at its deadline, whatever the other side does until then', async () => {
    const to = await receiver()
    const trickle = (
      _request: unknown,
      response: { write(text: string): void; on(what: string, done: () => void): void },
    ) => {
      const timer = setInterval(() => response.write('a'), 20)
      response.on('close', () => clearInterval(timer))
    }
    const ways: Record<string, Parameters<Receiver['answer']>[0]> = {
      hanging: () => {},
      trickling: trickle,
      'silent after the headers': (_request, response) => response.writeHead(200).flushHeaders(),
    }
    for (const [name, way] of Object.entries(ways)) {
      to.answer(way)
      const startedAt = performance.now()
      const reply = await post(sender({ totalMs: 250 }), to.url)
      assert.deepEqual([reply.status, reply.isTimeout], [undefined, true], name)
      assert.match(reply.error!, /no complete answer within 0.25 s/, name)
      assert.ok(performance.now() - startedAt < 10_000, name)
    }
  })

  test('ends as well where TLS itself never comes about', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})))
    const port = await listen(silent)
    const reply = await post(sender({ connectMs: 300, totalMs: 250 }), `https://localhost:${port}/`)
    assert.equal(reply.isTimeout, true)
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => silent.close(resolve))
  })

  test('says why there was no answer', async () => {
    const resetting = await receiver()
    resetting.answer((request) => request.socket.destroy())
    assert.match((await post(sender(), resetting.url)).error!, /other side closed|socket hang up|ECONNRESET/)
    const gone = await receiver()
    await gone.stop()
    assert.match((await post(sender(), gone.url)).error!, /ECONNREFUSED/)
  })

  test('never follows a redirect', async () => {
    const target = await receiver()
    const to = await receiver()
    for (const status of [301, 302, 303, 307, 308]) {
      to.answer((_request, response) => response.writeHead(status, { location: target.url }).end())
      assert.equal((await post(sender(), to.url)).status, status)
    }
    assert.equal(target.connections, 0)
  })

  test('refuses certificates that are not for the name, expired, of another authority, and old versions of TLS', async () => {
    const wrong = await receiver(await authority.issue(['other.example.com']))
    assert.match((await post(sender(), wrong.url)).error!, /ERR_TLS_CERT_ALTNAME_INVALID/)
    const expired = await receiver(await authority.issue(LOCAL, { isExpired: true }))
    assert.match((await post(sender(), expired.url)).error!, /CERT_HAS_EXPIRED/)
    const good = await receiver()
    assert.match(
      (await post(sender({ caFile: undefined }), good.url)).error!,
      /UNABLE_TO_VERIFY|SELF_SIGNED|unable to/i,
    )
    const old = await receiver({ ...certificate, maxVersion: 'TLSv1.1' })
    assert.match((await post(sender(), old.url)).error!, /protocol version|PROTOCOL/i)
    for (const { received } of [wrong, expired, good, old]) assert.deepEqual(received, [])
  })
})

describe('sending never reaches a neighbour', () => {
  let canary: Server
  let port: number
  let connections = 0
  const senders: Sender[] = []

  before(async () => {
    canary = createServer((socket) => {
      connections++
      socket.destroy()
    })
    port = await listen(canary, '::')
  })
  after(async () => {
    await Promise.all(senders.splice(0).map((sender) => sender.close()))
    await new Promise((resolve) => canary.close(resolve))
  })

  const strict = (options: Partial<SenderOptions> = {}) => {
    const made = makeSender({ allow: [], allowLoopback: false, caFile: undefined, totalMs: 60_000, ...options })
    senders.push(made)
    return made
  }
  const post = (from: Sender, host: string) => from.post({ url: `https://${host}:${port}/`, headers: {}, body: '' })
  const resolving =
    (...answers: string[][]): Lookup =>
    (_host, _options, done) => {
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      done(
        null,
        answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }

  test('by any spelling of an address', async () => {
    const hosts = [
      '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '127.0.0.1', '127.255.255.254', '0', '0.0.0.0', '10.0.0.1',
      '100.64.0.1', '100.100.100.200', '169.254.169.254', '172.16.0.1', '192.0.0.192', '192.168.0.1', '192.88.99.1',
      '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '[::1]', '[::]', '[::ffff:7f00:1]', '[::7f00:1]',
      '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]',
      '[100::1]', '[2001:db8::1]', '[3fff::1]', '[5f00::1]', '１２７.0.0.1', '①②⑦.⓪.⓪.①',
    ] // oxfmt-ignore
    const from = strict()
    for (const host of hosts) assert.match((await post(from, host)).error!, /not a public address/, host)
    assert.match((await post(from, 'localhost')).error!, /is at .* not public/)
    assert.equal(connections, 0)
  })

  test('by a name that resolves to one, in part, or only the second time', async () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.1.2.3', '64:ff9b::a00:1']) {
      const reply = await post(strict({ lookup: resolving([address]) }), 'hooks.example.com')
      assert.match(reply.error!, /hooks\.example\.com is at .* not public/, address)
    }
    const mixed = await post(strict({ lookup: resolving(['203.0.114.1', '127.0.0.1']) }), 'hooks.example.com')
    assert.match(mixed.error!, /not public/)
    const rebinding = strict({ lookup: resolving(['203.0.114.1'], ['127.0.0.1']), connectMs: 100 })
    await post(rebinding, 'hooks.example.com')
    assert.match((await post(rebinding, 'hooks.example.com')).error!, /not public/)
    assert.equal(connections, 0)
  })

  test('by a name that is public and private in turns, however often it is tried', async () => {
    const addresses = ['203.0.114.1', '127.0.0.1']
    let asked = 0
    const lookup: Lookup = (_host, _options, done) => done(null, [{ address: addresses[asked++ % 2]!, family: 4 }])
    const from = strict({ lookup, connectMs: 20 })
    const refused: string[] = []
    for (let sent = 0; sent < REBOUND_SENDS; sent += 50) {
      const names = Array.from({ length: 50 }, (_, index) => `hooks-${sent + index}.example.com`)
      const replies = await Promise.all(names.map((name) => post(from, name)))
      refused.push(...replies.map(({ error }) => error!).filter((error) => error.includes('not public')))
    }
    assert.ok(refused.length >= REBOUND_SENDS / 3, `${refused.length} of ${REBOUND_SENDS} met the private address`)
    assert.equal(connections, 0)
  })

  test('even in development, where this machine is allowed, by a public name', async () => {
    const from = strict({ allowLoopback: true, lookup: resolving(['127.0.0.1']) })
    assert.match((await post(from, 'hooks.example.com')).error!, /not public/)
    assert.equal(connections, 0)
  })

  test('beyond what the operator listed, and never where clouds keep credentials', async () => {
    const allow = ['0.0.0.0/0', '::/0']
    const refused = ['169.254.169.254', '127.0.0.1', '100.100.100.200', '[fe80::1]', '[fd00:ec2::254]', '[::1]']
    for (const host of refused) assert.match((await post(strict({ allow }), host)).error!, /not a public/, host)
    const near = await post(strict({ allow: ['10.1.0.0/16'] }), '10.2.0.1')
    assert.match(near.error!, /not a public/)
    const listed = await post(strict({ allow: ['10.1.0.0/16'], connectMs: 50, totalMs: 100 }), '10.1.0.1')
    assert.doesNotMatch(listed.error!, /public/)
    assert.equal(connections, 0)
  })
})

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}
