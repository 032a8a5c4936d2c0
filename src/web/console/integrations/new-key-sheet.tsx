import { useState } from 'react'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { FormSheet } from '../parts/form-sheet.tsx'
import { Input } from '../parts/input.tsx'
import { service, type Answer } from '../service.ts'
import { useMe } from '../session.ts'
import { KeyValues } from './key-values.tsx'

export type NewKeySheetProps = { onClose: () => void; onDone: () => Promise<void> }

/** Makes a key for a department, and then shows its two values. */
export function NewKeySheet({ onClose, onDone }: NewKeySheetProps) {
  const me = useMe()
  const { placed } = useDepartments()
  const [name, setName] = useState('')
  const [departmentId, setDepartmentId] = useState(me.departmentId)
  const [created, setCreated] = useState<Answer<'createSubscriptionKey'>>()
  if (created !== undefined) {
    const { primaryKey, secondaryKey } = created
    const values = [
      ['Primary value', primaryKey],
      ['Secondary value', secondaryKey],
    ] as const
    return <KeyValues title={`The key ${created.name}`} values={values} onClose={onClose} />
  }
  return (
    <FormSheet
      title="Create a key"
      action="Create the key"
      onClose={onClose}
      onSubmit={async () => {
        setCreated(await service.createSubscriptionKey({ name: name.trim(), departmentId }))
        await onDone()
      }}
    >
      <Input
        label="Name"
        value={name}
        onChange={setName}
        maxLength={255}
        hint="The program that will use it, so that you know it again."
        isRequired
      />
      <DepartmentChoice
        label="Reaches"
        departments={placed}
        value={departmentId}
        onChange={setDepartmentId}
        hint="This department and everything below it."
      />
    </FormSheet>
  )
}
