export {
  findReachableDocument,
  keepDocument,
  useDocument,
  type NewDocument,
  type StoredDocument,
} from './keep-document.ts'
