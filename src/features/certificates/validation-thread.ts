// The validator in a thread of its own. It gets bytes and options, and answers with a report. Where it is told a path, it
// writes the bytes there too: it has them at hand, and whoever asked is free meanwhile.
import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Memory } from '#pades/validate/memory.ts'
import type { ValidationReport } from '#pades/validate/report.ts'
import { validatePdf, type ValidationOptions } from '#pades/validate/validate-pdf.ts'
import { errorCode } from '#platform/blobs/errors.ts'
import { letGo } from '#platform/let-go.ts'
import { writeBlob, type WrittenBlob } from '#platform/blobs/written-apart.ts'

export type Question = {
  id: number
  bytes: Uint8Array
  options: ValidationOptions
  /** Where the bytes go once they are judged. */
  path?: string | undefined
  /** Of the bytes, where it is known. */
  sha256?: string | undefined
}
export type ThreadData = { isBulk: boolean }
export type Judged = { report: ValidationReport; written?: WrittenBlob | undefined }
/** Whatever went wrong, and the code of the system where it was writing. */
export type Problem = { problem: string; code?: string | undefined }
export type Answer = { id: number } & (Judged | Problem)

/** The id of the first message, which answers no question. */
const READY = -1

/** So much less the scheduler thinks of a thread that nobody waits for. */
const STEP_BACK = 5

if ((workerData as ThreadData | null)?.isBulk) stepBack()

/** Linux schedules threads one by one, and knows them by numbers like those of processes; elsewhere nothing changes. */
function stepBack(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(thread, Math.min(19, getPriority(thread) + STEP_BACK))
  } catch {
    // Then it works at the pace of all others.
  }
}

/** All files come from us, and most of them were made by the same few. */
const memory = new Memory()

/** Buffers arrive from another thread as plain arrays of bytes. */
const asBuffers = (items: readonly Uint8Array[] | undefined) => (items ?? []).map((item) => Buffer.from(item))

async function judge({ bytes, options, path, sha256 }: Question): Promise<Judged> {
  const { trustAnchors, time, revocation } = options
  const given = {
    trustAnchors: asBuffers(trustAnchors),
    time,
    revocation: { ocsps: asBuffers(revocation?.ocsps), crls: asBuffers(revocation?.crls) },
  }
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const report = await validatePdf(file, given, memory)
  const written = path === undefined ? undefined : writeBlob(path, file, sha256)
  letGo(file)
  return { report, written }
}

const answer = (message: Answer): void => parentPort?.postMessage(message, [])

parentPort?.on('message', (question: Question) => {
  const { id } = question
  judge(question).then(
    (judged) => answer({ id, ...judged }),
    (error: Error) => answer({ id, problem: error.message, code: errorCode(error) }),
  )
})
// Whoever counts its time begins here: the program is loaded.
parentPort?.postMessage({ id: READY }, [])
