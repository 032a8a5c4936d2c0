import { Named, FileName, Optional, Type } from '#platform/http/schema.ts'

export const DocumentPath = Type.Object({
  uri: Type.String({ description: 'The uri of a stored document, as a documentURI names it.' }),
})

export const DocumentQuery = Type.Object({
  base64: Optional(Type.Boolean({ description: 'Answers with the document as Base64.' })),
})

/** The bytes themselves; with base64=true their Base64 text, or an object that holds it. */
export const DocumentBytes = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })

export const Base64Text = Type.String({ contentEncoding: 'base64' })

export const Base64Document = Named('Base64Document', {
  fileName: Type.String(),
  contentType: Type.String(),
  contentBase64: Type.String({ contentEncoding: 'base64' }),
})

export const UploadQuery = Type.Object({ fileName: Optional(FileName()) })

export const UploadBody = Type.Unsafe<Buffer>({
  type: 'string',
  format: 'binary',
  description: 'The document itself, with its own Content-Type, or multipart/form-data with one file.',
})

export const UploadedDocument = Named('StoredDocument', {
  uri: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ description: 'In lower-case hexadecimal.' }),
})
