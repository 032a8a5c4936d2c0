import { Choice } from '../parts/choice.tsx'
import type { PlacedDepartment } from './department-tree.ts'

export type DepartmentChoiceProps = {
  label: string
  departments: readonly PlacedDepartment[]
  value: string
  onChange: (departmentId: string) => void
  /** Stands for no department in particular, as the first choice. */
  anyLabel?: string
  hint?: string
}

const INDENT = '\u2003'

/** One of the departments, in the order of the tree. With a single one there is nothing to choose. */
export function DepartmentChoice({ label, departments, value, onChange, anyLabel, hint }: DepartmentChoiceProps) {
  if (departments.length < 2) return null
  const any = anyLabel === undefined ? [] : ([['', anyLabel]] as const)
  const options = departments.map(({ id, name, depth }) => [id, INDENT.repeat(depth) + name] as const)
  return <Choice label={label} value={value} options={[...any, ...options]} onChange={onChange} hint={hint} />
}
