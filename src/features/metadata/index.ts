export { forgetMetadata } from './forget-metadata.ts'
