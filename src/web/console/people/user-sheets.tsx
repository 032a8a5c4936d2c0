import { useState } from 'react'
import type { Invitation, User } from '#client'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { formatMoment, nameOf } from '../format.ts'
import { Choice } from '../parts/choice.tsx'
import { ConfirmSheet } from '../parts/confirm-sheet.tsx'
import { FormSheet } from '../parts/form-sheet.tsx'
import { Input } from '../parts/input.tsx'
import { Secret } from '../parts/secret.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { useMe } from '../session.ts'

type SheetProps = { onClose: () => void; onDone: () => Promise<void> }
type OfUser = SheetProps & { user: User }

const ROLES = [
  ['user', 'User: sends documents and follows them'],
  ['administrator', 'Administrator: also people, keys, certificates'],
] as const

type Role = (typeof ROLES)[number][0]

const ADMINISTRATORS = ['admin', 'administrator', 'owner']

const roleOf = (role: string): Role => (ADMINISTRATORS.includes(role.trim().toLowerCase()) ? 'administrator' : 'user')

/** Somebody new, who gets an invitation by e-mail. */
export function InviteSheet({ departmentId: chosen, onClose, onDone }: SheetProps & { departmentId: string }) {
  const me = useMe()
  const say = useToast()
  const { placed } = useDepartments()
  const [email, setEmail] = useState('')
  const [firstName, setFirstName] = useState('')
  const [lastName, setLastName] = useState('')
  const [role, setRole] = useState<Role>('user')
  const [departmentId, setDepartmentId] = useState(chosen || me.departmentId)
  return (
    <FormSheet
      title="Invite a person"
      action="Send the invitation"
      onClose={onClose}
      onSubmit={async () => {
        const [first, last] = [firstName.trim(), lastName.trim()]
        const names = { ...(first && { firstName: first }), ...(last && { lastName: last }) }
        await service.createUser({ email: email.trim(), ...names, role, departmentId })
        say(`${email.trim()} is invited.`)
        onClose()
        await onDone()
      }}
    >
      <Input label="E-mail address" kind="email" value={email} onChange={setEmail} maxLength={254} isRequired />
      <div className="fields">
        <Input label="First name" value={firstName} onChange={setFirstName} maxLength={255} />
        <Input label="Last name" value={lastName} onChange={setLastName} maxLength={255} />
      </div>
      <Choice label="Role" value={role} options={ROLES} onChange={setRole} />
      <DepartmentChoice label="Department" departments={placed} value={departmentId} onChange={setDepartmentId} />
    </FormSheet>
  )
}

/** What is known about a person, the role and the department; and what to do for whoever has lost a second factor. */
export function ChangeUserSheet({ user, onRemoveFactors, onClose, onDone }: OfUser & { onRemoveFactors: () => void }) {
  const me = useMe()
  const say = useToast()
  const { placed } = useDepartments()
  const [email, setEmail] = useState(user.email ?? '')
  const [firstName, setFirstName] = useState(user.firstName ?? '')
  const [lastName, setLastName] = useState(user.lastName ?? '')
  const [role, setRole] = useState(roleOf(user.role))
  const [departmentId, setDepartmentId] = useState(user.departmentId)
  return (
    <FormSheet
      title={`Change ${nameOf(user)}`}
      action="Save the changes"
      onClose={onClose}
      onSubmit={async () => {
        const fields = { email: email.trim(), firstName: firstName.trim(), lastName: lastName.trim(), departmentId }
        // A role of another name, such as “Clerk”, stays as it is unless it is really changed.
        const isNewRole = role !== roleOf(user.role)
        await service.changeUser({ id: user.id, ...fields, ...(isNewRole && { role }) })
        say('The changes are saved.')
        onClose()
        await onDone()
      }}
    >
      <Input
        label="E-mail address"
        kind="email"
        value={email}
        onChange={setEmail}
        maxLength={254}
        hint="Also the login."
        isRequired
      />
      <div className="fields">
        <Input label="First name" value={firstName} onChange={setFirstName} maxLength={255} />
        <Input label="Last name" value={lastName} onChange={setLastName} maxLength={255} />
      </div>
      <Choice label="Role" value={role} options={ROLES} onChange={setRole} />
      <DepartmentChoice label="Department" departments={placed} value={departmentId} onChange={setDepartmentId} />
      {user.id !== me.id && user.hasSecondFactor && (
        <p className="small">
          {nameOf(user)} signs in with a second factor.{' '}
          <button type="button" className="text-button" onClick={onRemoveFactors}>
            Remove second factors
          </button>
        </p>
      )}
    </FormSheet>
  )
}

/** A fresh link to set a password: sent by e-mail, and shown for handing over. */
export function InvitationSheet({ user, onClose, onDone }: OfUser) {
  const [invitation, setInvitation] = useState<Invitation>()
  const what = user.hasPassword ? 'A link for a new password' : 'A new invitation'
  if (invitation === undefined) {
    return (
      <FormSheet
        title={`${what} for ${nameOf(user)}`}
        action="Send it"
        onClose={onClose}
        onSubmit={async () => {
          setInvitation(await service.createInvitation({ id: user.id, deliver: true }))
          await onDone()
        }}
      >
        <p>
          It goes to <strong>{user.email}</strong> and works once. A link that was sent before stops working.
        </p>
      </FormSheet>
    )
  }
  return (
    <Sheet title={`${what} is on its way`} closeLabel="Close" onClose={onClose}>
      <Notice kind="good">Sent to {user.email}.</Notice>
      <Secret label="The same link" value={`${window.location.origin}/console/password#${invitation.token}`} />
      <p className="quiet">
        Should no e-mail arrive, hand it over yourself. Whoever has it can set the password. It works once, until{' '}
        {formatMoment(invitation.expiresAt)}.
      </p>
      <div className="sheet-actions">
        <Button kind="primary" onPress={onClose}>
          Done
        </Button>
      </div>
    </Sheet>
  )
}

/** For whoever has lost the phone or the key, and the recovery codes with it. */
export function ResetFactorSheet({ user, onClose, onDone }: OfUser) {
  const say = useToast()
  const name = nameOf(user)
  return (
    <ConfirmSheet
      title={`Remove the second factors of ${name}?`}
      action="Remove them"
      onClose={onClose}
      onConfirm={async () => {
        await service.removeSecondFactorsOfUser({ id: user.id })
        say(`${name} signs in with the password alone now.`)
        await onDone()
      }}
    >
      <p>
        The authenticator app, every passkey and the recovery codes of {name} stop working, and {name} is signed out
        everywhere. From then on the password alone is enough, until {name} adds another factor. Make sure that it is
        really {name} who asks for this.
      </p>
    </ConfirmSheet>
  )
}

/** Whether somebody may sign in. */
export function ActivationSheet({ user, onClose, onDone }: OfUser) {
  const say = useToast()
  const name = nameOf(user)
  const isActive = !user.isActive
  return (
    <ConfirmSheet
      title={isActive ? `Reactivate ${name}?` : `Deactivate ${name}?`}
      action={isActive ? 'Reactivate' : 'Deactivate'}
      onClose={onClose}
      onConfirm={async () => {
        await service.changeUser({ id: user.id, isActive })
        say(isActive ? `${name} can sign in again.` : `${name} can’t sign in any more.`)
        await onDone()
      }}
    >
      {isActive ? (
        <p>{name} can sign in again, with the password from before.</p>
      ) : (
        <p>
          {name} is signed out everywhere and can’t sign in any more. Requests that {name} has sent go on. You can take
          this back.
        </p>
      )}
    </ConfirmSheet>
  )
}
