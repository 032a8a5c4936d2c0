import { errorKind, quote } from '#platform/errors.ts'

export const requestNotFound = errorKind(
  { code: 2100, classification: 'EntityNotFound', meaning: 'There is no such signature request.' },
  (id: string) => `There is no signature request with the id ${quote(id)}.`,
)

export const idTaken = errorKind(
  {
    code: 3100,
    classification: 'UniqueConstraint',
    meaning: 'A signature request with this id exists already, made by a call with other content.',
  },
  () => 'id: a signature request with this id exists already and was made with other content. Use a new id.',
)

export const wrongStatus = errorKind(
  {
    code: 7100,
    classification: 'InvalidOperation',
    meaning: 'The status of the signature request does not allow this.',
  },
  (status: string, past: string) => `This signature request is ${status}; it cannot be ${past}.`,
)
