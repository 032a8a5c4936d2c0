import { useState } from 'react'
import type { Answer } from '../service.ts'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { listBelow } from '../departments/department-tree.ts'
import { useDepartments } from '../departments/use-departments.ts'
import { formatCount } from '../format.ts'
import { ConfirmSheet } from '../parts/confirm-sheet.tsx'
import { FormSheet } from '../parts/form-sheet.tsx'
import { Input } from '../parts/input.tsx'
import { useToast } from '../parts/toasts.tsx'
import { navigate } from '../router.tsx'
import { service } from '../service.ts'
import { useMe } from '../session.ts'

export type DepartmentDetails = Answer<'readDepartment'>

type SheetProps = { onClose: () => void; onDone: () => Promise<void> }

/** A new department below another. */
export function NewDepartmentSheet({ onClose, onDone }: SheetProps) {
  const me = useMe()
  const say = useToast()
  const { placed } = useDepartments()
  const [name, setName] = useState('')
  const [parentDepartmentId, setParent] = useState(me.departmentId)
  const [contactEmail, setContactEmail] = useState('')
  return (
    <FormSheet
      title="Add a department"
      action="Add the department"
      onClose={onClose}
      onSubmit={async () => {
        const contact = contactEmail.trim()
        const department = { name: name.trim(), parentDepartmentId, ...(contact && { contactEmail: contact }) }
        await service.createDepartment({ department })
        say(`${department.name} is there.`)
        onClose()
        await onDone()
      }}
    >
      <Input label="Name" value={name} onChange={setName} maxLength={255} isRequired />
      <DepartmentChoice label="Below" departments={placed} value={parentDepartmentId} onChange={setParent} />
      <Input
        label="E-mail address for questions"
        kind="email"
        value={contactEmail}
        onChange={setContactEmail}
        maxLength={254}
      />
    </FormSheet>
  )
}

type OfDepartment = SheetProps & { department: DepartmentDetails }

/** Its name, whom to ask, the numbers that other programs know it by, and how long its requests are kept. */
export function ChangeDepartmentSheet({ department, onClose, onDone }: OfDepartment) {
  const say = useToast()
  const [name, setName] = useState(department.name)
  const [shortName, setShortName] = useState(department.shortName ?? '')
  const [contactEmail, setContactEmail] = useState(department.contactEmail ?? '')
  const [businessId, setBusinessId] = useState(department.businessId ?? '')
  const [externalReference, setReference] = useState(department.externalReference ?? '')
  const [days, setDays] = useState(department.retentionDays?.toString() ?? '')
  return (
    <FormSheet
      title={`Change ${department.name}`}
      action="Save the changes"
      onClose={onClose}
      onSubmit={async () => {
        const contact = contactEmail.trim()
        await service.changeDepartment({
          id: department.id,
          name: name.trim(),
          shortName: shortName.trim(),
          businessId: businessId.trim(),
          externalReference: externalReference.trim(),
          retentionDays: Number(days || 0),
          ...(contact && { contactEmail: contact }),
        })
        say('The changes are saved.')
        onClose()
        await onDone()
      }}
    >
      <Input label="Name" value={name} onChange={setName} maxLength={255} isRequired />
      <div className="fields">
        <Input label="Short name" value={shortName} onChange={setShortName} maxLength={255} />
        <Input
          label="E-mail address for questions"
          kind="email"
          value={contactEmail}
          onChange={setContactEmail}
          maxLength={254}
        />
        <Input label="Business id" value={businessId} onChange={setBusinessId} maxLength={255} />
        <Input label="External reference" value={externalReference} onChange={setReference} maxLength={255} />
      </div>
      <Input
        label="Keep finished requests for how many days"
        kind="number"
        min="0"
        max="36500"
        value={days}
        onChange={setDays}
        maxLength={5}
        hint="Counted from the day on which a request has ended. Afterwards it is erased for good. Empty keeps them."
      />
    </FormSheet>
  )
}

/** Hangs a department, with everything below it, below another. */
export function MoveDepartmentSheet({ department, onClose, onDone }: OfDepartment) {
  const say = useToast()
  const { placed, nameOf } = useDepartments()
  const below = listBelow(placed, department.id)
  const possible = placed.filter(({ id }) => !below.has(id))
  const [parentDepartmentId, setParent] = useState(department.parentDepartmentId ?? '')
  return (
    <FormSheet
      title={`Move ${department.name}`}
      action="Move it"
      onClose={onClose}
      onSubmit={async () => {
        await service.changeDepartment({ id: department.id, parentDepartmentId })
        say(`${department.name} is below ${nameOf(parentDepartmentId) ?? 'its new place'} now.`)
        onClose()
        await onDone()
      }}
    >
      <p>
        Everything below it moves along. Whoever belongs to a department above its old place loses sight of it; whoever
        belongs above its new place sees it from now on.
      </p>
      {possible.length < 2 ? (
        <p className="quiet">There is no other department that it could hang below.</p>
      ) : (
        <DepartmentChoice label="Below" departments={possible} value={parentDepartmentId} onChange={setParent} />
      )}
    </FormSheet>
  )
}

/** The end of a department: what happens, and to how many. */
export function DeleteDepartmentSheet({ department, onClose, onDone }: OfDepartment) {
  const say = useToast()
  const { id, name, contents } = department
  const effects = listEffects(contents)
  return (
    <ConfirmSheet
      title={`Delete ${name}?`}
      action={effects.length > 0 ? 'Delete it with all of this' : 'Delete the department'}
      name={name}
      onClose={onClose}
      onConfirm={async () => {
        await service.deleteDepartment({ id, ForceDelete: effects.length > 0 })
        say(`${name} is deleted.`)
        navigate('/console/people')
        await onDone()
      }}
    >
      {effects.length === 0 ? (
        <p>Nothing is in it. Its name and references are free again afterwards. This can’t be undone.</p>
      ) : (
        <>
          <p>This can’t be undone. With the department go:</p>
          <ul className="effects">
            {effects.map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        </>
      )}
      <p className="quiet">
        Finished requests stay, and are read by whoever reaches the department above. What is being sealed is finished.
      </p>
    </ConfirmSheet>
  )
}

/** What a deletion does to whatever lies inside. */
function listEffects(contents: DepartmentDetails['contents']): string[] {
  const effects: [amount: number, one: string, many: string, happens: [one: string, many: string]][] = [
    [contents.departments, 'department below it', 'departments below it', ['is deleted', 'are deleted']],
    [contents.users, 'user', 'users', ['can’t sign in any more', 'can’t sign in any more']],
    [contents.keys, 'subscription key', 'subscription keys', ['stops working', 'stop working']],
    [
      contents.unfinishedSignatureRequests,
      'unfinished signature request',
      'unfinished signature requests',
      ['is canceled', 'are canceled'],
    ],
    [
      contents.unfinishedSealingRequests,
      'unfinished sealing request',
      'unfinished sealing requests',
      ['is canceled', 'are canceled'],
    ],
    [contents.subscriptions, 'webhook', 'webhooks', ['is disabled', 'are disabled']],
    [contents.templates, 'template', 'templates', ['disappears', 'disappear']],
    [contents.certificates, 'seal certificate', 'seal certificates', ['is revoked', 'are revoked']],
  ]
  return effects
    .filter(([amount]) => amount > 0)
    .map(([amount, one, many, happens]) => `${formatCount(amount, one, many)} ${happens[amount === 1 ? 0 : 1]}`)
}
