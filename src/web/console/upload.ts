// Sends something large, and tells how far it has come. Only this way of calling tells about progress while sending.
import { ConnectionError, CountersignError, noteRefusal } from './service.ts'

export type Upload = {
  method?: 'POST' | 'PUT'
  path: string
  body: string | Blob
  contentType: string
  /** The same over all tries, so that a thing is made once. */
  idempotencyKey?: string
  /** How many of the bytes have gone out. */
  onProgress: (sent: { loaded: number; total: number }) => void
  signal?: AbortSignal
}

type Answered = { code?: number; classification?: string; message?: string | null }

/** Answers with the JSON that came back; a refusal is thrown as the client would. */
export function upload<T extends object>(given: Upload): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    call.open(given.method ?? 'POST', given.path)
    call.setRequestHeader('content-type', given.contentType)
    call.setRequestHeader('x-countersign-console', '1')
    if (given.idempotencyKey) call.setRequestHeader('idempotency-key', given.idempotencyKey)
    call.upload.addEventListener('progress', given.onProgress)
    call.addEventListener('error', () => reject(new ConnectionError(1, undefined)))
    call.addEventListener('abort', () => reject(new DOMException('Stopped.', 'AbortError')))
    call.addEventListener('load', () => {
      const answer = readJson(call.responseText)
      if (call.status >= 200 && call.status < 300) return resolve(answer as T)
      noteRefusal(call.status, answer)
      reject(refusal(call, answer))
    })
    given.signal?.addEventListener('abort', () => call.abort())
    call.send(given.body)
  })
}

function readJson(text: string): object {
  try {
    return JSON.parse(text) as object
  } catch {
    return {}
  }
}

function refusal(call: XMLHttpRequest, { code = 0, classification, message = null }: Answered): CountersignError {
  const body = { code, classification: (classification ?? 'InternalError') as 'InternalError', message }
  return new CountersignError(call.status, body, call.getResponseHeader('x-request-id') ?? undefined)
}
