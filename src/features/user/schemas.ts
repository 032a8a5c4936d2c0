import { Named, Nullable, Type, Uuid } from '#platform/http/schema.ts'

export const UserPath = Type.Object({ id: Uuid('Id of the user.') })

/** departamentId is spelled as the interface spells it. */
export const UserProfile = Named('UserProfile', {
  id: Uuid(),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  departamentId: Uuid(),
  externalReference: Nullable(Type.String()),
})
