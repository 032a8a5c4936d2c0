// Sends a request, new or changed, and tells how far it has come: documents can be large, and lines slow.
import { upload } from '../upload.ts'
import { toPayload, type Draft } from './draft.ts'

export type Sending = {
  /** The draft that is changed; none for a new request. */
  id: string | undefined
  draft: Draft
  status: 'Draft' | 'Open'
  /** The same over all tries, so that it is done once. */
  idempotencyKey: string
  /** From 0 to 1; undefined once everything is on its way and the service works on it. */
  onProgress: (share: number | undefined) => void
  signal: AbortSignal
}

/** Makes the request, or changes the draft; answers with its id. */
export async function sendRequest(sending: Sending): Promise<string> {
  const { draft, status, idempotencyKey, onProgress, signal } = sending
  onProgress(0)
  const contents = await Promise.all(draft.documents.map(({ file }) => readBase64(file)))
  const body = JSON.stringify(toPayload(draft, status, contents))
  const { id } = await upload<{ id: string }>({
    method: sending.id === undefined ? 'POST' : 'PUT',
    path: ['/onestepsigning/signaturerequest', sending.id].filter(Boolean).join('/'),
    body,
    contentType: 'application/json',
    idempotencyKey,
    onProgress: ({ loaded, total }) => onProgress(loaded < total ? loaded / total : undefined),
    signal,
  })
  return id
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(new Error(`${file.name} could not be read.`)))
    reader.readAsDataURL(file)
  })
}
