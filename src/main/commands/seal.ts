// `countersign seal FILE`: through the service's own API, because the keys of seals live in its worker alone.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Countersign } from '#client'
import { CommandFailure, EXIT, type Command } from '../command-line/command.ts'
import type { Progress } from '../command-line/terminal.ts'
import { onService, reachService, SERVICE_OPTIONS } from '../service-access.ts'

const LOOK_EVERY_MS = 250
const WITHIN_MS = 120_000
/** Sent, asked for, sealed, fetched. */
const SEALING_STEPS = 4

export const seal: Command = {
  purpose: 'seal a PDF with the organisation’s certificate',
  description:
    'Sends a PDF to a running service, has it sealed with the certificate of the key’s department (PAdES B-LTA), and ' +
    'writes the sealed file beside the original. The request stays in the service like any other.',
  positionals: ['FILE'],
  options: {
    ...SERVICE_OPTIONS,
    output: { value: 'FILE', about: 'Where the sealed file goes. Default: NAME-sealed.pdf. Never overwrites.' },
  },
  async run(terminal, given) {
    const path = resolve(given.positionals[0]!)
    const output = resolve(given.text('output') ?? sealedName(path))
    if (existsSync(output))
      throw new CommandFailure(`${output} is there already`, { fix: 'Name another with --output.' })
    const service = await reachService(terminal, given)
    const content = await readFile(path)
    const bar = terminal.progress('Sealing', SEALING_STEPS)
    const { id, sealed } = await onService(service, () =>
      sealFile(service.countersign, { fileName: basename(path), content, bar }),
    )
    bar.done()
    // Made anew: should somebody else have made it meanwhile, it stays theirs.
    await writeFile(output, sealed, { flag: 'wx' })
    terminal.answer({ sealingRequestId: id, output, sizeBytes: sealed.length }, `Sealed: ${output}`)
    return EXIT.good
  },
}

function sealedName(path: string): string {
  const ending = extname(path)
  return `${path.slice(0, path.length - ending.length)}-sealed${ending || '.pdf'}`
}

type FileToSeal = { fileName: string; content: Buffer; bar: Progress }

async function sealFile(countersign: Countersign, { fileName, content, bar }: FileToSeal) {
  const { uri } = await countersign.uploadDocument(
    { content, fileName },
    { headers: { 'content-type': 'application/pdf' } },
  )
  bar.add(1)
  const { id } = await countersign.createSealingRequest({ subject: fileName })
  await countersign.addDocumentToSealingRequest({ sealingRequestId: id, documentURI: uri, fileName })
  await countersign.createOrChangeSealingRequest({ sealingRequestId: id, status: 'Open' })
  bar.add(1)
  await untilProcessed(countersign, id)
  bar.add(1)
  const { items } = await countersign.listDocumentsOfSealingRequest({ sealingRequestId: id })
  const response = await countersign.downloadStoredDocument({ uri: items[0]!.documentURI })
  if (response === undefined) throw new CommandFailure('the sealed document is not there')
  return { id, sealed: Buffer.from(await response.arrayBuffer()) }
}

async function untilProcessed(countersign: Countersign, sealingRequestId: string): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
    const request = await countersign.readSealingRequest({ sealingRequestId })
    if (request?.status === 'Processed') return
    if (request?.status === 'Error') {
      throw new CommandFailure(`it could not be sealed: ${request.statusReason ?? 'for no reason given'}`)
    }
  }
  throw new CommandFailure('it was not sealed in time', { fix: 'See that the worker runs: countersign doctor' })
}
