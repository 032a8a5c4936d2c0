// Judges one file in a process of its own and prints what that cost: `node judge-file.ts FILE ROOT_CERTIFICATE TIME`.
import { readFileSync } from 'node:fs'
import { makePdf } from '../../testing/documents.ts'
import { validatePdf } from '../validate-pdf.ts'

const [file = '', root = '', time = ''] = process.argv.slice(2)
const options = { trustAnchors: [readFileSync(root)], time: new Date(time) }

// What the code itself needs is not the file's fault.
await validatePdf(makePdf(), options)
const pdf = readFileSync(file)
const before = { cpu: process.cpuUsage(), rssKb: process.resourceUsage().maxRSS }
const { verdict } = await validatePdf(pdf, options)
const { user, system } = process.cpuUsage(before.cpu)
const memoryMb = (process.resourceUsage().maxRSS - before.rssKb) / 1024
console.log(JSON.stringify({ verdict, seconds: (user + system) / 1_000_000, memoryMb }))
