import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { storageUnavailable } from '#platform/blobs/errors.ts'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import { addPerson } from '../../../test/people.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import {
  countLinks,
  create,
  CREATE,
  payload,
  pdf,
  requireRightCounts,
  requireWholeHistories,
  typesOfEvents,
} from '../../../test/signature-requests.ts'
import { makePdf } from '../../../test/small-pdf.ts'

describe('one-step signing', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  const read = async (id: string) => (await acme.call('GET', `/signing/signaturerequest/${id}`)).json

  test('makes an Open request with defaults, links and a history', async () => {
    const id = await create(acme.call)
    const request = await read(id)
    const days = (new Date(request.expirationDate).getTime() - new Date(request.openedDate).getTime()) / 86_400_000
    assert.equal(days, 30)
    const sha256 = createHash('sha256').update(makePdf()).digest('hex')
    const { signatories, documents, ...fields } = request
    assert.deepEqual(fields, {
      id,
      subject: 'Lease of the upper floor',
      status: 'Open',
      statusReason: null,
      languageCode: null,
      creatorId: acme.serviceUserId,
      departmentId: acme.rootDepartmentId,
      signatureRequestTemplateId: null,
      readingAuthenticationStrength: 'None',
      signingAuthenticationStrength: 'Email',
      externalReference: null,
      expirationDate: request.expirationDate,
      deliveryMethods: ['Email'],
      archivingError: null,
      creationDate: request.openedDate,
      modifiedDate: request.openedDate,
      openedDate: request.openedDate,
      finishedDate: null,
    })
    assert.deepEqual(signatories, [
      {
        id: signatories[0].id,
        firstName: 'Aino',
        lastName: 'Virtanen',
        email: 'aino@example.com',
        mobilePhone: null,
        isMandatory: true,
        authenticationAreaCode: null,
        personalIdentifier: null,
        signatoryGroupSigningOrder: 1,
        externalReference: null,
        state: 'Waiting',
        invitedDate: null,
        viewedDate: null,
        signedDate: null,
        declinedDate: null,
        declineReason: null,
      },
    ])
    assert.deepEqual(documents, [
      {
        id: documents[0].id,
        title: 'Lease',
        fileName: 'lease.pdf',
        documentTypeId: null,
        externalReference: null,
        documentURI: documents[0].sourceDocumentURI,
        sourceDocumentURI: documents[0].sourceDocumentURI,
        sha256,
        levelAsked: 'B-LTA',
        levelReached: null,
      },
    ])
    assert.equal(await countLinks(service, id), 1)
    assert.deepEqual(await typesOfEvents(service, id), [
      'signaturerequestcreated',
      'signaturerequestopened',
      'signaturerequeststatusupdated',
    ])
  })

  test('makes a Draft unless told otherwise, which may lack nearly everything', async () => {
    const { status, json } = await acme.call('POST', CREATE, { subject: 'Later', status: null, signatories: [] })
    assert.equal(status, 202)
    const request = await read(json.id)
    assert.equal(request.status, 'Draft')
    assert.equal(request.expirationDate, null)
    assert.equal(await countLinks(service, json.id), 0)
    assert.deepEqual(await typesOfEvents(service, json.id), ['signaturerequestcreated'])
  })

  test('keeps every field, each in its one written form', async () => {
    const [creatorId, documentTypeId] = [acme.administratorId, newId()]
    const id = await create(acme.call, {
      status: 'open',
      subject: 'Sopimus № 7 — “täysin” 🖋️',
      languageCode: 'SV-fi',
      creatorId: creatorId.toUpperCase(),
      readingAuthenticationStrength: 'LOW',
      signingAuthenticationStrength: 'substantial',
      externalReference: 'R-7',
      expirationDate: '2999-01-31T12:00:00+02:00',
      deliveryMethods: ['sms', 'LINK', 'Sms'],
      signatories: [
        { email: 'a@example.com', mobilePhone: '00358 40-123 4567', signatoryGroupSigningOrder: 2, isMandatory: false },
        { email: 'b@example.com', mobilePhone: '+358401234568', personalIdentifier: '010101-123N' },
      ],
      documents: [{ contentBase64: pdf('two'), documentTypeId, externalReference: 'D-1' }],
    })
    const request = await read(id)
    assert.equal(request.subject, 'Sopimus № 7 — “täysin” 🖋️')
    assert.equal(request.languageCode, 'sv-FI')
    assert.equal(request.creatorId, creatorId)
    assert.equal(request.readingAuthenticationStrength, 'Email')
    assert.equal(request.signingAuthenticationStrength, 'Sms')
    assert.equal(request.expirationDate, '2999-01-31T10:00:00.000Z')
    assert.deepEqual(request.deliveryMethods, ['Sms', 'Link'])
    assert.equal(request.signatories[0].mobilePhone, '+358401234567')
    assert.equal(request.signatories[0].isMandatory, false)
    assert.equal(request.signatories[1].personalIdentifier, '010101-123N')
    assert.equal(request.documents[0].fileName, 'document-1.pdf')
    assert.equal(request.documents[0].documentTypeId, documentTypeId)
  })

  test('reads both content types and none as JSON', async () => {
    for (const type of [
      'application/json',
      'application/json-patch+json',
      'application/json-patch+json; charset=utf-8',
      '',
    ]) {
      const reply = await acme.call('POST', CREATE, undefined, {
        raw: Buffer.from(JSON.stringify(payload())),
        headers: type === '' ? {} : { 'content-type': type },
      })
      assert.equal(reply.status, 202, `${type}: ${reply.text}`)
    }
    const reply = await acme.call('POST', CREATE, undefined, { raw: '<a/>', headers: { 'content-type': 'text/xml' } })
    assert.equal(reply.status, 415)
  })

  const signatory = { email: 'aino@example.com' }
  const refusals: [what: string, changes: Record<string, unknown>, message: RegExp][] = [
    ['no subject', { subject: null }, /^subject: is required/],
    ['an empty subject', { subject: '' }, /^subject: must not be empty/],
    ['a subject that is too long', { subject: 'x'.repeat(501) }, /^subject: must have at most 500/],
    ['a subject that is a number', { subject: 7 }, /^subject: must be a text/],
    ['a status that is not for creation', { status: 'Closed' }, /^status: must be one of Draft, Open/],
    ['an unknown strength', { signingAuthenticationStrength: 'Firm' }, /^signingAuthenticationStrength: must be None/],
    ['Strong', { readingAuthenticationStrength: 'eID' }, /^readingAuthenticationStrength: Strong needs an identity/],
    ['an unknown delivery', { deliveryMethods: ['Email', 'Fax'] }, /^deliveryMethods\[1\]: must be one of/],
    ['a bad language', { languageCode: 'no such language' }, /^languageCode: must be a language tag/],
    ['a date that has gone', { expirationDate: '2020-01-01T00:00:00Z' }, /^expirationDate: must lie ahead/],
    ['a date that is none', { expirationDate: '2030-02-31T00:00:00Z' }, /^expirationDate: must be a date/],
    ['a bad e-mail', { signatories: [signatory, { email: 'nobody' }] }, /^signatories\[1\]\.email: must be an e-mail/],
    ['a bad phone', { signatories: [{ ...signatory, mobilePhone: '12' }] }, /^signatories\[0\]\.mobilePhone: /],
    [
      'a flag that is a text',
      { signatories: [{ ...signatory, isMandatory: 'yes' }] },
      /^signatories\[0\]\.isMandatory/,
    ],
    ['no signatory', { signatories: [] }, /^signatories: must have at least one signatory/],
    ['no mandatory one', { signatories: [{ ...signatory, isMandatory: false }] }, /^signatories: .*isMandatory/],
    ['no address', { signatories: [signatory, { lastName: 'B' }] }, /^signatories\[1\]\.email: is required/],
    ['no phone', { signingAuthenticationStrength: 'Sms' }, /^signatories\[0\]\.mobilePhone: is required/],
    ['no phone to deliver to', { deliveryMethods: ['Sms'] }, /^signatories\[0\]\.mobilePhone: is required/],
    ['no document', { documents: [] }, /^documents: must have at least one document/],
    ['a document without content', { documents: [{ title: 'A' }] }, /^documents\[0\]\.contentBase64: is required/],
    ['no Base64', { documents: [{ contentBase64: 'no!' }] }, /contentBase64/],
    ['an empty document', { documents: [{ contentBase64: '' }] }, /^documents\[0\]\.contentBase64: .*empty/],
    [
      'a path as a file name',
      { documents: [{ contentBase64: pdf(), fileName: '../a.pdf' }] },
      /^documents\[0\]\.fileName/,
    ],
    ['a text', { documents: [{ contentBase64: btoa('Hello') }] }, /only PDF documents are signed for now/],
    ['an image', { documents: [{ contentBase64: btoa('\u0089PNG\r\n') }] }, /\[0\].* a PNG image; only PDF/],
    [
      'a truncated PDF',
      { documents: [{ contentBase64: pdf() }, { contentBase64: makePdf().subarray(0, 500).toString('base64') }] },
      /^documents\[1\]\.contentBase64: .*its end is missing/,
    ],
    ['an id that is none', { id: 'mine' }, /^id: must be a UUID/],
    ['a NUL', { subject: 'a\u0000b' }, /U\+0000/],
    ['half a pair', { externalReference: '\ud800' }, /surrogate/],
    [
      'too many signatories',
      { signatories: Array.from({ length: 101 }, () => signatory) },
      /^signatories: must have at most 100/,
    ],
  ]
  for (const [what, changes, message] of refusals) {
    test(`refuses ${what}`, async () => {
      const { status, json } = await acme.call('POST', CREATE, payload(changes))
      assert.equal(status, 400)
      assert.equal(json.classification, 'InvalidArgument')
      assert.match(json.message, message)
    })
  }

  test('a refused call leaves nothing behind', async () => {
    const id = newId()
    const refused = await acme.call('POST', CREATE, payload({ id, departmentId: newId() }))
    assert.equal(refused.status, 400)
    for (const table of ['signature_request', 'event_chain']) {
      const column = table === 'event_chain' ? 'request_id' : 'id'
      assert.deepEqual(await service.database.asOwner(`select 1 from ${table} where ${column} = $1`, [id]), [])
    }
    assert.equal((await acme.call('POST', CREATE, payload({ id }))).status, 202)
  })

  test('without a body is refused', async () => {
    const { status, json } = await acme.call('POST', CREATE)
    assert.equal(status, 400)
    assert.equal(json.message, 'body: is required')
  })

  test('ids that point at nothing are ReferenceConstraint, another tenant’s as well', async () => {
    const cases: [string, string[]][] = [
      ['departmentId', [newId(), other.rootDepartmentId]],
      ['creatorId', [newId(), other.administratorId]],
      ['signatureRequestTemplateId', [newId()]],
    ]
    for (const [field, ids] of cases) {
      for (const id of ids) {
        const { status, json } = await acme.call('POST', CREATE, payload({ [field]: id }))
        assert.equal(status, 400)
        assert.equal(json.classification, 'ReferenceConstraint')
        assert.match(json.message, new RegExp(`^${field}: `))
      }
    }
  })

  test('the nil UUID means that no id was given', async () => {
    const nil = '00000000-0000-0000-0000-000000000000'
    const id = await create(acme.call, { id: nil, departmentId: nil, creatorId: nil, signatureRequestTemplateId: nil })
    assert.notEqual(id, nil)
  })

  test('a key of a department makes requests there and below, and nowhere else', async () => {
    const [sales, legal] = [await addDepartment(service, acme, 'Sales'), await addDepartment(service, acme, 'Legal')]
    const below = await addDepartment(service, acme, 'Below', sales.path)
    const { call } = sales
    assert.equal((await read(await create(call))).departmentId, sales.id)
    assert.equal((await read(await create(call, { departmentId: below.id }))).departmentId, below.id)
    for (const departmentId of [legal.id, acme.rootDepartmentId]) {
      const { status, json } = await call('POST', CREATE, payload({ departmentId }))
      assert.equal(status, 403)
      assert.equal(json.classification, 'AuthorizationError')
    }
  })

  test('a bearer’s own user is the creator', async () => {
    const id = await create(acme.asAdministrator)
    assert.equal((await read(id)).creatorId, acme.administratorId)
  })

  test('an ordinary user creates in no other name than their own', async () => {
    const asUser = await addPerson(service, acme, { departmentId: acme.rootDepartmentId, role: 'clerk' })
    const refused = await asUser('POST', CREATE, payload({ creatorId: acme.administratorId }))
    assert.equal(refused.status, 403)
    assert.equal(refused.json.classification, 'AuthorizationError')
    const { creatorId } = await read(await create(asUser))
    assert.equal((await read(await create(asUser, { creatorId }))).creatorId, creatorId)
  })

  test('a key whose department was just deleted makes nothing there', async () => {
    const gone = await addDepartment(service, acme, 'Gone')
    await service.database.asOwner('update department set deleted_at = now() where id = $1', [gone.id])
    const { status, json } = await gone.call('POST', CREATE, payload())
    assert.equal(status, 400)
    assert.equal(json.classification, 'ReferenceConstraint')
  })

  test('a damaged document is repaired, and both the repaired one and the given one are kept', async () => {
    const damaged = Buffer.from(
      makePdf('damaged')
        .toString('latin1')
        .replace(/startxref\n\d+/, 'startxref\n7'),
      'latin1',
    )
    const id = await create(acme.call, { documents: [{ contentBase64: damaged.toString('base64') }] })
    const [document] = (await read(id)).documents
    assert.notEqual(document.documentURI, document.sourceDocumentURI)
    const given = await acme.call('GET', `/storage/document/${document.sourceDocumentURI}?base64=true`)
    assert.equal(given.text, damaged.toString('base64'))
    const repaired = await acme.call('GET', `/storage/document/${document.documentURI}?base64=true`)
    const hash = createHash('sha256').update(Buffer.from(repaired.text, 'base64')).digest('hex')
    assert.equal(document.sha256, hash)
    const { items } = (await acme.call('GET', `/event/signaturerequest/${id}`)).json
    assert.equal(items[0].data.documents[0].repaired.sha256, hash)
  })

  test('a hundred signatories and fifty documents are taken', async () => {
    const signatories = Array.from({ length: 100 }, (_, index) => ({ email: `s${index}@example.com` }))
    const documents = Array.from({ length: 50 }, (_, index) => ({ contentBase64: pdf(`Document ${index}`) }))
    const id = await create(acme.call, { signatories, documents })
    const request = await read(id)
    assert.deepEqual(
      request.signatories.map((person: { email: string }) => person.email),
      signatories.map((person) => person.email),
    )
    assert.deepEqual(
      request.documents.map((document: { fileName: string }) => document.fileName),
      documents.map((_, index) => `document-${index + 1}.pdf`),
    )
    assert.equal(await countLinks(service, id), 100)
  })

  test('one document too many is refused', async () => {
    const documents = Array.from({ length: 51 }, () => ({ contentBase64: pdf() }))
    const { status, json } = await acme.call('POST', CREATE, payload({ documents }))
    assert.ok(status === 400 || status === 413)
    assert.equal(json.classification, 'InvalidArgument')
  })

  test('a document of 25 MiB is taken, one byte more is not', async () => {
    const most = 25 * 1024 * 1024
    // The length stands in the file twice, so it is found by trying.
    let padding = most - makePdf('', { paddingBytes: 1_000_000 }).length + 1_000_000
    while (makePdf('', { paddingBytes: padding }).length > most) padding--
    const large = makePdf('', { paddingBytes: padding })
    const id = await create(acme.call, { documents: [{ contentBase64: large.toString('base64') }] })
    assert.equal((await read(id)).documents.length, 1)
    const larger = Buffer.concat([large, Buffer.alloc(most - large.length + 1, '\n')])
    const reply = await acme.call(
      'POST',
      CREATE,
      payload({ documents: [{ contentBase64: larger.toString('base64') }] }),
    )
    assert.equal(reply.status, 413)
  })

  test('the bytes are on disk before there is a row', async () => {
    const document = makePdf('seen by nobody yet')
    const sha256 = createHash('sha256').update(document).digest('hex')
    const holder = new pg.Client(service.database.connection)
    await holder.connect()
    await holder.query('begin; lock table signature_request in access exclusive mode')
    const body = payload({ documents: [{ contentBase64: document.toString('base64') }] })
    const reply = acme.call('POST', CREATE, body)
    while ((await service.platform.blobs.stat(acme.tenantId, sha256)) === undefined) await setTimeout(5)
    const rows = await service.database.asOwner('select 1 from stored_document where sha256 = $1', [
      Buffer.from(sha256, 'hex'),
    ])
    assert.equal(rows.length, 0)
    await holder.query('rollback')
    await holder.end()
    assert.equal((await reply).status, 202)
  })

  test('a document that can’t be stored fails the call only when the others are no longer being stored', async (t) => {
    const [bad, good] = [makePdf('not to be stored'), makePdf('slow to be stored')]
    const badHash = createHash('sha256').update(bad).digest('hex')
    let isGoodStored = false
    t.mock.method(service.platform.blobs, 'commit', async (_tenantId: string, { sha256 }: { sha256: string }) => {
      if (sha256 === badHash) throw storageUnavailable(new Error('no answer'))
      await setTimeout(300)
      isGoodStored = true
    })
    const documents = [bad, good].map((pdf) => ({ contentBase64: pdf.toString('base64') }))
    assert.equal((await acme.call('POST', CREATE, payload({ documents }))).status, 503)
    assert.ok(isGoodStored)
  })

  test('after all this every history is whole and every counter right', async () => {
    await requireWholeHistories(service)
    await requireRightCounts(service)
  })
})
