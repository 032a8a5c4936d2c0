export { cancelRequestsOfDepartments, hasRequestsInDepartments } from './department-requests.ts'
export { findEntityDepartment, type SigningEntity } from './find-entity.ts'
