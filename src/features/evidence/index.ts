export type { EvidenceFacts } from './facts.ts'
export { evidenceJson, writeEvidencePdf } from './evidence-pdf.ts'
export { zipEvidence, type EvidenceZip } from './evidence-zip.ts'
