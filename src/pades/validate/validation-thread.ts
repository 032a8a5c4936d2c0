// The validator in a thread of its own. It gets bytes and options, and answers with a report; it shares nothing.
import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Memory } from './memory.ts'
import type { ValidationReport } from './report.ts'
import { validatePdf, type ValidationOptions } from './validate-pdf.ts'

export type Question = { id: number; bytes: Uint8Array; options: ValidationOptions }
export type ThreadData = { isBulk: boolean }
export type Answer = { id: number; report?: ValidationReport; problem?: string }

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

parentPort?.on('message', ({ id, bytes, options }: Question) => {
  const { trustAnchors, time, revocation } = options
  const given = {
    trustAnchors: asBuffers(trustAnchors),
    time,
    revocation: { ocsps: asBuffers(revocation?.ocsps), crls: asBuffers(revocation?.crls) },
  }
  validatePdf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), given, memory).then(
    (report) => parentPort?.postMessage({ id, report }, []),
    (error: Error) => parentPort?.postMessage({ id, problem: error.message }, []),
  )
})
// Whoever counts its time begins here: the program is loaded.
parentPort?.postMessage({ id: READY }, [])
