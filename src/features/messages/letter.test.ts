import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LANGUAGES } from '#i18n/languages.ts'
import type { MessageFacts } from './facts.ts'
import { writeLetter, type Letter } from './letter.ts'
import { MESSAGE_KINDS, type MessageKind } from './message.ts'
import { writeHtml } from './write-html.ts'
import { writeText } from './write-text.ts'

const FACTS: MessageFacts = {
  address: 'aino@example.org',
  name: 'Aino Virtanen',
  sender: { organisation: 'Acme Oy', department: 'Leasing', person: 'Matti Meikäläinen' },
  subject: 'Lease of the upper floor',
  expirationAt: new Date('2030-05-31T12:00:00Z'),
  path: '/sign/abcdef',
}

const NASTY = `<b>"x"</b> & 'y' {{7*7}} \${7*7} <%=7*7%> #{7*7} {organisation}`

function letter(kind: MessageKind, changes: Partial<MessageFacts> = {}, language = 'en'): Letter {
  const facts = { ...FACTS, ...changes }
  return writeLetter({
    message: { kind, language },
    facts,
    address: 'https://sign.example.com',
    timezone: 'Europe/Helsinki',
  })
}

describe('a message', () => {
  test('reads well as plain text', () => {
    assert.equal(
      writeText(letter('invitation')),
      `Acme Oy
Leasing

Hello Aino Virtanen,

Acme Oy asks you to sign “Lease of the upper floor”.
Sent by Matti Meikäläinen.
You can sign until 31 May 2030 at 15:00 EEST.

Read and sign:
https://sign.example.com/sign/abcdef

If you do not want to sign, open the same page and choose “Decline to sign”. You can tell why.
The link is meant for you alone. Please do not forward this message.

How to tell that this message is real
- The link leads to sign.example.com. Your browser shows exactly that name once the page is open.
- There are no attachments, and you will never be asked for a password or for money.
- If in doubt, ask Acme Oy first, in a way that you already know.

-- 
Sent with Countersign on behalf of Acme Oy.
You do not know the sender? Report this message:
https://sign.example.com/sign/abcdef/report
`,
    )
  })

  test('at the end claims no more signatures than were needed: an optional one may be missing', () => {
    const { subject, headline } = letter('completed')
    assert.equal(subject, 'Acme Oy: “Lease of the upper floor” is signed')
    assert.match(headline, /^Everybody who had to sign .* has signed, and the documents are sealed\.$/)
  })

  test('with a code shows it on a line of its own, and has no link', () => {
    const code = { digits: '123456', expiresAt: new Date('2030-05-31T12:10:00Z') }
    const { path: _path, ...facts } = FACTS
    const written = writeLetter({
      message: { kind: 'code', language: 'en' },
      facts: { ...facts, code },
      address: 'https://sign.example.com',
      timezone: 'UTC',
    })
    const text = writeText(written)
    assert.match(text, /\n\n {4}123456\n\nIt works once, until 12:10 UTC\.\n/)
    assert.doesNotMatch(text + writeHtml(written), /https?:\/\//)
    assert.doesNotMatch(written.subject, /123456/, 'a locked phone shows subjects')
    assert.match(written.sms, /^123456 is your code for Acme Oy\./)
  })

  test('that asks somebody to sign can be reported, and no other', () => {
    const report = 'https://sign.example.com/sign/abcdef/report'
    for (const kind of MESSAGE_KINDS) {
      const written = letter(kind)
      const isAsking = kind === 'invitation' || kind === 'reminder'
      assert.equal(writeHtml(written).includes(`href="${report}"`), isAsking, kind)
      assert.equal(writeText(written).includes(report), isAsking, kind)
    }
  })

  test('tells how a request ended', () => {
    const said = (how: 'canceled' | 'declined' | 'expired', reason: string | null) =>
      writeText(letter('canceled', { ending: { how, reason } }))
    assert.match(said('canceled', 'Wrong version'), /Acme Oy has withdrawn “Lease.*\nReason: Wrong version\n/)
    assert.match(said('declined', 'Too expensive'), /because somebody declined to sign\.\nReason: Too expensive\n/)
    assert.match(said('expired', null), /has expired, because not everybody signed in time\.\nYou need not do anything/)
  })

  test('leads to the configured address and nowhere else', () => {
    for (const kind of MESSAGE_KINDS) {
      const written = letter(kind)
      const found = `${writeText(written)} ${writeHtml(written)} ${written.sms}`.match(/https?:\/\/[^\s"<]+/g) ?? []
      for (const url of found) assert.ok(url.startsWith('https://sign.example.com/sign/'), `${kind}: ${url}`)
    }
  })

  test('repeats what looks like markup or like a template as it is', () => {
    const written = letter('invitation', {
      name: NASTY,
      subject: NASTY,
      sender: { organisation: NASTY, department: NASTY, person: NASTY },
    })
    const html = writeHtml(written)
    assert.ok(writeText(written).includes(`${NASTY} asks you to sign “${NASTY}”.`))
    assert.ok(!html.includes('<b>') && !html.includes('<%') && !html.includes('49'))
    assert.ok(
      html.includes(
        '&lt;b&gt;&quot;x&quot;&lt;/b&gt; &amp; &#39;y&#39; {{7*7}} ${7*7} &lt;%=7*7%&gt; #{7*7} {organisation}',
      ),
    )
  })

  test('keeps the words of others on their own line, in their own direction', () => {
    const written = letter('invitation', {
      name: 'Aino\r\nYour account is blocked',
      subject: 'Lease\r\n\r\nBcc: eve@example.net\u202e',
      sender: { organisation: 'Acme\u2028Bank', department: 'x\u0000y', person: null },
    })
    for (const value of [written.subject, written.greeting, written.headline, written.organisation, written.sms]) {
      assert.doesNotMatch(value.replace(/\nUntil .*$/, ''), /[\u0000-\u001f\u2028\u202e]/)
    }
    assert.equal(written.greeting, 'Hello Aino Your account is blocked,')
  })

  test('ends a sentence with one full stop, whatever the organisation is called', () => {
    const written = letter('invitation', { sender: { ...FACTS.sender, organisation: 'Acme Inc.' } })
    assert.equal(written.footer, 'Sent with Countersign on behalf of Acme Inc.')
  })

  test('about a new account does not say that nobody asks for a password', () => {
    assert.doesNotMatch(writeText(letter('userinvitation')), /never be asked for a password/)
  })

  test('stays short where long names would fill a screen', () => {
    const written = letter('invitation', {
      subject: 'x'.repeat(500),
      sender: { ...FACTS.sender, organisation: 'y'.repeat(255) },
    })
    assert.ok(written.subject.length < 280, `${written.subject.length}`)
    assert.ok(written.sms.length < 300, `${written.sms.length}`)
  })

  test('speaks the nearest language, and writes dates as people do there', () => {
    assert.match(
      writeText(letter('invitation', {}, 'fi')),
      /Voit allekirjoittaa 31\. toukokuuta 2030 klo 15\.00 UTC\+3 asti\./,
    )
    assert.match(
      writeText(letter('invitation', {}, 'de-AT')),
      /Sie können bis zum 31\. Mai 2030 um 15:00 OESZ unterschreiben/,
    )
    assert.match(writeText(letter('invitation', {}, 'en-US')), /until May 31, 2030 at 03:00 PM/)
    assert.match(writeText(letter('invitation', {}, 'nn-NO')), /ber deg om å signere/)
    assert.match(writeText(letter('invitation', {}, 'ja')), /asks you to sign/)
  })

  for (const language of LANGUAGES) {
    test(`fills in every placeholder in ${language}`, () => {
      const code = { digits: '123456', expiresAt: new Date('2030-05-31T12:10:00Z') }
      for (const kind of MESSAGE_KINDS) {
        for (const how of ['canceled', 'declined', 'expired'] as const) {
          const written = letter(kind, { code, ending: { how, reason: 'Because' } }, language)
          const all = [
            writeText(written),
            writeHtml(written).replace(/<style>[^]*<\/style>/, ''),
            written.sms,
            written.subject,
          ]
          for (const part of all) assert.doesNotMatch(part, /\{[a-z]+\}|\bundefined\b|\bnull\b/i, `${kind} ${how}`)
        }
      }
    })
  }
})
