// Saves the evidence of a finished request, and its history.
// usage: KEY=… node download-evidence.ts REQUEST-ID evidence.zip history.json
import { writeFile } from 'node:fs/promises'
import { connect } from '@countersign/client'

const [id = '', evidenceFile = 'evidence.zip', historyFile = 'history.json'] = process.argv.slice(2)
const countersign = connect({ url: process.env.API ?? 'http://127.0.0.1:8080', key: process.env.KEY })

const evidence = await countersign.downloadEvidence({ id })
if (evidence === undefined) throw new Error('There is no evidence before the request is Closed.')
await writeFile(evidenceFile, evidence.body!)

const history = await countersign.proveHistory({ signatureRequestId: id })
await writeFile(historyFile, JSON.stringify(history))
console.log(`Saved. Verify the history without any server: npx countersign history verify ${historyFile}`)
