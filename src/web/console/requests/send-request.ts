// Sends a new request, and tells how far it has come: documents can be large, and lines slow.
import { ConnectionError, CountersignError } from '../service.ts'
import { toPayload, type Draft } from './draft.ts'

export type Sending = {
  draft: Draft
  status: 'Draft' | 'Open'
  /** The same over all tries, so that the request is made once. */
  idempotencyKey: string
  /** From 0 to 1; undefined once everything is on its way and the service works on it. */
  onProgress: (share: number | undefined) => void
  signal: AbortSignal
}

/** Makes the request; answers with its id. Only this way of calling tells about progress while sending. */
export async function sendRequest({ draft, status, idempotencyKey, onProgress, signal }: Sending): Promise<string> {
  onProgress(0)
  const contents = await Promise.all(draft.documents.map(({ file }) => readBase64(file)))
  const body = JSON.stringify(toPayload(draft, status, contents))
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    call.open('POST', '/onestepsigning/signaturerequest')
    call.setRequestHeader('content-type', 'application/json')
    call.setRequestHeader('x-countersign-console', '1')
    call.setRequestHeader('idempotency-key', idempotencyKey)
    call.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(loaded < total ? loaded / total : undefined),
    )
    call.addEventListener('error', () => reject(new ConnectionError(1, undefined)))
    call.addEventListener('abort', () => reject(new DOMException('Stopped.', 'AbortError')))
    call.addEventListener('load', () => {
      const answer = readJson(call.responseText)
      if (call.status === 202) resolve(String(answer.id))
      else reject(refusal(call, answer))
    })
    signal.addEventListener('abort', () => call.abort())
    call.send(body)
  })
}

type Answered = { id?: string; code?: number; classification?: string; message?: string | null }

function readJson(text: string): Answered {
  try {
    return JSON.parse(text) as Answered
  } catch {
    return {}
  }
}

function refusal(call: XMLHttpRequest, { code = 0, classification, message = null }: Answered): CountersignError {
  const body = { code, classification: (classification ?? 'InternalError') as 'InternalError', message }
  return new CountersignError(call.status, body, call.getResponseHeader('x-request-id') ?? undefined)
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(new Error(`${file.name} could not be read.`)))
    reader.readAsDataURL(file)
  })
}
