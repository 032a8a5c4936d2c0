// The sheets above the documents: a chunk of their own, which arrives while people read.
export { DeclineSheet } from './decline-sheet.tsx'
export { SignSheet } from './sign-sheet.tsx'
