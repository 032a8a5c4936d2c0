// Seals a PDF with the department's certificate, and saves the sealed file.
// usage: KEY=… node seal.ts invoice.pdf sealed.pdf
import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@countersign/client'

const [file = 'invoice.pdf', sealed = 'sealed.pdf'] = process.argv.slice(2)
const countersign = connect({ url: process.env.API ?? 'http://127.0.0.1:8080', key: process.env.KEY })

const content = await openAsBlob(file, { type: 'application/pdf' })
const { uri: documentURI } = await countersign.uploadDocument({ content, fileName: 'invoice.pdf' })
const { id: sealingRequestId } = await countersign.createSealingRequest({ subject: 'Invoice 4711' })
await countersign.addDocumentToSealingRequest({ sealingRequestId, documentURI, fileName: 'invoice.pdf' })
let request = await countersign.createOrChangeSealingRequest({ sealingRequestId, status: 'Open' })

while (request.status !== 'Processed') {
  if (request.status === 'Error') throw new Error(`It could not be sealed: ${request.statusReason}`)
  await sleep(1000)
  request = await countersign.readSealingRequest({ sealingRequestId })
}

const { items } = await countersign.listDocumentsOfSealingRequest({ sealingRequestId })
const document = await countersign.downloadStoredDocument({ uri: items[0]!.documentURI })
await writeFile(sealed, document!.body!)
console.log(`Sealed: ${sealed}`)
