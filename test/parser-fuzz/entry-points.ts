// Everything that reads bytes of strangers, with files to begin with: those that two other validators have judged, and
// what is inside of them. They are part of the repository, so a seed and a number make the same bytes again.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { checkPdf } from '#pades/intake.ts'
import { openPdf } from '#pades/reader.ts'
import { PdfRefused } from '#pades/refused.ts'
import { bufferSource } from '#pades/source.ts'
import { makePdf } from '#pades/testing/documents.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { parseCertificate, publicKeyOf } from '#pki/certificate.ts'
import { parseSignedData } from '#pki/cms-reader.ts'
import { verifySignedData } from '#pki/cms-verify.ts'
import { parseCrl } from '#pki/crl.ts'
import { integer, sequence } from '#pki/der.ts'
import { PkiError } from '#pki/errors.ts'
import { importPkcs12 } from '#pki/import-key.ts'
import { parseOcspResponse } from '#pki/ocsp.ts'
import {
  buildTimestampRequest,
  parseTimestampRequest,
  parseTimestampResponse,
  parseTimestampToken,
} from '#pki/timestamp.ts'
import { findSignatures } from '../../tools/conformance/embedded-signatures.ts'

export type EntryPoint = {
  name: string
  /** What is spoiled before it is read. */
  files: readonly Buffer[]
  read(bytes: Buffer): unknown
}

const JUDGED = new URL('../fixtures/judged/', import.meta.url)
const TIME = new Date('2026-11-15T12:00:00Z')

/** Whether somebody has said no on purpose. */
export function isRefusal(error: unknown): boolean {
  return error instanceof PdfRefused || error instanceof PkiError
}

export async function makeEntryPoints(): Promise<EntryPoint[]> {
  const judged = readdirSync(JUDGED)
    .filter((name) => name.endsWith('.pdf'))
    .sort()
    .map((name) => readFileSync(new URL(name, JUDGED)))
  const pdfs = [...judged, makePdf({ xref: 'stream', objectStream: true, version: '1.5' }), makePdf({ eol: '\r\n' })]
  const root = readFileSync(new URL('root.cer', JUDGED))
  const cms = judged.flatMap((pdf) => findSignatures(pdf).map((signature) => signature.cms))
  const parsed = cms.map((der) => parseSignedData(der))
  const tokens = parsed.flatMap(({ signer }) => signer.timestampTokens)
  const stored = await Promise.all(judged.map(readStored))
  const certificates = [root, ...parsed.flatMap((data) => data.certificates)]
  const digest = createHash('sha256').digest()
  return [
    { name: 'taking a PDF in', files: pdfs, read: (bytes) => checkPdf(bufferSource(bytes)) },
    {
      name: 'validating a PDF',
      files: pdfs,
      read: (bytes) => validatePdf(bytes, { trustAnchors: [root], time: TIME }),
    },
    { name: 'CMS', files: cms, read: (bytes) => verifySignedData(parseSignedData(bytes), digest) },
    { name: 'a certificate', files: certificates, read: (bytes) => publicKeyOf(parseCertificate(bytes)) },
    { name: 'a timestamp token', files: tokens, read: parseTimestampToken },
    {
      name: 'a timestamp response',
      files: tokens.map((token) => sequence(sequence(integer(0)), token)),
      read: parseTimestampResponse,
    },
    {
      name: 'a timestamp request',
      files: [buildTimestampRequest({ hash: 'sha256', digest, nonce: digest.subarray(0, 8), policy: undefined })],
      read: parseTimestampRequest,
    },
    { name: 'an OCSP response', files: stored.flatMap(({ ocsps }) => ocsps), read: parseOcspResponse },
    { name: 'a list of revocations', files: stored.flatMap(({ crls }) => crls), read: parseCrl },
    // Nobody's key lies in the repository; what is no PKCS #12 must be refused as well.
    { name: 'PKCS #12', files: cms, read: (bytes) => importPkcs12(bytes, { password: 'secret', now: TIME }) },
  ]
}

/** The validation data that a file carries. */
async function readStored(pdf: Buffer): Promise<{ ocsps: Buffer[]; crls: Buffer[] }> {
  const reader = await openPdf(pdf)
  const store = await reader.findDict(await reader.catalog(), 'DSS')
  const items = async (key: string) => {
    const list = store === undefined ? undefined : await reader.findArray(store, key)
    const values = await Promise.all((list?.items ?? []).map((item) => reader.resolve(item)))
    const streams = values.filter((value) => value?.kind === 'stream')
    return Promise.all(streams.map((stream) => reader.streamBytes(stream)))
  }
  return { ocsps: await items('OCSPs'), crls: await items('CRLs') }
}
