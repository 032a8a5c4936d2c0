export {
  readDeliveryMethods,
  readStrength,
  requireStrength,
  type DeliveryMethod,
  type Strength,
} from './authentication.ts'
export { checkDocument, type CheckedDocument, type DocumentRules } from './check-document.ts'
export {
  createRequest,
  isRepeatedCall,
  type NewRequest,
  type NewSignatory,
  type NewSignatureDocument,
} from './create-request.ts'
export { cancelRequestsOfDepartments, hasRequestsInDepartments } from './department-requests.ts'
export { findEntityDepartment, type SigningEntity } from './find-entity.ts'
export { findGap } from './opening-rules.ts'
export { ARCHIVING_STATUSES, setArchivingStatus } from './set-archiving-status.ts'
