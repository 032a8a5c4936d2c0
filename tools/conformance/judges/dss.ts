// The European Commission's DSS: does it name our levels as we do, and pass what has to pass, today and years on?
import type { Level } from '#pades/sign.ts'
import type { SignedFile } from '../signed-file.ts'
import { parseAnswers, UNREADABLE, type Answers, type DssAnswer, type DssSignature } from './answers.ts'
import { judgeEach, run, versionOf, type Bundle, type Judge } from './judge.ts'

const command = () => (process.env.DSS_JUDGE ?? '').split(/\s+/).filter((word) => word !== '')

export const dss: Judge = {
  name: 'EU DSS',
  findVersion() {
    const [program, ...args] = command()
    return program === undefined ? undefined : versionOf(program, [...args, '--version'])
  },
  judge(bundle) {
    const now = askDss(bundle, bundle.time)
    const later = askDss(bundle, bundle.future)
    return judgeEach(bundle, (file) => [
      ...dssComplaints(file, now.files[file.name]),
      ...dssComplaintsLater(file, later.files[file.name]),
    ])
  },
}

/** What DSS says about the files as of a moment. */
export function askDss({ folder, rootDer }: Pick<Bundle, 'folder' | 'rootDer'>, time: Date): Answers<DssAnswer> {
  const [program = '', ...args] = command()
  return parseAnswers(run(program, [...args, folder, rootDer, time.toISOString()]))
}

/** Levels below B-LT hold no revocation data, so offline nobody can pass them: that, and only that, is excused. */
export function dssComplaints(file: SignedFileFacts, answer?: DssAnswer): string[] {
  if (answer === undefined) return ['no answer']
  if ('error' in answer) return [`${UNREADABLE}: ${answer.error}`]
  const { levels, documentTimestamps } = file
  const complaints = Object.entries(levels).flatMap(([field, level]) => {
    const found = answer.signatures.find((signature) => signature.field === field)
    return found === undefined ? [`${field}: not found`] : signatureComplaints(found, level)
  })
  if (file.hasForeignSignatures === true) return complaints
  if (answer.signatures.length !== Object.keys(levels).length) complaints.push('another number of signatures')
  const stamps = answer.timestamps.filter(({ type }) => type === 'DOCUMENT_TIMESTAMP')
  if (stamps.length !== documentTimestamps) complaints.push('another number of document timestamps')
  for (const { indication, subIndication } of stamps) {
    if (indication !== 'PASSED') complaints.push(`document timestamp: ${indication} ${subIndication}`)
  }
  return complaints
}

export type SignedFileFacts = Pick<SignedFile, 'levels' | 'documentTimestamps' | 'hasForeignSignatures'>

function signatureComplaints({ field, format, indication, ...signature }: DssSignature, level: Level): string[] {
  const complaints: string[] = []
  if (format !== `PAdES-BASELINE-${level.slice(2)}`) complaints.push(`${field}: ${format} instead of ${level}`)
  const isLasting = level === 'B-LT' || level === 'B-LTA'
  const isExcused = !isLasting && isRevocationMissing(signature)
  if (indication !== 'TOTAL_PASSED' && !isExcused) {
    complaints.push(`${field}: ${indication} ${signature.subIndication} ${signature.errors.join(' ')}`)
  }
  return [...complaints, ...signature.warnings.map((warning) => `${field}: ${warning}`)]
}

const isRevocationMissing = ({ subIndication, errors }: Pick<DssSignature, 'subIndication' | 'errors'>) =>
  subIndication === 'CERTIFICATE_CHAIN_GENERAL_FAILURE' &&
  errors.includes('No revocation data found for the certificate!')

function dssComplaintsLater({ levels }: SignedFileFacts, answer?: DssAnswer): string[] {
  // Where it cannot read a file, it has said so about the present.
  if (answer === undefined || 'error' in answer) return []
  return answer.signatures
    .filter(({ field, indication }) => levels[field] === 'B-LTA' && indication !== 'TOTAL_PASSED')
    .map(({ field, indication, subIndication }) => `${field}, later: ${indication} ${subIndication}`)
}
