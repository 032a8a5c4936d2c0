// Sends a PDF for signature, shows the link, waits until it is signed, and saves the signed file.
// usage: KEY=… node send-and-wait.ts lease.pdf signed.pdf
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@countersign/client'

const [file = 'lease.pdf', signed = 'signed.pdf'] = process.argv.slice(2)
const countersign = connect({ url: process.env.API ?? 'http://127.0.0.1:8080', key: process.env.KEY })

const { id } = await countersign.createSignatureRequest({
  subject: 'Lease for the office',
  status: 'Open',
  deliveryMethods: ['Link'],
  signingAuthenticationStrength: 'None',
  signatories: [{ firstName: 'Ada', lastName: 'Lovelace' }],
  documents: [{ fileName: 'lease.pdf', contentBase64: await readFile(file, 'base64') }],
})

let request = await countersign.readSignatureRequest({ id })
const { url } = await countersign.getSignatoryLink({ id, signatoryId: request.signatories[0]!.id })
console.log(`Request ${id}: ask Ada to open ${url}`)

while (request.status !== 'Closed') {
  if (request.status === 'Canceled' || request.status === 'Error') {
    throw new Error(`It was not signed: ${request.statusReason}`)
  }
  await sleep(2000)
  request = await countersign.readSignatureRequest({ id })
}

const document = await countersign.downloadStoredDocument({ uri: request.documents[0]!.documentURI })
await writeFile(signed, document!.body!)
console.log(`Signed and sealed: ${signed}`)
