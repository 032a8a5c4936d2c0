import { Take } from '#platform/http/paging.ts'
import { DateTime, Named, Optional, Type, Uuid, Words } from '#platform/http/schema.ts'
import { KINDS } from './renewal-statements.ts'

export const RenewalQuery = Type.Object({
  departmentId: Optional(Uuid('Only files of this department.')),
  from: Optional(DateTime('Only those that are due from this moment on.')),
  take: Take(),
})

export const RenewalList = Type.Object({
  items: Type.Array(
    Named('Renewal', {
      kind: Words(KINDS),
      id: Uuid('The document; of the evidence, its request.'),
      requestId: Uuid(),
      departmentId: Uuid(),
      documentURI: Type.String({ description: 'The newest revision.' }),
      lastsUntil: DateTime('When the certificate behind its newest timestamp ends.'),
      dueAt: DateTime('When it is stamped anew.'),
      renewals: Type.Integer({ description: 'How often it has been renewed.' }),
    }),
  ),
})
