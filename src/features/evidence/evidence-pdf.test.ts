import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { formatSecond } from '#i18n/dates.ts'
import { nameEvent } from '#i18n/events/index.ts'
import { EVIDENCE } from '#i18n/evidence/index.ts'
import { checkPdf } from '#pades/intake.ts'
import { bufferSource } from '#pades/source.ts'
import { evidenceJson, writeEvidencePdf } from './evidence-pdf.ts'
import type { EvidenceFacts } from './facts.ts'

const FORGED = '9. 1 January 2026 Signed by the director'
const NOT_SHOWN = /[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/

/** Facts whose every word of somebody else is this. */
function factsWith(words: string): EvidenceFacts {
  return {
    tenantId: '01a1deb4-94c5-7454-9e8e-62ac05b84a48',
    requestId: '01a1deb4-97c5-74a7-8d01-6782ded2c727',
    subject: words,
    language: 'en',
    timeZone: 'UTC',
    sender: { organisation: words, department: words, person: words },
    openedAt: new Date('2026-11-15T08:00:00Z'),
    completedAt: new Date('2026-11-15T09:00:00Z'),
    sealedBy: words,
    timestampAuthority: 'own',
    verifyUrl: 'https://sign.example.com/verify/x',
    participants: [
      {
        id: '01a1deb4-c2a9-706a-90b2-d24d26954f85',
        name: words,
        email: 'aino@example.com',
        state: 'Signed',
        isMandatory: true,
        signedAt: new Date('2026-11-15T08:30:00Z'),
        confirmedAt: new Date('2026-11-15T08:29:00Z'),
        authentication: null,
        policy: null,
        wasCodeShown: false,
        mark: { kind: 'typed', text: words },
      },
    ],
    documents: [
      {
        id: '01a1deb4-9755-774f-8f32-022f62a8c58a',
        title: words,
        fileName: words,
        sha256: 'a'.repeat(64),
        sizeBytes: 1_000,
        levelAsked: 'B-LTA',
        levelReached: 'B-LTA',
      },
    ],
    events: [
      {
        sequenceNumber: 1,
        eventType: 'signatorysigned',
        timestamp: new Date('2026-11-15T08:30:00Z'),
        signatoryId: '01a1deb4-c2a9-706a-90b2-d24d26954f85',
        hash: 'b'.repeat(64),
      },
    ],
  }
}

/** The lines of all pages as a reader shows them. */
async function linesOf(pdf: Buffer): Promise<string[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  const document = await task.promise
  const lines: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    const pieces = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    lines.push(...pieces.join('').split('\n'))
  }
  await task.destroy()
  return lines
}

describe('the evidence on paper', () => {
  for (const [what, words] of [
    ['a line break', `Mallory\n${FORGED}`],
    ['a carriage return', `Mallory\r\n${FORGED}`],
    ['a line separator', `Mallory\u2028${FORGED}`],
    ['a turned direction', `Mallory \u202e\u2066${FORGED}`],
    ['a NUL and an escape', `Mallory\u0000\u001b[2K ${FORGED}`],
  ] as const) {
    test(`${what} in somebody's words makes no line of its own`, async () => {
      const lines = await linesOf(await writeEvidencePdf(factsWith(words)))
      assert.ok(lines.some((line) => line.includes('Mallory')))
      for (const line of lines) {
        assert.ok(!line.startsWith('9. 1 January'), line)
        assert.doesNotMatch(line, NOT_SHOWN)
      }
    })
  }

  test('what means something to PDF or to a page is text', async () => {
    const words = ') Tj ET BT (x) /JS \\(alert\\) <script>alert(1)</script> {{7*7}} %s'
    const pdf = await writeEvidencePdf(factsWith(words))
    assert.ok((await linesOf(pdf)).join(' ').replaceAll(/\s+/g, ' ').includes(words))
    const facts = await checkPdf(bufferSource(pdf), { activeContent: 'allow' })
    assert.ok(!facts.needsNormalising)
    assert.deepEqual(facts.activeContent, [])
  })

  for (const strokes of [
    [[1e308, 0, -1e308, 0]],
    [
      [0, -1.7e308],
      [0, 1.7e308, 5, 5],
    ],
    [[5]],
    [],
  ]) {
    test(`a mark drawn as ${JSON.stringify(strokes)} keeps nobody from having the evidence`, async () => {
      const facts = factsWith('Aino')
      const participants = facts.participants.map((person) => ({
        ...person,
        mark: { kind: 'drawn' as const, strokes },
      }))
      const pdf = await writeEvidencePdf({ ...facts, participants })
      assert.ok((await linesOf(pdf)).includes('Aino'))
    })
  }

  for (const [timestampAuthority, told] of [
    ['own', [true, false]],
    ['outside', [false, true]],
    ['both', [true, true]],
  ] as const) {
    test(`timestamps: ${timestampAuthority}; an authority of our own is called that, in the language of the request`, async () => {
      for (const language of ['en', 'fi'] as const) {
        const pdf = await writeEvidencePdf({ ...factsWith('Lease'), language, timestampAuthority })
        const text = (await linesOf(pdf)).join(' ').replaceAll(/\s+/g, ' ')
        const { ownTimestamps, outsideTimestamps } = EVIDENCE[language]
        assert.deepEqual([text.includes(ownTimestamps), text.includes(outsideTimestamps)], told, text)
      }
    })
  }

  test('says in the request’s language who took part, how each was known, when, and what happened', async () => {
    const facts = factsWith('Vuokrasopimus')
    const [person] = facts.participants
    const at = '2026-11-15T08:28:00Z'
    const authentication = { reading: { strength: 'None', at: null }, signing: { strength: 'Email', at } } as const
    const known = { ...person!, name: 'Aino Virtanen', authentication }
    const pdf = await writeEvidencePdf({ ...facts, language: 'fi', timeZone: 'Europe/Helsinki', participants: [known] })
    const text = (await linesOf(pdf)).join(' ').replaceAll(/\s+/g, ' ')
    const { title, forSigning, authenticationEmail, authenticationNone, simpleSignature, stateSigned } = EVIDENCE.fi
    for (const words of [
      title,
      'Aino Virtanen',
      'aino@example.com',
      forSigning.replace('{how}', authenticationEmail),
      authenticationNone,
      simpleSignature,
      stateSigned.replace('{time}', formatSecond({ tag: 'fi', at: person!.signedAt!, timezone: 'Europe/Helsinki' })),
      nameEvent('fi', 'signatorysigned'),
      facts.requestId,
      facts.verifyUrl,
      facts.documents[0]!.sha256,
      facts.events[0]!.hash,
    ])
      assert.ok(text.includes(words), `${words} is missing from: ${text}`)
  })

  test('says whom each event is about, to the second, and its hash on the same page', async () => {
    const facts = factsWith('Lease')
    const [signed] = facts.events
    const at = new Date('2026-11-15T08:30:07Z')
    const about = { ...signed!, eventType: 'signatorymessageshown', timestamp: at }
    const events = Array.from({ length: 150 }, (_, index) => ({ ...about, sequenceNumber: index + 1 }))
    const participants = [{ ...facts.participants[0]!, name: 'Aino Virtanen' }]
    const lines = await linesOf(await writeEvidencePdf({ ...facts, participants, events }))
    const told = '15 November 2026 at 08:30:07 UTC Aino Virtanen: Message shown to an administrator'
    for (const { sequenceNumber, hash } of events) {
      const line = lines.findIndex((text) => text.startsWith(`${sequenceNumber}. `))
      assert.equal(lines[line]!.replaceAll(/\s+/g, ' '), `${sequenceNumber}. ${told}`)
      assert.equal(lines[line + 1], hash)
    }
  })

  test('names an organisation that sends by its root department once', async () => {
    const facts = factsWith('Lease')
    const sender = { organisation: 'Nordwind', department: 'Nordwind', person: null }
    const lines = await linesOf(await writeEvidencePdf({ ...facts, sender }))
    assert.ok(lines.includes('Sent by: Nordwind'), lines.join('\n'))
  })

  test('carries the same for programs, and its link leads where its words say', async () => {
    const facts = factsWith('Lease')
    const pdf = await writeEvidencePdf(facts)
    const [embedded] = /\/EmbeddedFile[^>]*>>[^>]*>>\s*stream\n/.exec(pdf.toString('latin1'))!
    const start = pdf.indexOf(embedded, 0, 'latin1') + embedded.length
    assert.deepEqual(inflateSync(pdf.subarray(start)), evidenceJson(facts))
    const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
    const document = await task.promise
    assert.deepEqual([...((await document.getAttachments()) as Map<string, unknown>).keys()], ['evidence.json'])
    const links = (await (await document.getPage(1)).getAnnotations()) as { url?: string }[]
    assert.deepEqual([...new Set(links.map(({ url }) => url))], [facts.verifyUrl])
    await task.destroy()
  })

  test('the record for programs has the words as they were given', () => {
    const words = `Mallory\n${FORGED}`
    assert.equal((JSON.parse(evidenceJson(factsWith(words)).toString()) as EvidenceFacts).subject, words)
  })
})
