import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { formatAmount, formatCount, nameOf } from '../format.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Card } from '../parts/card.tsx'
import { Facts } from '../parts/facts.tsx'
import { LinkButton } from '../parts/link-button.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NotFound } from '../parts/not-found.tsx'
import { Page } from '../parts/page.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { Link } from '../router.tsx'
import { service } from '../service.ts'
import { isMissing, useResource } from '../use-resource.ts'
import {
  ChangeDepartmentSheet,
  DeleteDepartmentSheet,
  MoveDepartmentSheet,
  type DepartmentDetails,
} from './department-sheets.tsx'
import { UserMark } from './user-mark.tsx'

type Sheet = 'change' | 'move' | 'delete'

/** One department: its facts, what lies in it, and who belongs to it. */
export function Department({ params }: PageProps) {
  const id = params['id']!
  const departments = useDepartments()
  const department = useResource(`department ${id}`, () => service.readDepartment({ id }))
  const [sheet, setSheet] = useState<Sheet>()
  const close = () => setSheet(undefined)
  const reload = async () => void (await Promise.all([department.reload(), departments.resource.reload()]))
  if (isMissing(department.error)) return <NotFound what="department" />
  const { data } = department
  return (
    <Page
      title={data?.name ?? departments.nameOf(id) ?? 'Department'}
      above={<BackLink to="/console/people">Departments</BackLink>}
      action={
        <Button kind="primary" icon="pen" onPress={() => setSheet('change')}>
          Change
        </Button>
      }
    >
      <Loaded resource={department}>
        {(found) => (
          <div className="columns columns-even">
            <About department={found} onSheet={setSheet} />
            <UsersOf departmentId={id} />
          </div>
        )}
      </Loaded>
      {data && sheet === 'change' && <ChangeDepartmentSheet department={data} onClose={close} onDone={reload} />}
      {data && sheet === 'move' && <MoveDepartmentSheet department={data} onClose={close} onDone={reload} />}
      {data && sheet === 'delete' && (
        <DeleteDepartmentSheet department={data} onClose={close} onDone={departments.resource.reload} />
      )}
    </Page>
  )
}

function About({ department, onSheet }: { department: DepartmentDetails; onSheet: (sheet: Sheet) => void }) {
  const departments = useDepartments()
  const { parentDepartmentId: parent, retentionDays, contents } = department
  const above = parent === null ? undefined : departments.nameOf(parent)
  const isRoot = parent === null
  return (
    <Card title="About it">
      <Facts
        facts={[
          [
            'Below',
            above === undefined ? (
              isRoot ? (
                'The top: everything lies below it'
              ) : null
            ) : (
              <Above id={parent!} name={above} />
            ),
          ],
          ['Short name', department.shortName],
          ['Questions to', department.contactEmail],
          ['Business id', department.businessId],
          ['External reference', department.externalReference],
          [
            'Finished requests are kept',
            retentionDays === null ? 'For good' : `For ${formatCount(retentionDays, 'day', 'days')}`,
          ],
          ['Id', <code key="id">{department.id}</code>],
        ]}
      />
      <h3>In it and below it</h3>
      <Facts
        facts={[
          ['Departments', formatAmount(contents.departments)],
          ['Users', formatAmount(contents.users)],
          ['Subscription keys', formatAmount(contents.keys)],
          [
            'Unfinished requests',
            formatAmount(contents.unfinishedSignatureRequests + contents.unfinishedSealingRequests),
          ],
          ['Webhooks', formatAmount(contents.subscriptions)],
          ['Templates', formatAmount(contents.templates)],
        ]}
      />
      {!isRoot && (
        <div className="actions">
          <Button icon={ICONS.forward} onPress={() => onSheet('move')}>
            Move
          </Button>
          <Button kind="danger" icon={ICONS.remove} onPress={() => onSheet('delete')}>
            Delete
          </Button>
        </div>
      )}
    </Card>
  )
}

function Above({ id, name }: { id: string; name: string }) {
  return <Link to={`/console/people/departments/${id}`}>{name}</Link>
}

const SHOWN = 8

function UsersOf({ departmentId }: { departmentId: string }) {
  const users = useResource(`users of ${departmentId}`, () => service.listUsers({ departmentId, take: SHOWN }))
  const address = `/console/people/users?departmentId=${departmentId}`
  return (
    <Card title="Users" action={<LinkButton to={address}>Manage</LinkButton>}>
      <Loaded resource={users}>
        {({ items, total }) =>
          total === 0 ? (
            <p className="quiet">Nobody belongs to this department itself.</p>
          ) : (
            <>
              {total > SHOWN && (
                <p className="quiet">
                  {formatCount(total, 'user belongs', 'users belong')} to it. These are the newest.
                </p>
              )}
              <Rows label="Users">
                {items.map((user) => (
                  <Row
                    key={user.id}
                    title={nameOf(user)}
                    detail={`${user.email ?? ''} · ${user.role}`}
                    state={<UserMark user={user} />}
                  />
                ))}
              </Rows>
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
