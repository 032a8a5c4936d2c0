import { Type, Uuid } from '#platform/http/schema.ts'

const LONGEST_EMAIL = 320

export const ErasureBody = Type.Object({
  email: Type.String({ minLength: 3, maxLength: LONGEST_EMAIL, description: 'Of the person, whatever its case.' }),
})

export const ErasureResult = Type.Object({
  erased: Type.Integer({ description: 'How many signatories.' }),
  requestIds: Type.Array(Uuid(), { description: 'The requests in which the person was erased.' }),
  runningRequestIds: Type.Array(Uuid(), {
    description: 'Requests that are still on their way, where nothing was erased. Cancel them first, or wait.',
  }),
})
