import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { appendRevision, makePdf } from '../testing/documents.ts'
import type { ValidationReport } from './report.ts'
import { DAY_MS, makeWorld, YEAR_MS, type World } from './testing/world.ts'

const outcome = ({ verdict, signatures }: ValidationReport) => {
  const [{ indication, subIndication, level } = {}] = signatures
  return [verdict, indication, subIndication, level]
}

describe('trust and time', () => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld()
  })

  const pass = (ms: number) => {
    world.now = new Date(world.now.getTime() + ms)
  }

  test('without any word on revocation, a signature is left undecided', async () => {
    const pdf = await world.sign(makePdf(), { signer: await world.signatory(), level: 'B-B' })
    assert.deepEqual(outcome(await world.validate(pdf)), ['indeterminate', 'INDETERMINATE', 'TRY_LATER', 'B-B'])
  })

  test('a timestamp that can’t be checked offline still makes it B-T, left undecided', async () => {
    const report = await world.validate(await world.sign(makePdf(), { signer: await world.signatory(), level: 'B-T' }))
    assert.equal(report.verdict, 'indeterminate')
    assert.equal(report.signatures[0]?.level, 'B-T')
  })

  test('an authority that nobody trusts', async () => {
    const pdf = await world.sign(makePdf(), { signer: await world.signatory(), level: 'B-T' })
    const other = await makeWorld()
    const report = await other.validate(pdf)
    assert.equal(report.verdict, 'indeterminate')
    assert.equal(report.signatures[0]?.subIndication, 'NO_CERTIFICATE_CHAIN_FOUND')
    assert(report.signatures[0]?.findings.some(({ message }) => message.includes('trusted authority')))
  })

  test('a B-B signature can’t be judged once its certificate has expired', async () => {
    const signer = await world.signatory()
    const pdf = await world.sign(makePdf(), { signer, level: 'B-B' })
    pass(2 * DAY_MS)
    const { ocsps } = await world.validationData(signer)
    const report = await world.validate(pdf, { revocation: { ocsps } })
    assert.deepEqual(outcome(report), ['indeterminate', 'INDETERMINATE', 'OUT_OF_BOUNDS_NO_POE', 'B-B'])
  })

  test('a B-T signature can: its timestamp proves that it was made in time', async () => {
    const signer = await world.signatory()
    const pdf = await world.sign(makePdf(), { signer, level: 'B-T' })
    pass(2 * DAY_MS)
    const { ocsps } = await world.validationData(signer)
    const report = await world.validate(pdf, { revocation: { ocsps } })
    assert.deepEqual(outcome(report), ['valid', 'TOTAL-PASSED', undefined, 'B-T'])
  })

  test('revocation data from before the signature proves nothing', async () => {
    const signer = await world.signatory()
    const stale = await world.validationData(signer)
    pass(60_000)
    const pdf = await world.sign(makePdf(), { signer, validationData: async () => stale })
    const report = await world.validate(pdf)
    assert.equal(report.verdict, 'indeterminate')
    assert.equal(report.signatures[0]?.subIndication, 'REVOCATION_OUT_OF_BOUNDS_NO_POE')
  })

  test('to be told more never makes it worse: a newer answer does not push out one that is proven', async () => {
    const signer = await world.signatory()
    const pdf = await world.sign(makePdf(), { signer })
    pass(2_000)
    const { ocsps } = await world.validationData(signer)
    pass(6 * YEAR_MS)
    assert.equal((await world.validate(pdf)).verdict, 'valid')
    assert.equal((await world.validate(pdf, { revocation: { ocsps } })).verdict, 'valid')
  })

  test('revoked before the signature: failed', async () => {
    const signer = await world.signatory()
    world.revoke(signer, new Date(world.now.getTime() - 1000))
    const report = await world.validate(await world.sign(makePdf(), { signer }))
    assert.deepEqual(outcome(report).slice(0, 3), ['invalid', 'TOTAL-FAILED', 'REVOKED'])
  })

  test('revoked after the signature: it stays valid, and the report says so', async () => {
    const signer = await world.signatory()
    const pdf = await world.sign(makePdf(), { signer })
    world.revoke(signer, new Date(world.now.getTime() + 1000))
    pass(60_000)
    const { ocsps } = await world.validationData(signer)
    const report = await world.validate(pdf, { revocation: { ocsps } })
    assert.equal(report.verdict, 'valid')
    assert(report.signatures[0]?.findings.some(({ message }) => message.includes('after it was used')))
  })

  test('revoked, and nothing proves when it was signed: undecided', async () => {
    const signer = await world.signatory()
    const pdf = await world.sign(makePdf(), { signer, level: 'B-B' })
    world.revoke(signer, new Date(world.now.getTime() + 1000))
    pass(60_000)
    const { ocsps } = await world.validationData(signer)
    const report = await world.validate(pdf, { revocation: { ocsps } })
    assert.deepEqual(outcome(report).slice(0, 3), ['indeterminate', 'INDETERMINATE', 'REVOKED_NO_POE'])
  })

  test('a timestamp from before the certificate began: failed', async () => {
    pass(DAY_MS)
    const signer = await world.signatory()
    pass(-DAY_MS)
    const pdf = await world.sign(makePdf(), { signer })
    pass(DAY_MS)
    const report = await world.validate(pdf)
    assert.deepEqual(outcome(report).slice(0, 3), ['invalid', 'TOTAL-FAILED', 'NOT_YET_VALID'])
  })

  test('a timestamp from the future proves nothing', async () => {
    const signer = await world.signatory()
    const pdf = await world.sign(makePdf(), { signer })
    pass(-60_000)
    assert.notEqual((await world.validate(pdf)).verdict, 'valid')
  })

  test('an archive timestamp that is older than what it covers is out of order', async () => {
    const signer = await world.signatory()
    pass(60_000)
    const signed = await world.sign(makePdf(), { signer, level: 'B-T' })
    const data = await world.validationData(signer)
    pass(-60_000)
    const pdf = await world.archive(signed, data)
    pass(120_000)
    const report = await world.validate(pdf)
    assert.equal(report.verdict, 'indeterminate')
    assert.equal(report.signatures[0]?.subIndication, 'TIMESTAMP_ORDER_FAILURE')
  })

  test('B-LT lasts as long as its responders, B-LTA longer', async () => {
    const signer = await world.signatory()
    const lasting = await world.sign(makePdf(), { signer, level: 'B-LTA' })
    const short = await world.sign(makePdf(), { signer, level: 'B-LT' })
    pass(YEAR_MS)
    assert.deepEqual(outcome(await world.validate(short)), ['valid', 'TOTAL-PASSED', undefined, 'B-LT'])
    pass(5 * YEAR_MS)
    assert.equal((await world.validate(short)).verdict, 'indeterminate')
    assert.deepEqual(outcome(await world.validate(lasting)), ['valid', 'TOTAL-PASSED', undefined, 'B-LTA'])
  })

  test('once the timestamp authority’s certificate has expired, only a renewal in time helps', async () => {
    const pdf = await world.sign(makePdf(), { signer: await world.signatory() })
    pass(9 * YEAR_MS)
    const late = await world.archive(pdf)
    const aboutTheOld = await world.validationData()
    await world.renewTimestampAuthority()
    const renewed = await world.archive(pdf, aboutTheOld, await world.validationData())
    pass(2 * YEAR_MS)
    assert.equal((await world.validate(pdf)).verdict, 'indeterminate')
    // Renewed by the same authority, whose certificate has expired by now as well.
    assert.equal((await world.validate(late)).verdict, 'indeterminate')
    assert.deepEqual(outcome(await world.validate(renewed)), ['valid', 'TOTAL-PASSED', undefined, 'B-LTA'])
  })

  test('RSA with old padding, stamped before its end, is still good after it', async () => {
    const signer = await world.signatory('Anna', 'RS256')
    const [plain, archived] = [
      await world.sign(makePdf(), { signer, level: 'B-B' }),
      await world.sign(makePdf(), { signer }),
    ]
    pass(3 * YEAR_MS)
    assert.equal((await world.validate(archived)).verdict, 'valid')
    const weak = await world.validate(plain)
    assert(weak.signatures[0]?.findings.some(({ message }) => message.includes('2029')))
  })

  test('a certificate for something else than signing documents', async () => {
    const pdf = await world.sign(makePdf(), { signer: world.stamper, level: 'B-T' })
    const { ocsps } = await world.validationData()
    const report = await world.validate(pdf, { revocation: { ocsps } })
    assert.deepEqual(outcome(report).slice(0, 3), ['indeterminate', 'INDETERMINATE', 'CHAIN_CONSTRAINTS_FAILURE'])
  })

  test('a timestamp alone signs nothing', async () => {
    const report = await world.validate(await world.archive(makePdf()))
    assert.equal(report.verdict, 'unsigned')
    assert.equal(report.timestamps[0]?.indication, 'TOTAL-PASSED')
  })

  test('a file without signatures is unsigned, one that hides a signature is not', async () => {
    assert.equal((await world.validate(makePdf())).verdict, 'unsigned')
    const hiding = makePdf({ extraObjects: ['<< /Note (/ByteRange) >>'] })
    assert.equal((await world.validate(hiding)).verdict, 'invalid')
  })

  test('files that can’t be judged are left undecided, with the reason', async () => {
    for (const trailerEntries of ['/XRefStm 9', '/Encrypt << /Filter /Standard >>']) {
      const report = await world.validate(makePdf({ trailerEntries }))
      assert.equal(report.verdict, 'indeterminate')
      assert.equal(report.findings.length, 1)
    }
  })

  test('the report says who, when, what is covered and what was added', async () => {
    const signer = await world.signatory()
    const signed = await world.sign(makePdf(), { signer, level: 'B-T', name: 'Anna' })
    pass(5000)
    const pdf = await world.archive(signed, await world.validationData(signer))
    const report = await world.validate(pdf)
    const [signature] = report.signatures
    assert.equal(report.revisions, 3)
    assert.equal(signature?.subject, 'Anna Müller')
    assert.equal(signature.claimedTime?.getTime(), world.now.getTime() - 5000)
    assert.equal(signature.provenTime?.getTime(), world.now.getTime() - 5000)
    assert.deepEqual(signature.coverage, { kind: 'revision', revision: 2, end: signed.length })
    assert.deepEqual(
      signature.additions.map(({ kind }) => kind),
      ['timestamp', 'validation-data'],
    )
    assert.deepEqual(
      signature.certificates.map(({ subject }) => subject.replace(/,.*/, '')),
      ['CN=Anna Müller', 'O=Test', 'CN=Test root'],
    )
    assert.equal(report.timestamps[0]?.coverage.kind, 'whole-file')
    assert.equal(report.timestamps[0]?.changedAfterwards, 'no')
  })

  test('the same revision written again changes nothing', async () => {
    const signer = await world.signatory()
    const pdf = await world.sign(makePdf(), { signer })
    const id = '/ID [<00112233445566778899aabbccddeeff> <00>]'
    const again = appendRevision(
      pdf,
      { 3: '<< /Producer (countersign tests) /Title (A test) >>' },
      `/Root 1 0 R /Info 3 0 R ${id}`,
    )
    assert.equal((await world.validate(again)).verdict, 'valid')
    assert.notEqual(createHash('sha256').update(again).digest('hex'), createHash('sha256').update(pdf).digest('hex'))
  })

  test('trust anchors that can’t be read are the caller’s mistake', async () => {
    await assert.rejects(world.validate(makePdf(), { trustAnchors: [Buffer.from('x')] }))
  })
})
