import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createSignatureFields } from '#pades/fields.ts'
import { bufferSource } from '#pades/source.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { verifyCheckpointTimestamp, verifyHistory } from '#features/history/index.ts'
import { trustAnchors } from '#features/certificates/index.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { requireRightCounts, requireWholeHistories, typesOfEvents } from '../../../test/signature-requests.ts'
import type { TestService, TestTenant } from '../../../test/service.ts'
import {
  Browser,
  codeSentTo,
  fetchBytes,
  invite,
  linkOf,
  messagesOf,
  openLink,
  readRequest,
  startSigningService,
  untilQuiet,
  untilStatus,
} from '../../../test/signing-flow.ts'
import { until } from '../../../test/until.ts'
import { unzip } from '../../../test/unzip.ts'

const PEOPLE = [
  { firstName: 'Aino', lastName: 'Virtanen', email: 'aino@example.com' },
  { firstName: 'Björn', lastName: 'Ek', email: 'bjorn@example.com' },
  { firstName: 'Carla', lastName: 'Méndez', email: 'carla@example.com' },
]

type ProvedItem = { data: { kind?: string }; inclusionProof: string[] | null }

describe('signing', () => {
  let service: TestService
  let tenant: TestTenant

  before(async () => {
    service = await startSigningService()
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  async function enterCode(browser: Browser, requestId: string, signatoryId: string, purpose: 'reading' | 'signing') {
    const sent = await browser.post('/sign/api/code', { purpose })
    assert.equal(sent.status, 202, sent.text)
    const code = await codeSentTo(service, tenant, requestId, signatoryId)
    const verified = await browser.post('/sign/api/code/verify', { purpose, code })
    assert.equal(verified.status, 204, verified.text)
  }

  async function validate(requestId: string) {
    const { json } = await readRequest(tenant, requestId)
    const bytes = await fetchBytes(service, tenant, json.documents[0].documentURI)
    const anchors = await trustAnchors(service.platform)
    return { bytes, report: await validatePdf(bytes, { trustAnchors: anchors, time: service.clock.now() }) }
  }

  test('one signatory by link: from the invitation to a sealed document', async () => {
    const { requestId, signatoryIds } = await invite(tenant, { deliveryMethods: ['Link'] })
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    const page = await browser.page()
    assert.equal(page.state, 'ready')
    assert.equal(page.subject, 'Lease of the upper floor')
    assert.deepEqual(page.signatory, { firstName: 'Aino', lastName: 'Virtanen' })
    const shown = await browser.get(page.documents[0].url)
    assert.equal(shown.headers.get('etag'), `"${page.documents[0].sha256}"`)

    assert.equal((await browser.post('/sign/api/viewed')).status, 204)
    assert.equal((await readRequest(tenant, requestId)).json.signatories[0].state, 'Viewed')
    const { status, text } = await browser.sign()
    assert.equal(status, 202, text)
    await browser.pageIn('signed')
    const request = await untilStatus(tenant, requestId, 'Closed')
    assert.equal(request.signatories[0].state, 'Signed')
    assert.equal(request.documents[0].levelReached, 'B-LTA')

    const { report } = await validate(requestId)
    assert.equal(report.verdict, 'valid', JSON.stringify(report))
    assert.deepEqual(
      report.signatures.map(({ level }) => level),
      ['B-LTA', 'B-LTA'],
    )
    assert.match(report.signatures[0]!.subject!, /Aino Virtanen/)
    assert.deepEqual(await messagesOf(service, requestId), [], 'by Link nobody is messaged')
    assert.deepEqual(await typesOfEvents(service, requestId), [
      'signaturerequestcreated',
      'signaturerequestopened',
      'signaturerequeststatusupdated',
      'signaturerequestprepared',
      'signatoryinvited',
      'signatoryviewed',
      'signatorysigned',
      'signaturerequeststatusupdated',
      'signaturerequestcompleted',
      'signaturerequeststatusupdated',
    ])
  })

  test('three in two groups with codes: each is asked in turn, and all are in the file', async () => {
    const signatories = PEOPLE.map((person, index) => ({ ...person, signatoryGroupSigningOrder: index < 2 ? 1 : 2 }))
    const { requestId, signatoryIds } = await invite(tenant, {
      signatories,
      readingAuthenticationStrength: 'Email',
      signingAuthenticationStrength: 'Email',
      documents: ['One', 'Two'].map((title) => ({
        title,
        fileName: 'same.pdf',
        contentBase64: makePdf(title).toString('base64'),
      })),
    })
    const [first, second, third] = signatoryIds as [string, string, string]
    const last = await openLink(service, tenant, requestId, third)
    assert.equal((await last.page()).state, 'authenticate')
    await enterCode(last, requestId, third, 'reading')
    assert.equal((await last.page()).state, 'notyourturn')
    const { documents } = await last.page()
    assert.equal(documents, null, 'documents are shown to those whose turn it is')

    for (const signatoryId of [first, second]) {
      const browser = await openLink(service, tenant, requestId, signatoryId)
      const hidden = await browser.page()
      assert.equal(hidden.state, 'authenticate')
      for (const field of ['sender', 'subject', 'expirationDate', 'signatory', 'others', 'documents', 'declineReason'])
        assert.equal(hidden[field], null, field)
      await enterCode(browser, requestId, signatoryId, 'reading')
      const early = await browser.sign()
      assert.equal(early.status, 403, 'the signing strength has not been met')
      await enterCode(browser, requestId, signatoryId, 'signing')
      assert.equal((await browser.sign({ kind: 'typed', text: 'A. V.' })).status, 202)
      await browser.pageIn('signed')
    }
    const kinds = (await messagesOf(service, requestId)).filter(({ kind }) => kind === 'invitation')
    assert.deepEqual(
      kinds.map(({ signatoryId }) => signatoryId),
      [first, second, third],
    )
    await last.pageIn('ready')
    await enterCode(last, requestId, third, 'signing')
    await last.sign({ kind: 'drawn', strokes: [[0, 0, 10, 5, 20, 0]] })
    await untilStatus(tenant, requestId, 'Closed')
    const { report } = await validate(requestId)
    assert.equal(report.verdict, 'valid', JSON.stringify(report))
    assert.equal(report.signatures.length, 4)
    const completed = (await messagesOf(service, requestId)).filter(({ kind }) => kind === 'completed')
    assert.equal(completed.length, 3)
  })

  test('two who sign at the same instant both succeed, one after the other', async () => {
    const { requestId, signatoryIds } = await invite(tenant, { signatories: PEOPLE.slice(0, 2) })
    const browsers = await Promise.all(signatoryIds.map((id) => openLink(service, tenant, requestId, id)))
    const replies = await Promise.all(browsers.map((browser) => browser.sign()))
    assert.deepEqual(
      replies.map(({ status }) => status),
      [202, 202],
    )
    await untilStatus(tenant, requestId, 'Closed')
    const { bytes, report } = await validate(requestId)
    assert.equal(report.verdict, 'valid')
    assert.equal(report.signatures.length, 3)
    const events = await service.database.asOwner(
      `select b.body from event e join event_body b on b.event_id = e.id
        where e.request_id = $1 and e.type = 'signatorysigned' order by e.sequence`,
      [requestId],
    )
    const told = events.map((row) => JSON.parse(String(row['body'])).data.documents[0])
    assert.equal(told[0].shownSha256, told[1].shownSha256, 'both saw the same bytes')
    assert.ok(told[1].signedPrefixBytes > told[1].shownBytes, 'the second signed them with the first signature on top')
    const signedDigests = digestsOfSignedRanges(bytes)
    for (const { shownSha256, shownBytes, signedDigest } of told) {
      assert.equal(hashOf(bytes.subarray(0, shownBytes)), shownSha256, 'what was signed begins with what was shown')
      assert.ok(signedDigests.includes(signedDigest), 'the digest in the event is that of a signature in the file')
    }
    assert.notEqual(told[0].signedDigest, told[1].signedDigest)
  })

  test('twenty confirmations at once make one signature', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    const replies = await Promise.all(Array.from({ length: 20 }, () => browser.sign()))
    assert.ok(replies.every(({ status }) => status === 202))
    await untilStatus(tenant, requestId, 'Closed')
    const { report } = await validate(requestId)
    assert.equal(report.signatures.length, 2)
    const intents = await service.database.asOwner(
      `select state from signature_intent where request_id = $1 and signatory_id is not null`,
      [requestId],
    )
    assert.deepEqual(intents, [{ state: 'used' }])
  })

  test('what was not shown can not be confirmed', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    const [{ id, sha256 }] = (await browser.page()).documents
    const source = hashOf(makePdf())
    const cases: [what: string, documents: unknown[]][] = [
      ['another hash', [{ id, sha256: 'ab'.repeat(32) }]],
      ['the upload before it was prepared', [{ id, sha256: source }]],
      ['no document', []],
      ['another document', [{ id: requestId, sha256 }]],
      [
        'one too many',
        [
          { id, sha256 },
          { id: requestId, sha256 },
        ],
      ],
    ]
    for (const [what, documents] of cases) {
      const { status, json } = await browser.post('/sign/api/sign', { documents })
      assert.deepEqual([status, json.classification, json.code], [400, 'InvalidOperation', 7102], what)
    }
    assert.equal((await browser.page()).state, 'ready')
  })

  test('a mandatory refusal ends the request; links are dead at once and say why', async () => {
    const { requestId, signatoryIds } = await invite(tenant, { signatories: PEOPLE.slice(0, 2) })
    const [first, second] = signatoryIds as [string, string]
    const urls = await Promise.all([linkOf(tenant, requestId, first), linkOf(tenant, requestId, second)])
    const other = await openLink(service, tenant, requestId, second)
    const browser = await openLink(service, tenant, requestId, first)
    assert.equal((await browser.post('/sign/api/decline', { reason: '' })).status, 400)
    assert.equal((await browser.post('/sign/api/decline', { reason: 'Wrong price' })).status, 204)
    const { json } = await readRequest(tenant, requestId)
    assert.deepEqual([json.status, json.statusReason], ['Canceled', 'Declined'])
    assert.deepEqual([json.signatories[0].state, json.signatories[0].declineReason], ['Declined', 'Wrong price'])
    assert.equal((await browser.page()).state, 'declined')
    const page = await other.page()
    assert.deepEqual([page.state, page.subject, page.documents], ['canceled', null, null])
    assert.equal((await other.post('/sign/api/sign', { documents: [] })).status, 400)
    const dead = await Promise.all(urls.map((url) => new Browser(service.url).open(url)))
    assert.deepEqual(
      dead.map((reply) => [reply.status, reply.json.state]),
      [
        [400, 'declined'],
        [400, 'canceled'],
      ],
    )
    const told = (await messagesOf(service, requestId)).filter(({ kind }) => kind === 'canceled')
    assert.deepEqual(
      told.map(({ signatoryId }) => signatoryId),
      [second],
    )
  })

  test('an optional refusal does not, and those who did not sign are skipped', async () => {
    const signatories = PEOPLE.map((person, index) => ({ ...person, isMandatory: index === 0 }))
    const { requestId, signatoryIds } = await invite(tenant, { signatories })
    const [first, second] = signatoryIds as [string, string]
    const refusing = await openLink(service, tenant, requestId, second)
    assert.equal((await refusing.post('/sign/api/decline', { reason: 'Not mine' })).status, 204)
    assert.equal((await readRequest(tenant, requestId)).json.status, 'Open')
    const last = await openLink(service, tenant, requestId, first)
    assert.equal((await last.page()).progress, 'signing')
    await last.sign()
    const { progress } = await last.pageIn('signed')
    assert.ok(['sealing', 'sealed'].includes(progress), `${progress}: nobody else has to sign`)
    const request = await untilStatus(tenant, requestId, 'Closed')
    assert.deepEqual(
      request.signatories.map(({ state }: { state: string }) => state),
      ['Signed', 'Declined', 'Skipped'],
    )
    const { report } = await validate(requestId)
    const [signature, seal, ...more] = report.signatures
    assert.deepEqual([report.verdict, more.length], ['valid', 0])
    assert.match(signature!.subject!, /Aino Virtanen/)
    assert.doesNotMatch(seal!.subject!, /Aino|Björn|Carla/)
  })

  test('the evidence verifies offline: files, hashes, history', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const path = `/signing/signaturerequest/${requestId}/evidence`
    assert.equal((await tenant.call('GET', path)).status, 204)
    await (await openLink(service, tenant, requestId, signatoryIds[0]!)).sign({ kind: 'typed', text: 'Aino' })
    const request = await untilStatus(tenant, requestId, 'Closed')
    // The checkpoint that proves the last event is stamped a moment later, also after people were told of the end.
    const files = await until('the stamped checkpoint over the last message', async () => {
      const found = unzip(await fetchBytes(service, tenant, path))
      const { items }: { items: ProvedItem[] } = JSON.parse(found.get('history.json')!.toString())
      const isTold = items.some(({ data }) => data.kind === 'completed')
      const isProved = items.every(({ inclusionProof }) => inclusionProof !== null)
      return isTold && isProved && found.has('log/checkpoint.tst') && found
    })
    const names = [...files.keys()]
    for (const name of ['README.txt', 'documents/lease.pdf', 'evidence.pdf', 'evidence.json', 'history.json'])
      assert.ok(names.includes(name), name)
    const facts = JSON.parse(files.get('evidence.json')!.toString())
    const document = files.get('documents/lease.pdf')!
    const hash = hashOf(document)
    assert.deepEqual([facts.documents[0].sha256, request.documents[0].sha256], [hash, hash])
    assert.equal(facts.participants[0].mark.text, 'Aino')
    assert.equal(facts.timestampAuthority, 'own')
    const history = JSON.parse(files.get('history.json')!.toString())
    const verdict = verifyHistory([history], history.head.keys)
    assert.ok(verdict.isIntact, JSON.stringify(verdict))
    assert.equal(verdict.events, history.items.length)
    assert.equal(verdict.log?.logged, history.items.length, 'every event is proved to be in the log')
    const [checkpoint, token] = [files.get('log/checkpoint.txt')!.toString(), files.get('log/checkpoint.tst')!]
    assert.equal(checkpoint, history.log.checkpoint)
    assert.equal(verifyCheckpointTimestamp(checkpoint, token, await trustAnchors(service.platform)).isGood, true)
    const roots = names.filter((name) => name.startsWith('certificates/')).map((name) => derOf(files.get(name)!))
    for (const name of ['documents/lease.pdf', 'evidence.pdf']) {
      const report = await validatePdf(files.get(name)!, { trustAnchors: roots, time: service.clock.now() })
      assert.equal(report.verdict, 'valid', `${name}: ${JSON.stringify(report.findings)}`)
    }
    assert.ok(files.get('evidence.pdf')!.includes('evidence.json'))
  })

  test('the evidence says that a code was shown to an administrator, not sent', async () => {
    const { requestId, signatoryIds } = await invite(tenant, { signingAuthenticationStrength: 'Email' })
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    await browser.post('/sign/api/code', { purpose: 'signing' })
    const code = await until('the code in the outbox', async () => {
      const { json } = await tenant.asAdministrator('GET', '/messages')
      const found = json.items.find(
        (message: { kind: string; signatureRequestId: string; state: string }) =>
          message.kind === 'code' && message.signatureRequestId === requestId && message.state === 'outbox',
      )
      return found && (await tenant.asAdministrator('GET', `/messages/${found.id}`)).json.code
    })
    assert.equal((await browser.post('/sign/api/code/verify', { purpose: 'signing', code })).status, 204)
    await browser.sign()
    await untilStatus(tenant, requestId, 'Closed')
    const files = unzip(await fetchBytes(service, tenant, `/signing/signaturerequest/${requestId}/evidence`))
    const [person] = JSON.parse(files.get('evidence.json')!.toString()).participants
    assert.deepEqual([person.wasCodeShown, person.authentication.signing.strength], [true, 'Email'])
    assert.match(person.policy, /^Simple electronic signature/)
  })

  test('a template says where a signature shows, and the mark is drawn there', async () => {
    const placements = [{ documentIndex: 0, signatoryIndex: 0, page: 1, x: 72, y: 600, width: 200, height: 60 }]
    const template = await tenant.call('POST', '/documenttemplating/requesttemplate', {
      name: 'Placed',
      kind: 'signature',
      fields: { placements },
    })
    assert.equal(template.status, 200, template.text)
    const { requestId, signatoryIds } = await invite(tenant, { signatureRequestTemplateId: template.json.id })
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    await browser.sign({ kind: 'drawn', strokes: [[0, 0, 40, 30, 80, 0]] })
    await untilStatus(tenant, requestId, 'Closed')
    const { bytes, report } = await validate(requestId)
    assert.equal(report.verdict, 'valid')
    assert.ok(bytes.includes('/Rect [72 182 272 242]'), 'points from the top left of the page')
  })

  test('a mark drawn farther away than any screen reaches is refused by name, and one at the edge of it signs', async () => {
    const placements = [{ documentIndex: 0, signatoryIndex: 0, page: 1, x: 72, y: 600, width: 200, height: 60 }]
    const template = await tenant.call('POST', '/documenttemplating/requesttemplate', {
      name: 'Placed',
      kind: 'signature',
      fields: { placements },
    })
    const { requestId, signatoryIds } = await invite(tenant, { signatureRequestTemplateId: template.json.id })
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    for (const far of [1e308, -1e308, 100_001]) {
      const { status, json } = await browser.sign({
        kind: 'drawn',
        strokes: [
          [0, 0],
          [5, 5, far, 0],
        ],
      })
      assert.equal(status, 400)
      assert.match(json.message, /mark\.strokes\[1\]\[2\]/)
    }
    const { status } = await browser.sign({ kind: 'drawn', strokes: [[100_000, -100_000, -100_000, 100_000]] })
    assert.equal(status, 202)
    await untilStatus(tenant, requestId, 'Closed')
  })

  test('fields that wait in a document are the ones that are signed, by name or in order', async () => {
    const pdf = makePdf('A form')
    const places = ['Tenant', 'Landlord'].map((name, index) => ({
      name,
      placement: { x: 72, y: 500 + 100 * index, width: 200, height: 60 },
    }))
    const form = Buffer.concat([pdf, await createSignatureFields(bufferSource(pdf), places)])
    const { requestId, signatoryIds } = await invite(tenant, {
      signatories: [PEOPLE[0], { ...PEOPLE[1], externalReference: 'Landlord' }],
      documents: [{ title: 'Form', fileName: 'form.pdf', contentBase64: form.toString('base64') }],
    })
    for (const signatoryId of signatoryIds) {
      const browser = await openLink(service, tenant, requestId, signatoryId)
      assert.equal((await browser.sign({ kind: 'typed', text: 'Seen and signed' })).status, 202)
    }
    await untilStatus(tenant, requestId, 'Closed')
    const { bytes, report } = await validate(requestId)
    assert.ok(bytes.subarray(0, form.length).equals(form), 'what was given is in it, byte for byte')
    assert.equal(report.verdict, 'valid', JSON.stringify(report.findings))
    const signed = report.signatures.map(({ fieldName, subject }) => `${fieldName}: ${subject}`)
    assert.deepEqual(signed.slice(0, 2).sort(), ['Landlord: Björn Ek', 'Tenant: Aino Virtanen'])
    assert.deepEqual([signed.length, signed[2]!.startsWith('Seal-')], [3, true], 'nothing beside them but the seal')
  })

  test('fields as large as half a page are signed by one after the other, and nothing covers what the first signed', async () => {
    const pdf = makePdf('A form')
    const places = ['Tenant', 'Landlord'].map((name, index) => ({
      name,
      placement: { x: 0, y: 50 + 350 * index, width: 590, height: 300 },
    }))
    const form = Buffer.concat([pdf, await createSignatureFields(bufferSource(pdf), places)])
    const { requestId, signatoryIds } = await invite(tenant, {
      signatories: PEOPLE.slice(0, 2),
      documents: [{ title: 'Form', fileName: 'form.pdf', contentBase64: form.toString('base64') }],
    })
    for (const signatoryId of signatoryIds) {
      const browser = await openLink(service, tenant, requestId, signatoryId)
      assert.equal((await browser.sign({ kind: 'typed', text: 'Seen and signed' })).status, 202)
      await browser.pageIn('signed')
    }
    await untilStatus(tenant, requestId, 'Closed')
    const { report } = await validate(requestId)
    assert.equal(report.verdict, 'valid', JSON.stringify(report.findings))
    assert.deepEqual(
      report.signatures.slice(0, 2).map(({ fieldName }) => fieldName),
      ['Tenant', 'Landlord'],
    )
  })

  test('a person’s identifier is in the certificate only where the tenant wants it there', async () => {
    const identifier = '131052-308T'
    const signed = async () => {
      const { requestId, signatoryIds } = await invite(tenant, {
        signatories: [{ ...PEOPLE[0], personalIdentifier: identifier }],
      })
      await (await openLink(service, tenant, requestId, signatoryIds[0]!)).sign()
      await untilStatus(tenant, requestId, 'Closed')
      const { bytes, report } = await validate(requestId)
      assert.equal(report.verdict, 'valid')
      const evidence = await fetchBytes(service, tenant, `/signing/signaturerequest/${requestId}/evidence`)
      return { requestId, bytes, subject: report.signatures[0]!.certificates[0]!.subject, evidence }
    }
    const plain = await signed()
    assert.match(plain.subject, new RegExp(`Aino Virtanen.*${plain.requestId}`))
    // Signatures and what validates them stand in the file as hexadecimal digits or as they are.
    const forms = [identifier, Buffer.from(identifier).toString('hex')]
    const tells = (file: Buffer) =>
      forms.some((form) => file.toString('latin1').toLowerCase().includes(form.toLowerCase()))
    assert.deepEqual([tells(plain.bytes), tells(plain.evidence)], [false, false])

    const choose = (personalIdentifierInCertificates: boolean) =>
      tenant.asAdministrator('PATCH', '/onboarding/tenant', { personalIdentifierInCertificates })
    assert.equal((await choose(true)).status, 200)
    const named = await signed()
    await choose(false)
    assert.ok(named.subject.includes(identifier), named.subject)
    assert.ok(tells(named.bytes), 'the search above would have found it')
  })

  test('nothing of another tenant is reached by link, by session or by key', async () => {
    const other = await service.createTenant('Other')
    const { requestId, signatoryIds } = await invite(tenant)
    const base = `/signing/signaturerequest/${requestId}`
    for (const path of [`${base}/signatory/${signatoryIds[0]}/link`, `${base}/evidence`]) {
      const { status, json } = await other.call('GET', path)
      assert.deepEqual([status, json.classification], [400, 'EntityNotFound'], path)
    }
    assert.equal((await other.call('POST', `${base}/remind`)).json.classification, 'EntityNotFound')
    assert.equal((await other.call('POST', `${base}/retry`)).json.classification, 'EntityNotFound')
    const { requestId: theirs, signatoryIds: theirPeople } = await invite(other)
    const browser = await openLink(service, other, theirs, theirPeople[0]!)
    const own = await openLink(service, tenant, requestId, signatoryIds[0]!)
    const [{ id, sha256 }] = (await own.page()).documents
    assert.equal((await browser.get(`/sign/api/document/${id}`)).status, 400)
    assert.equal((await browser.post('/sign/api/sign', { documents: [{ id, sha256 }] })).json.code, 7102)
  })

  test('files, events, counters and states agree after all of this', async () => {
    await untilQuiet(service)
    await requireWholeHistories(service)
    await requireRightCounts(service)
    const [row] = await service.database.asOwner(
      `select (select count(*) from signatory where state = 'Signed')::int as signed,
              (select count(*) from event where type = 'signatorysigned')::int as events,
              (select count(distinct signatory_id) from signature_intent where state = 'used')::int as keys`,
    )
    assert.equal(row!['events'], row!['signed'])
    assert.equal(row!['keys'], row!['signed'])
  })
})

function derOf(pem: Buffer): Buffer {
  return Buffer.from(pem.toString().replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Of what each signature and timestamp covers: everything up to its end but its own value (ISO 32000-1 12.8.1). */
function digestsOfSignedRanges(file: Buffer): string[] {
  const ranges = file.toString('latin1').matchAll(/\/ByteRange ?\[ ?(\d+) (\d+) (\d+) (\d+) ?\]/g)
  return [...ranges].map((found) => {
    const [at, length, from, rest] = found.slice(1).map(Number) as [number, number, number, number]
    return hashOf(Buffer.concat([file.subarray(at, at + length), file.subarray(from, from + rest)]))
  })
}
