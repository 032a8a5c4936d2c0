import { ARCHIVING_STATUSES } from '#features/signing/index.ts'
import { Optional, Text, Type, Words } from '#platform/http/schema.ts'

const CODE_LENGTH = 255
const DETAIL_LENGTH = 4000

/** The interface calls this id a text: whatever is not a known id is simply not found. */
export const RequestPath = Type.Object({ id: Type.String({ description: 'Id of the signature request.' }) })

export const ArchivingUpdate = Type.Object({
  status: Words(ARCHIVING_STATUSES),
  error: Optional(
    Type.Object(
      {
        code: Optional(Text(CODE_LENGTH)),
        name: Optional(Text(CODE_LENGTH)),
        detail: Optional(Text(DETAIL_LENGTH)),
      },
      { description: 'Only with ArchivingFailed.' },
    ),
  ),
})
