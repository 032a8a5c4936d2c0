// Our own validator, which has to agree with the others. Below B-LT it is told what the file does not say: that the
// certificates are good.
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import type { SignedFile } from '../signed-file.ts'
import type { Bundle, Judge } from './judge.ts'

export const ownValidator: Judge = {
  name: 'our own',
  findVersion: () => 'of this tree',
  async judge(bundle) {
    const complaints = new Map<string, string[]>()
    for (const file of bundle.files) complaints.set(file.name, await ownComplaints(file, bundle))
    return complaints
  },
}

async function ownComplaints(file: SignedFile, { root, time, future }: Bundle): Promise<string[]> {
  const complaints = await complaintsAt(file, root, time)
  const isArchived = Object.values(file.levels).every((level) => level === 'B-LTA')
  const later = isArchived ? await complaintsAt(file, root, future) : []
  return [...complaints, ...later.map((complaint) => `later: ${complaint}`)]
}

async function complaintsAt(file: SignedFile, root: Buffer, time: Date): Promise<string[]> {
  const { pdf, levels, proofs } = file
  const isLasting = Object.values(levels).every((level) => level === 'B-LT' || level === 'B-LTA')
  const report = await validatePdf(pdf, { trustAnchors: [root], time, ...(!isLasting && { revocation: proofs }) })
  const isDoubted = report.verdict !== 'valid' && file.hasForeignSignatures !== true
  const complaints = isDoubted
    ? [`the file is ${report.verdict}`, ...report.findings.map(({ message }) => message)]
    : []
  for (const [field, level] of Object.entries(levels)) {
    const found = report.signatures.find(({ fieldName }) => fieldName === field)
    if (found?.indication === 'TOTAL-PASSED' && found.level === level) continue
    const reasons = found?.findings.map(({ message }) => message).join(' ')
    complaints.push(`${field}: ${found?.level} ${found?.indication} instead of ${level}: ${reasons}`)
  }
  return complaints
}
