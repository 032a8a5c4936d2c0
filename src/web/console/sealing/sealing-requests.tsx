import type { SealingRequest } from '#client'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { Choice } from '../parts/choice.tsx'
import { curl } from '../parts/command-line.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Filters, SearchField } from '../parts/filters.tsx'
import { LinkButton } from '../parts/link-button.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { Pager, readSkip } from '../parts/pager.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { changeQuery } from '../router.tsx'
import { service } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { MARKS, MET, nameOfRequest, type Status } from './sealing-words.ts'

const TAKE = 50
const LOOK_AGAIN_MS = 5_000

/** What was sealed with the organisation's own certificate, without signatories. */
export function SealingRequests({ query }: PageProps) {
  const skip = readSkip(query)
  const status = (query.get('status') ?? '') as Status | ''
  const departmentId = query.get('departmentId') ?? ''
  const externalReference = query.get('reference') ?? ''
  const departments = useDepartments()
  const requests = useResource(
    `sealing ${query.toString()}`,
    () =>
      service.listSealingRequests({
        skip,
        take: TAKE,
        ...(status && { status }),
        ...(departmentId && { departmentId }),
        ...(externalReference && { externalReference }),
      }),
    { everyMs: LOOK_AGAIN_MS },
  )
  const isFiltered = status !== '' || departmentId !== '' || externalReference !== ''
  return (
    <Page
      title="Sealing"
      lead="A seal says that a document comes from your organisation and has not been changed since. Nobody has to sign."
      action={<Seal />}
    >
      <Filters>
        <SearchField
          label="Reference"
          value={externalReference}
          onChange={(value) => changeQuery({ reference: value, skip: undefined })}
        />
        <Choice
          label="State"
          value={status}
          options={[['', 'All'], ...MET.map((value) => [value, MARKS[value].words] as const)]}
          onChange={(value) => changeQuery({ status: value, skip: undefined })}
        />
        <DepartmentChoice
          label="Department"
          anyLabel="All departments"
          departments={departments.placed}
          value={departmentId}
          onChange={(value) => changeQuery({ departmentId: value, skip: undefined })}
        />
      </Filters>
      <Loaded resource={requests}>
        {({ items, total, totalIsCapped }) =>
          items.length === 0 ? (
            <Nothing isFiltered={isFiltered} />
          ) : (
            <>
              <Rows label="Sealing requests">
                {items.map((request) => (
                  <RequestRow
                    key={request.id}
                    request={request}
                    department={departments.nameOf(request.departmentId)}
                  />
                ))}
              </Rows>
              <Pager skip={skip} take={TAKE} total={total} isCapped={totalIsCapped ?? false} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function Seal() {
  return (
    <LinkButton kind="primary" icon={ICONS.upload} to="/console/sealing/new">
      Seal files
    </LinkButton>
  )
}

function RequestRow({ request, department }: { request: SealingRequest; department: string | undefined }) {
  const { id, status, statusReason, externalReference, creatorName, creationDate } = request
  const mark = MARKS[status]
  return (
    <Row
      to={`/console/sealing/${id}`}
      title={nameOfRequest(request)}
      detail={[externalReference, statusReason].filter(Boolean).join(' · ')}
      state={
        <StateMark tone={mark.tone} icon={mark.icon}>
          {mark.words}
        </StateMark>
      }
      who={[creatorName, department].filter(Boolean).join(', ')}
      when={<Moment at={creationDate} />}
    />
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p className="quiet">No sealing request is like that. Choose other filters.</p>
  return (
    <EmptyState
      icon={ICONS.sealing}
      title="Nothing was sealed yet"
      command={curl('/sealing/sealingrequest', { method: 'POST', body: { subject: 'Annual report' } })}
    >
      Invoices, reports, certificates: drop PDF files, and the service seals each with your department’s certificate, a
      timestamp, and all that is needed to check it years later.
    </EmptyState>
  )
}
