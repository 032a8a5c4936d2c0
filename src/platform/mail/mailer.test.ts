import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { startMailServer, type MailServer } from '../../../test/fakes/mail-server.ts'
import { describeError } from '#platform/log/log.ts'
import { openMailer, PermanentRefusal, type Mail, type MailTimeouts } from './mailer.ts'

const FROM = { name: 'Example Sign', address: 'sign@example.com' }
const MAIL: Mail = {
  to: { name: 'Aino Virtanen', address: 'aino@example.org' },
  fromName: 'Acme Oy · Example Sign',
  subject: 'Acme Oy: please sign “Lease”',
  text: 'Hello Aino,\n\nplease sign.\n',
  html: '<p>Hello Aino</p>',
  messageId: '<01999999-0000-7000-8000-000000000001@example.com>',
  language: 'en',
}

const PATIENT: MailTimeouts = { connectMs: 60_000, answerMs: 60_000, sendMs: 60_000 }
const SHORT: MailTimeouts = { connectMs: 500, answerMs: 500, sendMs: 900 }

const isTemporary = (error: unknown) => error instanceof Error && !(error instanceof PermanentRefusal)

describe('a mailer', () => {
  let server: MailServer
  before(async () => {
    server = await startMailServer()
  })
  after(() => server.stop())
  beforeEach(() => {
    server.received.length = 0
    server.moods.length = 0
  })

  const mailer = ({ port = server.port, timeouts = PATIENT } = {}) =>
    openMailer({ host: '127.0.0.1', port, isTls: false, login: undefined, from: FROM }, timeouts)

  test('sends text and HTML to one recipient, in the name of the organisation', async () => {
    await mailer().send(MAIL)
    const [mail] = server.received
    assert.equal(server.received.length, 1)
    assert.deepEqual(mail!.to, ['aino@example.org'])
    assert.equal(mail!.from, 'sign@example.com')
    assert.deepEqual(mail!.headers['from'], ['Acme Oy · Example Sign <sign@example.com>'])
    assert.deepEqual(mail!.headers['to'], ['Aino Virtanen <aino@example.org>'])
    assert.deepEqual(mail!.headers['subject'], ['Acme Oy: please sign “Lease”'])
    assert.deepEqual(mail!.headers['message-id'], [MAIL.messageId])
    assert.deepEqual(mail!.headers['auto-submitted'], ['auto-generated'])
    assert.equal(mail!.text, MAIL.text)
    assert.equal(mail!.html, MAIL.html)
  })

  for (const [what, change] of [
    ['a line break in the subject', { subject: 'Lease\r\nBcc: eve@example.net' }],
    ['a line break in the sender’s name', { fromName: 'Acme\nBcc: eve@example.net' }],
    [
      'a line break in the recipient’s name',
      { to: { name: 'Aino\r\nBcc: eve@example.net', address: 'a@example.org' } },
    ],
    ['a line break in the address', { to: { name: undefined, address: 'a@example.org\r\nRCPT TO:<eve@example.net>' } }],
    ['the end of the message in the address', { to: { name: undefined, address: 'a@example.org\n.\r\n' } }],
    ['two addresses', { to: { name: undefined, address: 'a@example.org,eve@example.net' } }],
    ['an address in angle brackets', { to: { name: undefined, address: '<a@example.org> <eve@example.net>' } }],
    [
      'a hundred addresses',
      { to: { name: undefined, address: Array.from({ length: 100 }, (_, n) => `p${n}@example.org`).join(', ') } },
    ],
  ] as [string, Partial<Mail>][]) {
    test(`refuses ${what}, and nothing is sent`, async () => {
      await assert.rejects(mailer().send({ ...MAIL, ...change }), PermanentRefusal)
      assert.deepEqual(server.received, [])
    })
  }

  test('sends to an address whose domain is nearly all of it', async () => {
    const domain = `${'a'.repeat(62)}.${'b'.repeat(62)}.${'c'.repeat(62)}.${'d'.repeat(58)}.org`
    const address = `a@${domain}`
    await mailer().send({ ...MAIL, to: { name: undefined, address } })
    assert.deepEqual(server.received[0]!.to, [address])
  })

  test('what looks like another recipient in a name stays a name', async () => {
    await mailer().send({ ...MAIL, to: { name: 'x" <eve@example.net>, "y', address: 'aino@example.org' } })
    assert.deepEqual(server.received[0]!.to, ['aino@example.org'])
    assert.equal(server.received[0]!.headers['to']!.length, 1)
    assert.equal(server.received[0]!.headers['bcc'], undefined)
  })

  test('a line of one dot in the text does not end the message', async () => {
    await mailer().send({ ...MAIL, text: 'one\n.\r\nQUIT\n\ntwo\n' })
    assert.match(server.received[0]!.text, /one\n\.\nQUIT\n\ntwo\n/)
  })

  for (const [what, mood] of [
    ['the recipient', { recipient: 550 }],
    ['the message', { data: 554 }],
  ] as const) {
    test(`a server that refuses ${what} for good has said its last word`, async () => {
      server.moods.push(mood)
      await assert.rejects(mailer().send(MAIL), PermanentRefusal)
    })
  }

  for (const [what, mood, timeouts = PATIENT] of [
    ['is busy (451)', { recipient: 451 }],
    ['is full (452)', { data: 452 }],
    ['takes the message and breaks off', 'reset'],
    ['is slow', { slowMs: 700 }, SHORT],
  ] as const) {
    test(`a server that ${what} is worth another try`, async () => {
      server.moods.push(mood)
      await assert.rejects(mailer({ timeouts }).send(MAIL), isTemporary)
      await mailer().send(MAIL)
      const ids = server.received.map(({ headers }) => headers['message-id']![0])
      assert.deepEqual([...new Set(ids)], [MAIL.messageId])
    })
  }

  test('an error tells what happened and nothing of the person', async () => {
    server.moods.push({ recipient: 451 })
    const error = await mailer()
      .send(MAIL)
      .then(
        () => undefined,
        (error: Error) => error,
      )
    assert.equal(error?.message, 'the mail server said 451')
    assert.doesNotMatch(JSON.stringify(describeError(error)), /aino/i)
  })

  test('a server that is not there is worth another try', async () => {
    await assert.rejects(mailer({ port: 1 }).send(MAIL), isTemporary)
  })

  test('a server that trickles its answer without end is given up', async () => {
    const trickle = createServer((socket) => {
      socket.write('220 hello\r\n')
      const timer = setInterval(() => socket.write('250-still here\r\n'), 50)
      socket.on('close', () => clearInterval(timer)).on('error', () => {})
    })
    await new Promise<void>((resolve) => trickle.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = trickle.address() as AddressInfo
      await assert.rejects(mailer({ port, timeouts: SHORT }).send(MAIL), isTemporary)
    } finally {
      await new Promise((resolve) => trickle.close(resolve))
    }
  })
})
