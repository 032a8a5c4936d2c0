import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { SignatureAlgorithm } from '#pki/algorithms.ts'
import { signWith } from '#pki/raw-signer.ts'
import { completeSignature, restorePrepared, SignatureMismatch, storePrepared } from './complete-signature.ts'
import { ALL_BUT_TIMESTAMPS } from './document-timestamp.ts'
import { createSignatureFields } from './fields.ts'
import { findCertification, readForm } from './form.ts'
import type { Lock } from './lock.ts'
import { PrefixHash } from './prefix-hash.ts'
import { prepareSignature } from './prepare-signature.ts'
import { openPdf } from './reader.ts'
import { PdfRefused, type RefusalReason } from './refused.ts'
import { listRevisions } from './revisions.ts'
import { addArchiveTimestamp, signPdf, type SignPdfOptions } from './sign.ts'
import { PlaceholderTooSmall } from './signature-dictionary.ts'
import { bufferSource } from './source.ts'
import { makeTestAuthority, makeTestSigner, TEST_TIME, type TestAuthority } from './testing/authority.ts'
import { emptySignatureField, makePdf, type DocumentShape } from './testing/documents.ts'
import { opensslComplaints, pdfsigReport, qpdfComplaints, skipWithout, withFile } from './testing/judges.ts'
import { checkSignatures } from './testing/signature-check.ts'
import { entry, textOf } from './value.ts'

const SHAPES: Record<string, DocumentShape> = {
  'a table': {},
  'PDF 1.0': { version: '1.0' },
  'PDF 1.3': { version: '1.3' },
  'PDF 2.0': { version: '2.0' },
  'a cross-reference stream': { xref: 'stream', version: '1.5' },
  'object streams': { xref: 'stream', objectStream: true },
  'a direct form': { acroForm: 'direct' },
  'an indirect form': { acroForm: 'indirect' },
  'arrays of their own': { fields: [emptySignatureField('Other')], indirectArrays: true },
  'a form in an object stream': { fields: [emptySignatureField('Other')], xref: 'stream', objectStream: true },
  'CR LF': { eol: '\r\n' },
  'five thousand pages': { pages: 5000 },
}

const refusedAs = (reason: RefusalReason) => (error: unknown) => error instanceof PdfRefused && error.reason === reason

const signed = async (pdf: Buffer, options: SignPdfOptions) =>
  Buffer.concat([pdf, ...(await signPdf(bufferSource(pdf), options))])

async function extensionsOf(pdf: Buffer): Promise<string[]> {
  const reader = await openPdf(pdf)
  return [...((await reader.findDict(await reader.catalog(), 'Extensions'))?.entries.keys() ?? [])]
}

describe('signing', () => {
  let authority: TestAuthority
  before(async () => {
    authority = await makeTestAuthority()
  })

  const optionsFor = (level: SignPdfOptions['level'], more: Partial<SignPdfOptions> = {}): SignPdfOptions => ({
    signer: authority.signer,
    level,
    tsa: authority.tsa,
    time: TEST_TIME,
    field: { name: 'Signature' },
    name: 'Anna Müller',
    reason: 'I agree (v1)',
    validationData: async () => ({ certificates: certificates(), ocsps: [], crls: [Buffer.from('a list')] }),
    ...more,
  })
  const certificates = () => [
    authority.root,
    authority.signer.certificate,
    authority.tsaCertificate,
    ...authority.signer.chain,
  ]

  async function extensionsAfter(shape: DocumentShape): Promise<string[]> {
    return extensionsOf(await signed(makePdf(shape), optionsFor('B-LTA')))
  }

  for (const [name, shape] of Object.entries(SHAPES)) {
    test(`${name}: B-LTA keeps the document as a prefix, and both signature and timestamps hold`, async () => {
      const pdf = makePdf(shape)
      const result = await signed(pdf, optionsFor('B-LTA'))
      assert(result.subarray(0, pdf.length).equals(pdf))
      const checked = checkSignatures(result)
      assert.deepEqual(
        checked.map(({ subFilter, hasTimestamp, coversWholeFile }) => [subFilter, hasTimestamp, coversWholeFile]),
        [
          ['ETSI.CAdES.detached', true, false],
          ['ETSI.RFC3161', true, true],
        ],
      )
    })

    test(`${name}: qpdf finds nothing wrong`, { skip: skipWithout('qpdf') }, async () => {
      assert.equal(qpdfComplaints(await signed(makePdf(shape), optionsFor('B-LTA'))), '')
    })
  }

  for (const algorithm of ['ES256', 'ES384', 'PS256', 'RS256'] satisfies SignatureAlgorithm[]) {
    test(`${algorithm}: the signature holds at every level`, async () => {
      const signer = await makeTestSigner(authority.issuing, algorithm)
      for (const level of ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const) {
        const checked = checkSignatures(await signed(makePdf(), optionsFor(level, { signer })))
        assert.equal(checked.length, level === 'B-LTA' ? 2 : 1)
        assert.equal(checked[0]?.hasTimestamp, level !== 'B-B')
      }
    })

    test(
      `${algorithm}: OpenSSL verifies signature and document timestamp`,
      { skip: skipWithout('openssl') },
      async () => {
        const signer = await makeTestSigner(authority.issuing, algorithm)
        const [signature, timestamp] = checkSignatures(await signed(makePdf(), optionsFor('B-LTA', { signer })))
        assert(signature && timestamp)
        const trust = { root: authority.root, time: TEST_TIME }
        assert.equal(opensslComplaints('cades', signature, trust), '')
        assert.equal(opensslComplaints('timestamp', timestamp, trust), '')
      },
    )

    test(`${algorithm}: poppler calls it valid`, { skip: skipWithout('pdfsig') }, async () => {
      const signer = await makeTestSigner(authority.issuing, algorithm)
      const report = pdfsigReport(await signed(makePdf({ xref: 'stream' }), optionsFor('B-T', { signer })))
      assert.match(report, /Signature is Valid/)
      assert.match(report, /Total document signed/)
    })
  }

  test('a document that was hashed when it was read is not hashed again, unless more is needed', async () => {
    const pdf = makePdf()
    const state = createHash('sha256').update(pdf)
    const whole = PrefixHash.continuing('sha256', state, pdf.length)
    assert.equal(checkSignatures(await signed(pdf, optionsFor('B-LTA', { prefix: whole }))).length, 2)
    assert(whole.length > pdf.length, 'it was gone on from')

    const part = PrefixHash.continuing('sha256', createHash('sha256').update(pdf.subarray(1)), pdf.length - 1)
    assert.equal(checkSignatures(await signed(pdf, optionsFor('B-LTA', { prefix: part }))).length, 2)
    const signer = await makeTestSigner(authority.issuing, 'ES384')
    const other = PrefixHash.continuing('sha256', createHash('sha256').update(pdf), pdf.length)
    assert.equal(checkSignatures(await signed(pdf, optionsFor('B-LTA', { signer, prefix: other }))).length, 2)
  })

  test('three people sign their fields in sequence, then one timestamp covers all', async () => {
    let pdf = makePdf({ pages: 2 })
    const fields = ['First', 'Second', 'Seal'].map((name) => ({ name }))
    pdf = Buffer.concat([pdf, await createSignatureFields(bufferSource(pdf), fields)])
    const lengths: number[] = []
    for (const { name } of fields) {
      pdf = await signed(pdf, optionsFor('B-T', { field: name }))
      lengths.push(pdf.length)
    }
    const archive = { tsa: authority.tsa, validationData: { certificates: certificates(), ocsps: [], crls: [] } }
    pdf = Buffer.concat([pdf, await addArchiveTimestamp(bufferSource(pdf), archive)])
    const checked = checkSignatures(pdf)
    assert.deepEqual(
      checked.map(({ coveredBytes }) => coveredBytes),
      [...lengths, pdf.length],
    )
    const form = await readForm(await openPdf(pdf))
    assert.deepEqual(
      form.signatureFields.map(({ name, signature }) => [name, signature !== undefined]),
      [
        ['First', true],
        ['Second', true],
        ['Seal', true],
        ['Timestamp1', true],
      ],
    )
  })

  test('texts arrive as they were given', async () => {
    const pdf = await signed(makePdf(), optionsFor('B-B', { location: 'Zürich', contact: 'a\\b' }))
    const { signatureFields } = await readForm(await openPdf(pdf))
    const signature = signatureFields[0]?.signature
    assert(signature)
    const texts = ['Name', 'Reason', 'Location', 'ContactInfo', 'M'].map((key) => {
      const value = entry(signature, key)
      return value?.kind === 'string' && textOf(value)
    })
    assert.deepEqual(texts, ['Anna Müller', 'I agree (v1)', 'Zürich', 'a\\b', 'D:20261115032000Z'])
    assert.equal(entry(signature, 'Cert'), undefined)
  })

  test('a text that is too long is cut between two letters', async () => {
    const pdf = await signed(makePdf(), optionsFor('B-B', { name: `x${'𝒜'.repeat(1000)}` }))
    const { signatureFields } = await readForm(await openPdf(pdf))
    const name = entry(signatureFields[0]!.signature!, 'Name')
    assert.equal(name?.kind === 'string' && textOf(name), `x${'𝒜'.repeat(999)}`)
  })

  test('signing pauses between preparing and completing, across JSON', async () => {
    const pdf = makePdf()
    const prepared = await prepareSignature(bufferSource(pdf), authority.signer, {
      field: { name: 'S' },
      time: TEST_TIME,
    })
    const stored = JSON.stringify(storePrepared(prepared))
    assert(stored.length < 100_000)
    const restored = restorePrepared(JSON.parse(stored))
    const signature = await signWith(authority.signer, restored.signedAttributes)
    const result = Buffer.concat([pdf, completeSignature(restored, signature)])
    assert.equal(checkSignatures(result)[0]?.coversWholeFile, true)
  })

  test('a value that another key made, or a timestamp over something else, is not embedded', async () => {
    const prepared = await prepareSignature(bufferSource(makePdf()), authority.signer, {
      field: { name: 'S' },
      time: TEST_TIME,
    })
    const other = await makeTestSigner(authority.issuing, 'ES256')
    const foreign = await signWith(other, prepared.signedAttributes)
    assert.throws(() => completeSignature(prepared, foreign), SignatureMismatch)
    const right = await signWith(authority.signer, prepared.signedAttributes)
    const token = await authority.tsa({ hash: 'sha256', digest: Buffer.alloc(32) })
    assert.throws(() => completeSignature(prepared, right, token), SignatureMismatch)
  })

  test('a space that is too small is an error of its own, and signPdf tries again with more', async () => {
    const options = { field: { name: 'S' }, time: TEST_TIME, reservedBytes: 500 }
    const prepared = await prepareSignature(bufferSource(makePdf()), authority.signer, options)
    const signature = await signWith(authority.signer, prepared.signedAttributes)
    assert.throws(() => completeSignature(prepared, signature), PlaceholderTooSmall)
    const checked = checkSignatures(await signed(makePdf(), optionsFor('B-T', { reservedBytes: 500 })))
    assert.equal(checked.length, 1)
    assert((checked[0]?.paddingBytes as number) > 0)
  })

  test('the first signature can certify, a later one cannot', async () => {
    const pdf = await signed(makePdf(), optionsFor('B-B', { certify: true }))
    assert.equal(await findCertification(await openPdf(pdf)), 2)
    assert.equal(checkSignatures(pdf).length, 1)
    const again = optionsFor('B-B', { certify: true, field: { name: 'Second' } })
    await assert.rejects(signPdf(bufferSource(pdf), again), refusedAs('certified'))
    const second = await signed(pdf, optionsFor('B-B', { field: { name: 'Second' } }))
    assert.equal(checkSignatures(second).length, 2)
  })

  test('a document certified against any change is refused', async () => {
    const perms = '/Perms << /DocMDP << /Reference [<< /TransformMethod /DocMDP /TransformParams << /P 1 >> >>] >> >>'
    await assert.rejects(
      signPdf(bufferSource(makePdf({ catalogEntries: perms })), optionsFor('B-B')),
      refusedAs('certified'),
    )
  })

  test('a lock on the field becomes a FieldMDP reference of the signature', async () => {
    const lock = { action: 'Include', fields: ['Amount'] } as const
    let pdf = makePdf()
    pdf = Buffer.concat([pdf, await createSignatureFields(bufferSource(pdf), [{ name: 'S', lock }])])
    pdf = await signed(pdf, optionsFor('B-B', { field: 'S' }))
    const text = pdf.toString('latin1')
    assert.match(text, /\/Type \/SigFieldLock \/Action \/Include \/Fields \[\(Amount\)\]/)
    assert.match(text, /\/TransformMethod \/FieldMDP \/Data 1 0 R .*\/Action \/Include \/Fields \[\(Amount\)\]/)
  })

  test('a field that an earlier signature has frozen cannot be signed', async () => {
    const names = ['A', 'B', 'C', 'D']
    const frozen = async (lock: Lock) => {
      let pdf = makePdf()
      const fields = names.map((name) => ({ name, ...(name === 'A' && { lock }) }))
      pdf = Buffer.concat([pdf, await createSignatureFields(bufferSource(pdf), fields)])
      pdf = await signed(pdf, optionsFor('B-B', { field: 'A' }))
      const tries = names.slice(1).map((field) => signPdf(bufferSource(pdf), optionsFor('B-B', { field })))
      const outcomes = await Promise.allSettled(tries)
      return outcomes.map((outcome) => (outcome.status === 'rejected' ? refusedAs('field')(outcome.reason) : false))
    }
    assert.deepEqual(await frozen({ action: 'All' }), [true, true, true])
    assert.deepEqual(await frozen({ action: 'Include', fields: ['B'] }), [true, false, false])
    assert.deepEqual(await frozen({ action: 'Exclude', fields: ['B'] }), [false, true, true])
  })

  test('after a final seal nobody can sign, but timestamps can be added', async () => {
    let pdf = makePdf()
    const fields = [{ name: 'Late' }, { name: 'Seal', lock: ALL_BUT_TIMESTAMPS }]
    pdf = Buffer.concat([pdf, await createSignatureFields(bufferSource(pdf), fields)])
    pdf = await signed(pdf, optionsFor('B-T', { field: 'Seal' }))
    await assert.rejects(signPdf(bufferSource(pdf), optionsFor('B-T', { field: 'Late' })), refusedAs('field'))
    await assert.rejects(signPdf(bufferSource(pdf), optionsFor('B-T')), refusedAs('field'))
    const archive = { tsa: authority.tsa, validationData: { certificates: certificates(), ocsps: [], crls: [] } }
    for (let times = 0; times < 2; times++) {
      pdf = Buffer.concat([pdf, await addArchiveTimestamp(bufferSource(pdf), archive)])
    }
    const names = (await readForm(await openPdf(pdf))).signatureFields.map(({ name }) => name)
    assert.deepEqual(names, ['Late', 'Seal', 'Timestamp1', 'Timestamp2'])
    assert(names.slice(2).every((name) => ALL_BUT_TIMESTAMPS.fields.includes(name)))
  })

  test('a linearised document can be signed', { skip: skipWithout('qpdf') }, async () => {
    const pdf = withFile(makePdf({ pages: 5 }), (path) => {
      execFileSync('qpdf', ['--linearize', path, `${path}.out`])
      return readFileSync(`${path}.out`)
    })
    const result = await signed(pdf, optionsFor('B-LTA'))
    assert(result.subarray(0, pdf.length).equals(pdf))
    assert.equal(checkSignatures(result).length, 2)
    assert.equal(qpdfComplaints(result), '')
    assert.equal((await listRevisions(await openPdf(result))).length, 3)
  })

  test('whatever the bytes, what gets signed holds, and the rest is refused with a reason', async () => {
    const bases = [
      makePdf({ pages: 2, fields: [emptySignatureField('Other')] }),
      makePdf({ xref: 'stream', objectStream: true, acroForm: 'indirect' }),
    ]
    const change = fc.record({ at: fc.nat(1_000_000), bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }) })
    const input = fc.record({ base: fc.nat(1), changes: fc.array(change, { minLength: 1, maxLength: 3 }) })
    await fc.assert(
      fc.asyncProperty(input, async ({ base, changes }) => {
        const pdf = Buffer.from(bases[base] as Buffer)
        for (const { at, bytes } of changes) pdf.set(bytes.subarray(0, pdf.length - (at % pdf.length)), at % pdf.length)
        try {
          const result = await signed(pdf, optionsFor('B-LTA'))
          assert(result.subarray(0, pdf.length).equals(pdf))
          assert.equal(checkSignatures(result).length, 2)
        } catch (error) {
          if (!(error instanceof PdfRefused)) throw error
        }
      }),
      { numRuns: 300 },
    )
  })

  test('fields that are missing, taken or badly named are refused', async () => {
    const pdf = await signed(makePdf(), optionsFor('B-B'))
    for (const field of ['Nowhere', 'Signature', { name: 'Signature' }, { name: 'a.b' }, { name: '' }]) {
      await assert.rejects(signPdf(bufferSource(pdf), optionsFor('B-B', { field })), refusedAs('field'))
    }
    await assert.rejects(
      signPdf(bufferSource(pdf), optionsFor('B-B', { field: { name: 'x', page: 9 } })),
      refusedAs('page'),
    )
  })

  test('validation data is only ever added, each item once', async () => {
    let pdf = await signed(makePdf(), optionsFor('B-LTA'))
    const archive = {
      tsa: authority.tsa,
      validationData: { certificates: certificates(), ocsps: [Buffer.from('new')], crls: [] },
    }
    pdf = Buffer.concat([pdf, await addArchiveTimestamp(bufferSource(pdf), archive)])
    const reader = await openPdf(pdf)
    const store = await reader.findDict(await reader.catalog(), 'DSS')
    assert(store)
    const sizes = await Promise.all(
      ['Certs', 'OCSPs', 'CRLs'].map(async (key) => (await reader.findArray(store, key))?.items.length),
    )
    assert.deepEqual(sizes, [4, 1, 1])
    assert.equal(checkSignatures(pdf).length, 3)
  })

  test('a validation store made by others keeps all that it had', async () => {
    const dss = '/DSS << /Certs [100 0 R] /VRI << /ABC << /Cert [100 0 R] >> >> >>'
    const shape = { catalogEntries: dss, extraObjects: ['<< /Length 3 /Filter /LZWDecode >>\nstream\nabc\nendstream'] }
    const pdf = await signed(makePdf(shape), optionsFor('B-LT'))
    const reader = await openPdf(pdf)
    const store = await reader.findDict(await reader.catalog(), 'DSS')
    assert.equal(store && (await reader.findArray(store, 'Certs'))?.items.length, 5)
    assert.equal(store?.entries.has('VRI'), true)
  })

  test('the extension is noted for 1.7 only, beside what is there', async () => {
    const adobe = '/Extensions << /ADBE << /BaseVersion /1.7 /ExtensionLevel 8 >> >>'
    assert.deepEqual(await extensionsAfter({}), ['ESIC'])
    assert.deepEqual(await extensionsAfter({ catalogEntries: adobe }), ['ADBE', 'ESIC'])
    assert.deepEqual(await extensionsAfter({ version: '1.6' }), [])
    assert.deepEqual(await extensionsAfter({ version: '2.0' }), [])
  })
})
