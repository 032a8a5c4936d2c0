// The validator in a thread of its own. It gets bytes and options, and answers with a report; it shares nothing.
import { parentPort } from 'node:worker_threads'
import type { ValidationReport } from './report.ts'
import { validatePdf, type ValidationOptions } from './validate-pdf.ts'

export type Question = { id: number; bytes: Uint8Array; options: ValidationOptions }
export type Answer = { id: number; report?: ValidationReport; problem?: string }

/** The id of the first message, which answers no question. */
const READY = -1

/** Buffers arrive from another thread as plain arrays of bytes. */
const asBuffers = (items: readonly Uint8Array[] | undefined) => (items ?? []).map((item) => Buffer.from(item))

parentPort?.on('message', ({ id, bytes, options }: Question) => {
  const { trustAnchors, time, revocation } = options
  const given = {
    trustAnchors: asBuffers(trustAnchors),
    time,
    revocation: { ocsps: asBuffers(revocation?.ocsps), crls: asBuffers(revocation?.crls) },
  }
  validatePdf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), given).then(
    (report) => parentPort?.postMessage({ id, report }, []),
    (error: Error) => parentPort?.postMessage({ id, problem: error.message }, []),
  )
})
// Whoever counts its time begins here: the program is loaded.
parentPort?.postMessage({ id: READY }, [])
