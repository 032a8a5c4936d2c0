// What a signature allows to happen after it: DocMDP and FieldMDP (ISO 32000-2, 12.8.2.2 and 12.8.2.4) and the lock of
// its field (12.7.5.5). Adding validation data and timestamps is always allowed; it changes nothing that was signed.
import type { PdfReader } from '../reader.ts'
import { asInteger, dictOf, entry, isName, textOf, type PdfDict } from '../value.ts'
import type { CoveredSignature } from './coverage.ts'
import type { Findings } from './findings.ts'
import type { RevisionView } from './inventory.ts'
import type { StepResult } from './step.ts'

export interface Permissions {
  /** 1 nothing, 2 filling in and signing, 3 annotations too; undefined where the signature does not certify. */
  readonly certified: 1 | 2 | 3 | undefined
  /** What the lock of the signature's field allows after it (/P, new in PDF 2.0). */
  readonly limit: 1 | 2 | 3 | undefined
  /** Fields that must stay as they are. */
  isLocked(fieldName: string): boolean
}

/** Reads what a signature allows. What can't be understood allows nothing. */
export async function readPermissions({ dict, view, number }: CoveredSignature): Promise<Permissions> {
  const { reader } = view
  const references = await reader.findArray(dict, 'Reference')
  const locks: Permissions['isLocked'][] = []
  let certified: Permissions['certified']
  for (const item of references?.items ?? []) {
    const reference = dictOf(await reader.resolve(item))
    const parameters = reference && (await reader.findDict(reference, 'TransformParams'))
    const method = reference && entry(reference, 'TransformMethod')
    if (isName(method, 'DocMDP')) certified = levelOf(parameters && asInteger(await reader.get(parameters, 'P')))
    else if (isName(method, 'FieldMDP')) locks.push(await readLock(reader, parameters))
    else locks.push(() => true)
  }
  const lock = await findFieldLock(view, number)
  if (lock !== undefined) locks.push(await readLock(reader, lock))
  const limit =
    lock === undefined || !lock.entries.has('P') ? undefined : levelOf(asInteger(await reader.get(lock, 'P')))
  return { certified, limit, isLocked: (name) => locks.some((isLocked) => isLocked(name)) }
}

/** Absent means 2 (table 257); what the table does not know is taken for the strictest. */
function levelOf(value: number | undefined): 1 | 2 | 3 {
  if (value === undefined) return 2
  return value === 2 || value === 3 ? value : 1
}

async function findFieldLock(view: RevisionView, signature: number): Promise<PdfDict | undefined> {
  const fields = await view.fields()
  const field = fields.find(({ value }) => value?.kind === 'ref' && value.number === signature)
  return field && view.reader.findDict(field.dict, 'Lock')
}

async function readLock(reader: PdfReader, lock: PdfDict | undefined): Promise<Permissions['isLocked']> {
  const action = lock && (await reader.get(lock, 'Action'))
  if (lock === undefined || action?.kind !== 'name') return () => true
  const names: string[] = []
  for (const item of (await reader.findArray(lock, 'Fields'))?.items ?? []) {
    const name = await reader.resolve(item)
    if (name?.kind === 'string') names.push(textOf(name))
  }
  // A name stands for the field and all fields below it.
  const isNamed = (field: string) => names.some((name) => field === name || field.startsWith(`${name}.`))
  if (action.value === 'Include') return isNamed
  return action.value === 'Exclude' ? (field) => !isNamed(field) : () => true
}

/** What the document as a whole allows when a step happens: the strictest certification before it. */
export interface Certification {
  readonly revision: number
  readonly level: 1 | 2 | 3
}

interface Judgement {
  readonly steps: readonly StepResult[]
  readonly permissions: Permissions
  readonly certifications: readonly Certification[]
}

/** Compares what happened after a signature with what was allowed. */
export function judgeSteps({ steps, permissions, certifications }: Judgement, findings: Findings): void {
  for (const step of steps) {
    for (const problem of step.problems) findings.fail('FORMAT_FAILURE', problem)
    judgeStep(step, permissions, allowedBefore(step, certifications), findings)
  }
}

function allowedBefore(step: StepResult, certifications: readonly Certification[]): number | undefined {
  const levels = certifications.filter(({ revision }) => revision < step.revision).map(({ level }) => level)
  return levels.length === 0 ? undefined : Math.min(...levels)
}

function judgeStep(
  { additions, filledFields, coveringFields }: StepResult,
  permissions: Permissions,
  level: number | undefined,
  findings: Findings,
): void {
  const has = (kind: string) => additions.some((addition) => addition.kind === kind)
  if (
    (level === 1 || permissions.limit === 1) &&
    (has('signature') || has('empty-field') || has('form-filling') || has('metadata'))
  ) {
    findings.fail('FORMAT_FAILURE', 'The document was certified against any change, and was changed.')
  }
  if (has('form-filling') && (level === undefined || level < 2)) {
    findings.fail('FORMAT_FAILURE', 'Fields were filled in after the signature, which nothing allowed.')
  }
  for (const name of filledFields.filter((field) => permissions.isLocked(field))) {
    findings.fail('FORMAT_FAILURE', `The field “${name}” was locked by the signature, and filled in after it.`)
  }
  for (const name of coveringFields) {
    const message = `The field “${name}” lies over a page since the signature was made; it may cover what was signed.`
    if (level === undefined) findings.question('SIG_CONSTRAINTS_FAILURE', message)
    else findings.fail('FORMAT_FAILURE', message)
  }
}
