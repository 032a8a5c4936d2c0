import { errorKind, quote } from '#platform/errors.ts'

export const unknownEntityType = errorKind(
  { code: 1300, classification: 'InvalidArgument', meaning: 'Metadata can’t be attached to this type of entity.' },
  (known: readonly string[]) => `entityType: must be one of ${known.join(', ')}`,
)

export const keyGivenTwice = errorKind(
  { code: 1301, classification: 'InvalidArgument', meaning: 'One body names the same metadata key twice.' },
  (index: number, key: string) => `metadata[${index}].key: ${quote(key)} is given twice; which value is meant?`,
)

export const tooManyKeys = errorKind(
  { code: 1302, classification: 'InvalidArgument', meaning: 'The entity would have more metadata keys than allowed.' },
  (most: number) => `metadata: an entity has at most ${most} keys; remove some with a value of null`,
)
