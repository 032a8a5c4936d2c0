import { useState } from 'react'
import type { User } from '#client'
import { Button } from '../../ui/button.tsx'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { nameOf } from '../format.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { curl } from '../parts/command-line.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Filters, SearchField } from '../parts/filters.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Pager, readSkip } from '../parts/pager.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { changeQuery } from '../router.tsx'
import { service } from '../service.ts'
import { useMe } from '../session.ts'
import { useResource } from '../use-resource.ts'
import { PeopleTabs } from './people-tabs.tsx'
import { UserMark } from './user-mark.tsx'
import { ActivationSheet, ChangeUserSheet, InvitationSheet, InviteSheet, ResetFactorSheet } from './user-sheets.tsx'

const TAKE = 50

type Shown = { kind: 'invite' } | { kind: 'change' | 'invitation' | 'factor' | 'activation'; user: User }

/** Who can sign in here: invite, change, deactivate. */
export function Users({ query }: PageProps) {
  const skip = readSkip(query)
  const departmentId = query.get('departmentId') ?? ''
  const search = query.get('search') ?? ''
  const departments = useDepartments()
  const users = useResource(`users ${query.toString()}`, () =>
    service.listUsers({ skip, take: TAKE, ...(departmentId && { departmentId }), ...(search && { search }) }),
  )
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  const invite = (
    <Button kind="primary" icon={ICONS.plus} onPress={() => setShown({ kind: 'invite' })}>
      Invite a person
    </Button>
  )
  return (
    <Page
      title="People"
      lead="A user signs in to this console and acts for a department with everything below it. Signatories need no account."
      action={invite}
    >
      <PeopleTabs current="/console/people/users" />
      <Filters>
        <SearchField
          label="Search name or e-mail address"
          value={search}
          onChange={(value) => changeQuery({ search: value, skip: undefined })}
        />
        <DepartmentChoice
          label="Department"
          anyLabel="All departments"
          departments={departments.placed}
          value={departmentId}
          onChange={(value) => changeQuery({ departmentId: value, skip: undefined })}
        />
      </Filters>
      <Loaded resource={users}>
        {({ items, total, totalIsCapped }) =>
          items.length === 0 ? (
            <NoUsers isSearch={search !== ''} />
          ) : (
            <>
              <Rows label="Users">
                {items.map((user) => (
                  <UserRow
                    key={user.id}
                    user={user}
                    department={departments.nameOf(user.departmentId)}
                    onShow={setShown}
                  />
                ))}
              </Rows>
              <Pager skip={skip} take={TAKE} total={total} isCapped={totalIsCapped ?? false} />
            </>
          )
        }
      </Loaded>
      {shown?.kind === 'invite' && <InviteSheet departmentId={departmentId} onClose={close} onDone={users.reload} />}
      {shown?.kind === 'change' && (
        <ChangeUserSheet
          user={shown.user}
          onRemoveFactors={() => setShown({ kind: 'factor', user: shown.user })}
          onClose={close}
          onDone={users.reload}
        />
      )}
      {shown?.kind === 'invitation' && <InvitationSheet user={shown.user} onClose={close} onDone={users.reload} />}
      {shown?.kind === 'factor' && <ResetFactorSheet user={shown.user} onClose={close} onDone={users.reload} />}
      {shown?.kind === 'activation' && <ActivationSheet user={shown.user} onClose={close} onDone={users.reload} />}
    </Page>
  )
}

type UserRowProps = { user: User; department: string | undefined; onShow: (shown: Shown) => void }

function UserRow({ user, department, onShow }: UserRowProps) {
  const me = useMe()
  const name = nameOf(user)
  return (
    <Row
      title={user.id === me.id ? `${name} (you)` : name}
      detail={`${user.email ?? ''} · ${user.role}`}
      state={<UserMark user={user} />}
      who={department}
      actions={
        <>
          <Button icon="pen" onPress={() => onShow({ kind: 'change', user })}>
            Change<span className="for-screen-readers"> {name}</span>
          </Button>
          {user.isActive && (
            <Button icon={ICONS.messages} onPress={() => onShow({ kind: 'invitation', user })}>
              {user.hasPassword ? 'New password' : 'Invite again'}
              <span className="for-screen-readers"> {name}</span>
            </Button>
          )}
          {user.id !== me.id && (
            <Button icon={user.isActive ? 'cross' : 'done'} onPress={() => onShow({ kind: 'activation', user })}>
              {user.isActive ? 'Deactivate' : 'Reactivate'}
              <span className="for-screen-readers"> {name}</span>
            </Button>
          )}
        </>
      }
    />
  )
}

function NoUsers({ isSearch }: { isSearch: boolean }) {
  if (isSearch) return <p className="quiet">Nobody has a name or an e-mail address like this.</p>
  return (
    <EmptyState
      icon={ICONS.people}
      title="Nobody belongs to this department"
      command={curl('/onboarding/department', {
        method: 'POST',
        body: { department: { name: 'Sales', users: [{ email: 'aino@example.com', role: 'administrator' }] } },
      })}
    >
      Invite a person by e-mail: a link lets them choose a password. Administrators manage people, keys and certificates
      of their department; everybody else sends documents and follows them.
    </EmptyState>
  )
}
