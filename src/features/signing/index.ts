export {
  findProvider,
  readDeliveryMethods,
  readStrength,
  requireGateway,
  requireProviders,
  type DeliveryMethod,
  type Gateways,
  type Strength,
} from './authentication.ts'
export { checkDocument, type CheckedDocument, type DocumentRules } from './check-document.ts'
export { createRequest, createRequests, isRepeatedCall } from './create-request.ts'
export type { CreateRequest, NewRequest, NewSignatory, NewSignatureDocument, Opening } from './new-request.ts'
export { changeDraft } from './change-draft.ts'
export { cancelOpenRequests } from './cancel-open-requests.ts'
export { cancelRequestsOfDepartments, hasRequestsInDepartments } from './department-requests.ts'
export { findEntityDepartment, type SigningEntity } from './find-entity.ts'
export { findGap } from './opening-rules.ts'
export { SignatureRequestBody } from './schemas.ts'
export { ARCHIVING_STATUSES, setArchivingStatus } from './set-archiving-status.ts'
export { isSealedFile, readVerifyCode } from './verify-link.ts'
export { confirmSigning } from './flow/confirm-signing.ts'
export { decline } from './flow/decline.ts'
export { expireRequests } from './flow/expire.ts'
export type { Authentication, Mark, ProvenIdentity } from './flow/confirmation-statements.ts'
export type { Flow, FlowPerson } from './flow/flow.ts'
export { nameOf } from './flow/people.ts'
export { findPlaceOf, whoseLink, type Place } from './flow/read-place.ts'
export { remindBeforeExpiry } from './flow/remind.ts'
export { report } from './flow/report.ts'
export { chooseLanguage, recordAuthentication } from './flow/record-person.ts'
export { viewDocuments } from './flow/view-documents.ts'
export { renewLinks } from './renew-links.ts'
export { readReturnUrl } from './return-url.ts'
export { askingFacts, commonFacts, completedFacts, endingFacts } from './flow/message-facts.ts'
export { publishRenewedDocument, publishRenewedEvidence } from './flow/publish-renewed.ts'
export { forgetRequest, listFinishedRequests } from './forget-requests.ts'
export { erasePerson, type Erased } from './erase-person.ts'
export { countSignedFiles, listEvidenceFiles, listSignedFiles, type SignedFile } from './signed-files.ts'
