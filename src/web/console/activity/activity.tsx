import type { Activity as ActivityItem } from '#client'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { Choice } from '../parts/choice.tsx'
import { curl } from '../parts/command-line.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Filters } from '../parts/filters.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Older } from '../parts/older.tsx'
import { Page } from '../parts/page.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { changeQuery } from '../router.tsx'
import { service } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { describeDeed, describeDetails, ONE, TARGETS, type TargetType } from './deeds.ts'

const TAKE = 50

/** Who did what: keys, people, departments, certificates, templates, webhooks, sign-ins. */
export function Activity({ query }: PageProps) {
  const targetType = (query.get('targetType') ?? '') as TargetType | ''
  const departmentId = query.get('departmentId') ?? ''
  const before = query.get('before') ?? ''
  const departments = useDepartments()
  const activity = useResource(`activity ${query.toString()}`, () =>
    service.listActivity({
      take: TAKE,
      ...(targetType && { targetType }),
      ...(departmentId && { departmentId }),
      ...(before && { before }),
    }),
  )
  const kinds = Object.entries(TARGETS) as [TargetType, string][]
  return (
    <Page
      title="Activity"
      lead="Who did what, and when. Nobody can change or delete these lines. What happens to a request stands in its own history."
    >
      <Filters>
        <Choice
          label="About"
          value={targetType}
          options={[['', 'Everything'], ...kinds]}
          onChange={(value) => changeQuery({ targetType: value, before: undefined })}
        />
        <DepartmentChoice
          label="Department"
          anyLabel="All departments"
          departments={departments.placed}
          value={departmentId}
          onChange={(value) => changeQuery({ departmentId: value, before: undefined })}
        />
      </Filters>
      <Loaded resource={activity}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing />
          ) : (
            <>
              <Rows label="What was done, newest first">
                {items.map((item) => (
                  <ActivityRow key={item.id} item={item} department={departments.nameOf(item.departmentId)} />
                ))}
              </Rows>
              <Older items={items} take={TAKE} before={before} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function ActivityRow({ item, department }: { item: ActivityItem; department: string | undefined }) {
  const { action, actor, target, details, timestamp, requestId } = item
  const deed = describeDeed(action)
  const facts = [describeDetails(details), department && `in ${department}`].filter(Boolean).join(' · ')
  return (
    <Row
      title={target.name ?? ONE[target.type]}
      detail={
        <>
          {ONE[target.type]}
          {facts && ` · ${facts}`}
          {requestId && actor.kind !== 'commandline' && (
            <span className="wide-only">
              <br />
              Call <code>{requestId}</code>
            </span>
          )}
        </>
      }
      state={
        <StateMark tone={deed.tone} icon={deed.icon}>
          {deed.words}
        </StateMark>
      }
      who={actor.kind === 'key' ? `Key ${actor.name ?? ''}` : (actor.name ?? 'Somebody who is gone')}
      when={<Moment at={timestamp} />}
    />
  )
}

function Nothing() {
  return (
    <EmptyState icon={ICONS.activity} title="Nothing was done here" command={curl('/activity?take=50')}>
      Whoever makes a key, invites a person, moves a department or reads a message of the outbox leaves a line here,
      with the number of the call. Choose other filters, or come back when something has been done.
    </EmptyState>
  )
}
