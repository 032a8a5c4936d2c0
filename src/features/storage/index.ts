export { checkContents, recheckDamaged, type Leisure } from './check-contents.ts'
export { commitContent, type Content } from './commit-content.ts'
export {
  findReachableDocument,
  holdsContent,
  keepDocument,
  useDocument,
  type NewDocument,
  type StoredDocument,
} from './keep-document.ts'
export { purgeOrphanedContent } from './purge-content.ts'
export { purgeUploads, releaseDocuments } from './purge-uploads.ts'
export { keepDocuments, keepDocumentsOfMany, type NewDocuments } from './keep-documents.ts'
export {
  findContents,
  keepContent,
  keepSigned,
  loadContent,
  loadDocument,
  type LoadedDocument,
  type StoredContent,
} from './whole-content.ts'
export { describeDamage, summariseDamage, watchDamage } from './watch-damage.ts'
export { sendDocument, type SendDocument } from './read-document.ts'
