// pyHanko: strict about what changes after a signature, and able to look at a file as it will be seen in years.
import { fileURLToPath } from 'node:url'
import type { Level } from '#pades/sign.ts'
import {
  parseAnswers,
  UNREADABLE,
  type Answers,
  type PyhankoAnswer,
  type PyhankoSignature,
  type PyhankoTrust,
} from './answers.ts'
import type { SignedFileFacts } from './dss.ts'
import { judgeEach, run, versionOf, type Bundle, type Judge } from './judge.ts'

const SCRIPT = fileURLToPath(new URL('../pyhanko/judge.py', import.meta.url))
const VERSION = 'from importlib.metadata import version; import pyhanko_certvalidator; print(version("pyHanko"))'
const python = () => process.env.PYHANKO ?? 'python3'

export const pyhanko: Judge = {
  name: 'pyHanko',
  findVersion: () => versionOf(python(), ['-c', VERSION]),
  judge(bundle) {
    const { files } = askPyhanko(bundle)
    return judgeEach(bundle, (file) => pyhankoComplaints(file, files[file.name]))
  },
}

/** What pyHanko says about the files, as of the moment and of the future. */
export function askPyhanko({ folder, rootDer, time, future }: Asked): Answers<PyhankoAnswer> {
  return parseAnswers(run(python(), [SCRIPT, folder, rootDer, time.toISOString(), future.toISOString()]))
}

type Asked = Pick<Bundle, 'folder' | 'rootDer' | 'time' | 'future'>

export function pyhankoComplaints(file: SignedFileFacts, answer?: PyhankoAnswer): string[] {
  if (answer === undefined) return ['no answer']
  if ('error' in answer) return [`${UNREADABLE}: ${answer.error}`]
  const { levels, documentTimestamps } = file
  const complaints = Object.entries(levels).flatMap(([field, level]) => {
    const found = answer.signatures.find((signature) => signature.field === field)
    return found === undefined ? [`${field}: not found`] : signatureComplaints(found, level)
  })
  if (file.hasForeignSignatures === true) return complaints
  if (answer.signatures.length !== Object.keys(levels).length) complaints.push('another number of signatures')
  if (answer.timestamps.length !== documentTimestamps) complaints.push('another number of document timestamps')
  for (const timestamp of answer.timestamps) {
    if (!isGood(timestamp)) complaints.push(`${timestamp.field}: not intact, valid and trusted`)
  }
  return complaints
}

const EXPLAINED_CHANGES: ReadonlySet<string | null> = new Set(['NONE', 'LTA_UPDATES', 'FORM_FILLING'])
const WHOLE_REVISIONS: ReadonlySet<string> = new Set(['ENTIRE_FILE', 'ENTIRE_REVISION'])
const PASSED = 'AdESPassed.OK'

function signatureComplaints(signature: PyhankoSignature, level: Level): string[] {
  const { field, isIntact, isValid, timestamp, coverage, modification, doubt, ades, adesInFuture } = signature
  const isArchived = level === 'B-LTA'
  const rules: [holds: boolean, complaint: string][] = [
    [isIntact, 'not intact'],
    [isValid, 'not valid'],
    // Once the certificate has ended, only the validation of long-term signatures can trust it.
    [signature.isAccepted || (isArchived && ades === PASSED), 'not trusted'],
    [WHOLE_REVISIONS.has(coverage), `covers ${coverage}`],
    [EXPLAINED_CHANGES.has(modification), `changed afterwards: ${modification}, ${doubt}`],
    [level === 'B-B' ? timestamp === null : timestamp !== null && isGood(timestamp), 'its timestamp is in doubt'],
    [!isArchived || ades === PASSED, `long-term validation: ${ades}`],
    [!isArchived || adesInFuture === PASSED, `long-term validation in the future: ${adesInFuture}`],
  ]
  return rules.filter(([holds]) => !holds).map(([, complaint]) => `${field}: ${complaint}`)
}

const isGood = ({ isIntact, isValid, isTrusted }: PyhankoTrust) => isIntact && isValid && isTrusted
