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
