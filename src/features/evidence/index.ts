export type { EvidenceFacts } from './facts.ts'
export { writeEvidencePdf } from './evidence-pdf.ts'
