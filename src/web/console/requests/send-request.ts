// Sends a new request, and tells how far it has come: documents can be large, and lines slow.
import { upload } from '../upload.ts'
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

/** Makes the request; answers with its id. */
export async function sendRequest({ draft, status, idempotencyKey, onProgress, signal }: Sending): Promise<string> {
  onProgress(0)
  const contents = await Promise.all(draft.documents.map(({ file }) => readBase64(file)))
  const body = JSON.stringify(toPayload(draft, status, contents))
  const { id } = await upload<{ id: string }>({
    path: '/onestepsigning/signaturerequest',
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
