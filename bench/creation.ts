import { samplePdf } from './sample-pdf.ts'

/** A request as an integrator sends it: two signatories, one PDF. */
export function makeCreation(documentBytes: number): Record<string, unknown> {
  return {
    subject: 'Lease for the office',
    status: 'Open',
    externalReference: 'bench',
    signatories: [
      { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      { firstName: 'Charles', lastName: 'Babbage', email: 'charles@example.com', signatoryGroupSigningOrder: 2 },
    ],
    documents: [{ title: 'Lease', fileName: 'lease.pdf', contentBase64: samplePdf(documentBytes).toString('base64') }],
  }
}

const MARK_BYTES = 12

/** Bodies of such requests, no two with the same document: in life, hardly anything is stored twice. */
export function makeCreationBodies(documentBytes: number): () => Buffer {
  const body = Buffer.from(JSON.stringify(makeCreation(documentBytes)))
  // In the middle of the document's filling, where four characters of Base64 are three bytes of their own.
  const content = body.indexOf('"contentBase64":"') + '"contentBase64":"'.length
  const markAt = content + 4 * Math.floor(documentBytes / 6)
  let count = 0
  return () => {
    const next = Buffer.from(body)
    next.write(Buffer.from(String(count++).padStart(MARK_BYTES, '0')).toString('base64'), markAt, 'latin1')
    return next
  }
}
