// Clients that never finish and files that are made to keep a reader busy: others are answered as if they were not there.
// `npm run proof:attack` does the same with more of them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { makePdf, stream } from '#pades/testing/documents.ts'
import { makeInstallation, KEY, type Installation } from './installation.ts'
import { processesOf } from './processes.ts'
import { leastOf } from './least-of.ts'
import { startService, type TestService } from './service.ts'
import { payload } from './signature-requests.ts'
import { makePdf as makeSmallPdf } from './small-pdf.ts'
import { until } from './until.ts'
import { readUsage } from '#pades/process-usage.ts'

/** How many times as many as in the ordinary tests. */
const SCALE = Number(process.env['COUNTERSIGN_ATTACK_SCALE'] ?? 1)
const FEWEST_CALLS = 400 * SCALE
/** Whoever attacks computes on the same machine, so a share of the time goes to them. */
const MOST_TIMES_SLOWER = 4
/** Below this nobody notices, and the machine's own hiccups weigh more than anything else. */
const NOT_NOTICED_MS = 50
const CLOSED_WITHIN_MS = 30_000
/** So large that what the server needs otherwise weighs little beside forty of them. */
const LARGE_MB = 16
const MB = 1024 * 1024

describe('others are answered as ever', () => {
  let installation: Installation
  /** Nobody attacks it: it is as slow as the machine is at that moment, whoever made it so. */
  let undisturbed: Installation
  let usualMs: number
  let largeUri: string

  before(async () => {
    installation = await makeInstallation()
    await installation.start()
    undisturbed = await makeInstallation()
    await undisturbed.start()
    const raw = Buffer.alloc(LARGE_MB * MB, 'a large file')
    const headers = { 'content-type': 'application/pdf' }
    largeUri = (await installation.call('POST', '/storage/document?fileName=a.pdf', undefined, { raw, headers })).json
      .uri
    await measure()
    usualMs = (await measure()).ourMs
  })
  after(() => {
    undisturbed.remove()
    installation.remove()
  })

  /** The times within which 99 of 100 ordinary calls are answered, two at a time, by the attacked and the other. */
  async function measure(during: Promise<unknown> = Promise.resolve()): Promise<Times> {
    const course = { isOver: false }
    const end = during.finally(() => (course.isOver = true))
    const ours: number[] = []
    const others: number[] = []
    const timed = async (times: number[], { call }: Installation) => {
      const startedAt = performance.now()
      assert.equal((await call('GET', '/onboarding/department')).status, 200)
      times.push(performance.now() - startedAt)
    }
    const callOften = async () => {
      while (ours.length < FEWEST_CALLS || !course.isOver) {
        await timed(ours, installation)
        await timed(others, undisturbed)
      }
    }
    await Promise.all([callOften(), callOften(), end])
    return { ourMs: within(ours), otherMs: within(others), calls: ours.length }
  }

  async function requireAsEver(attack: () => Promise<unknown>, t: { diagnostic(text: string): void }): Promise<void> {
    const timesSlower = async () => {
      const { ourMs, otherMs, calls } = await measure(attack())
      const all = [usualMs, ourMs, otherMs].map(Math.round)
      t.diagnostic(`p99 ${all[0]} ms usually, ${all[1]} ms meanwhile, ${all[2]} ms undisturbed, n = ${calls}`)
      return ourMs / Math.max(NOT_NOTICED_MS, usualMs, otherMs)
    }
    const least = await leastOf(timesSlower, { below: MOST_TIMES_SLOWER })
    assert.ok(least < MOST_TIMES_SLOWER, `${least} times as slow`)
  }

  /** Connections that say this and then hardly anything more. */
  function hold(count: number, start: string): Socket[] {
    return Array.from({ length: count }, () => {
      const socket = connect(installation.port, '127.0.0.1', () => socket.write(start))
      socket.on('error', () => {})
      // Whatever is answered is never read.
      return socket.pause()
    })
  }

  const key = `Host: x\r\nOcp-Apim-Subscription-Key: ${KEY}\r\n`
  const slow: [what: string, count: number, start: string, isClosed: boolean][] = [
    ['connections on which nothing is asked', 400 * SCALE, '', false],
    ['headers that never end', 200 * SCALE, 'GET /onboarding/department HTTP/1.1\r\nX-A: a', true],
    [
      'bodies that never come',
      100 * SCALE,
      `POST /sealing/sealingrequest HTTP/1.1\r\n${key}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      true,
    ],
    [
      'uploads that never come',
      50 * SCALE,
      `POST /storage/document HTTP/1.1\r\n${key}Content-Type: application/pdf\r\nContent-Length: 9000000\r\n\r\n%PDF`,
      true,
    ],
  ]

  test('while many connections idle, trickle their headers or bodies; those are closed in time', async (t) => {
    let held: { what: string; isClosed: boolean; sockets: Socket[] }[] = []
    let openedAt = 0
    const letGo = () => held.forEach(({ sockets }) => sockets.forEach((socket) => socket.destroy()))
    const attack = async () => {
      letGo()
      openedAt = performance.now()
      held = slow.map(([what, count, start, isClosed]) => ({ what, isClosed, sockets: hold(count, start) }))
      await sleep(2_000)
    }
    const areClosed = () =>
      held.every(({ isClosed, sockets }) => !isClosed || sockets.every(({ destroyed }) => destroyed))
    const trickle = setInterval(() => {
      for (const { isClosed, sockets } of held) {
        if (isClosed) for (const socket of sockets) if (socket.writable) socket.write('a')
      }
    }, 1_000)
    try {
      await requireAsEver(attack, t)
      const closedAfterMs = async () => {
        if (areClosed()) await attack()
        const meant = held.filter(({ isClosed }) => isClosed)
        for (const { what, sockets } of meant) {
          for (const socket of sockets) socket.resume()
          await until(`${what} to be closed`, async () => sockets.every(({ destroyed }) => destroyed), { everyMs: 100 })
        }
        return performance.now() - openedAt
      }
      const leastMs = await leastOf(closedAfterMs, { below: CLOSED_WITHIN_MS })
      t.diagnostic(`closed after ${Math.round(leastMs / 100) / 10} s`)
      assert.ok(leastMs < CLOSED_WITHIN_MS, `closed only after ${leastMs} ms`)
    } finally {
      clearInterval(trickle)
      letGo()
    }
  })

  test('while large downloads are asked for and not read', async (t) => {
    let sockets: Socket[] = []
    const letGo = () => sockets.forEach((socket) => socket.destroy())
    const attack = async () => {
      letGo()
      sockets = hold(40 * SCALE, `GET /storage/document/${largeUri} HTTP/1.1\r\n${key}\r\n`)
      await sleep(2_000)
    }
    const memoryBefore = await memoryOfServer()
    try {
      await requireAsEver(attack, t)
      const grownMb = ((await memoryOfServer()) - memoryBefore) / MB
      t.diagnostic(`the server grew by ${Math.round(grownMb)} MB`)
      assert.ok(grownMb < (LARGE_MB / 2) * sockets.length, `${Math.round(grownMb)} MB for ${sockets.length} readers`)
    } finally {
      letGo()
    }
  })

  test('while hostile files are validated by anybody and sent for signature', async (t) => {
    const memoryBefore = await memoryOfServer()
    const bombs = makeBombs()
    let answered = 0
    const attack = async () => {
      for (const [what, pdf] of bombs) {
        const raw = { raw: pdf, headers: { 'content-type': 'application/pdf' } }
        const documents = [{ title: what, fileName: 'a.pdf', contentBase64: pdf.toString('base64') }]
        const replies = await Promise.all([
          installation.call('POST', '/verify/api/document', undefined, raw),
          installation.call('POST', '/validation/document', undefined, raw),
          installation.call('POST', '/onestepsigning/signaturerequest', payload({ documents })),
        ])
        for (const { status, text } of replies)
          assert.ok([200, 202, 400, 503].includes(status), `${what} ${status} ${text}`)
        answered += replies.length
      }
    }
    const attackTogether = async () => {
      answered = 0
      await Promise.all(Array.from({ length: 2 * SCALE }, attack))
      assert.equal(answered, 2 * SCALE * bombs.length * 3)
    }
    await requireAsEver(attackTogether, t)
    const grownMb = ((await memoryOfServer()) - memoryBefore) / MB
    t.diagnostic(`the server grew by ${Math.round(grownMb)} MB`)
    assert.ok(grownMb < 400, `${Math.round(grownMb)} MB`)
  })

  test('and an honest file is judged and taken afterwards', async () => {
    const raw = { raw: makeSmallPdf(), headers: { 'content-type': 'application/pdf' } }
    assert.equal((await installation.call('POST', '/verify/api/document', undefined, raw)).json.verdict, 'unsigned')
    assert.equal((await installation.call('POST', '/onestepsigning/signaturerequest', payload())).status, 202)
  })

  async function memoryOfServer(): Promise<number> {
    const server = processesOf(installation.dataDir).find(({ command }) => command.includes('serve.ts'))!
    return (await readUsage(server.pid))?.memoryBytes ?? 0
  }
})

/** Within which something must have been read; Node looks twice where a write is under way. */
const READ_WITHIN_MS = 60_000
const SHORT_MS = 300

describe('a reader who does not read', () => {
  let service: TestService

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  test('is closed after two minutes in which nothing was read', async (t) => {
    const { server } = service.app
    assert.equal(server.timeout, READ_WITHIN_MS)
    const { call, key } = await service.createTenant()
    const raw = Buffer.alloc(LARGE_MB * MB, 'a large file')
    const headers = { 'content-type': 'application/pdf' }
    const { json } = await call('POST', '/storage/document?fileName=a.pdf', undefined, { raw, headers })
    // The same, two hundred times as fast.
    server.setTimeout(SHORT_MS)
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const ask = `GET /storage/document/${json.uri} HTTP/1.1\r\nHost: x\r\nOcp-Apim-Subscription-Key: ${key}\r\n\r\n`
    const client = connect(Number(new URL(service.url).port), '127.0.0.1', () => client.write(ask))
    client.on('error', () => {}).pause()
    const [socket] = await accepted
    const openedAt = performance.now()
    await until('the connection to be closed', async () => socket.destroyed, { withinMs: 20_000 })
    t.diagnostic(`closed after ${((performance.now() - openedAt) / SHORT_MS).toFixed(1)} times as long as it may rest`)
    assert.ok(socket.bytesWritten > 0, 'the answer had begun')
    client.resume()
    await until('the end', async () => client.destroyed, { withinMs: 20_000 })
    assert.ok(client.bytesRead < raw.length, 'the rest was never sent')
  })
})

interface Times {
  ourMs: number
  otherMs: number
  calls: number
}

const within = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!

const repeat = (count: number, make: () => string) => Array.from({ length: count }, make)
const nested = (levels: number, inside: string) => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`

function makeBombs(): [what: string, pdf: Buffer][] {
  const many = makePdf({ extraObjects: repeat(20_000, () => '[0 0 0]') }).toString('latin1')
  const swelling = deflateSync(Buffer.alloc(64 * MB))
  const packed = stream('/Type /ObjStm /N 1 /First 1 /Filter /FlateDecode', swelling)
  return [
    ['objects without number', makePdf({ extraObjects: repeat(60_000, () => '0') })],
    ['lists in lists', makePdf({ extraObjects: repeat(100, () => nested(90, '[ ] '.repeat(9_000))) })],
    ['nesting without end', makePdf({ extraObjects: [nested(200_000, '')] })],
    ['a part that swells a thousandfold', makePdf({ xref: 'stream', extraObjects: [packed] })],
    ['a damaged file of many objects', Buffer.from(many.replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')],
  ]
}
