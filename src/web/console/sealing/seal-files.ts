// Files become a sealed request: uploaded one after the other, put together, and opened.
import { service } from '../service.ts'
import { upload } from '../upload.ts'

export type Sealing = {
  files: readonly File[]
  subject: string
  externalReference: string
  departmentId: string | undefined
  /** From 0 to 1, by the bytes that have arrived. */
  onProgress: (share: number) => void
}

/** Answers with the id of the request. Should a file be refused, the draft is canceled and nothing is sealed. */
export async function sealFiles({ files, onProgress, ...fields }: Sealing): Promise<string> {
  const total = files.reduce((sum, file) => sum + file.size, 0)
  let arrived = 0
  const uploads: { file: File; uri: string }[] = []
  for (const file of files) {
    const before = arrived
    const { uri } = await upload<{ uri: string }>({
      path: `/storage/document?${new URLSearchParams({ fileName: file.name }).toString()}`,
      body: file,
      contentType: file.type || 'application/pdf',
      onProgress: ({ loaded }) => onProgress((before + loaded) / Math.max(1, total)),
    })
    uploads.push({ file, uri })
    arrived += file.size
  }
  onProgress(1)
  const { id: sealingRequestId } = await service.createSealingRequest({
    subject: fields.subject,
    ...(fields.externalReference && { externalReference: fields.externalReference }),
    ...(fields.departmentId && { departmentId: fields.departmentId }),
  })
  try {
    for (const { file, uri } of uploads) {
      const document = { documentURI: uri, fileName: file.name, title: titleOf(file) }
      await service.addDocumentToSealingRequest({ sealingRequestId, ...document })
    }
    await service.createOrChangeSealingRequest({ sealingRequestId, status: 'Open' })
  } catch (error) {
    await service.createOrChangeSealingRequest({ sealingRequestId, status: 'Canceled' }).catch(() => {})
    throw error
  }
  return sealingRequestId
}

/** The file's name without its ending. */
export function titleOf(file: Pick<File, 'name'>): string {
  return file.name.replace(/\.[^.]+$/, '')
}
