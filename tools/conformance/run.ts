// `npm run conformance`: signs every kind of document in every way and asks every judge that is installed.
// `npm run conformance -- --folder DIR`: signs the real documents of a folder instead. `--keep DIR` keeps what was made.
import { parseArgs } from 'node:util'
import { judgeOurFiles } from './our-files.ts'
import { judgeRealDocuments } from './real-documents.ts'

const { values } = parseArgs({ options: { folder: { type: 'string' }, keep: { type: 'string' } } })

const { folder, keep } = values
const isGood = folder === undefined ? await judgeOurFiles(keep) : await judgeRealDocuments(folder, keep)
process.exitCode = isGood ? 0 : 1
