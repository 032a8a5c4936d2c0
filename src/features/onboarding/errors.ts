// Every way in which departments, users and keys say no.
import { errorKind } from '#platform/errors.ts'

export const referenceTaken = errorKind(
  {
    code: 3500,
    classification: 'UniqueConstraint',
    meaning: 'Another department of the tenant has this external reference.',
  },
  (field: string) => `${field}: another department has this reference already; choose one that is not in use.`,
)

export const emailTaken = errorKind(
  { code: 3501, classification: 'UniqueConstraint', meaning: 'Another user of the tenant has this e-mail address.' },
  (field: string) => `${field}: another user has this e-mail address already; each user needs one of their own.`,
)

export const departmentNotEmpty = errorKind(
  {
    code: 4500,
    classification: 'ReferenceConstraint',
    meaning: 'The department still has users, sub-departments or requests, and ForceDelete was not asked for.',
  },
  (what: string) => `The department still has ${what}. Set ForceDelete to true to delete it with everything in it.`,
)

export const rootStays = errorKind(
  { code: 7500, classification: 'InvalidOperation', meaning: 'The root department can be neither deleted nor moved.' },
  (move: 'deleted' | 'moved') => `This is the root department of the tenant; it cannot be ${move}.`,
)

export const wouldBeCircle = errorKind(
  { code: 7501, classification: 'InvalidOperation', meaning: 'A department can not be moved to a place below itself.' },
  () => 'parentDepartmentId: a department cannot be moved to itself or to a department below it.',
)

export const tooDeep = errorKind(
  { code: 7502, classification: 'InvalidOperation', meaning: 'The tree of departments would have too many levels.' },
  (field: string, levels: number) => `${field}: the tree of departments may have at most ${levels} levels.`,
)

export const lastAdministrator = errorKind(
  {
    code: 7503,
    classification: 'InvalidOperation',
    meaning: 'The root department would be left without an active administrator.',
  },
  () => 'This is the last active administrator of the root department. Make another one first.',
)

export const notYourself = errorKind(
  { code: 7504, classification: 'InvalidOperation', meaning: 'Nobody can deactivate themselves.' },
  () => 'isActive: you cannot deactivate yourself. Ask another administrator.',
)

export const userIsDeactivated = errorKind(
  { code: 7505, classification: 'InvalidOperation', meaning: 'A deactivated user can not be invited.' },
  () => 'This user has been deactivated. Reactivate the user first.',
)
