import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments, type Departments } from '../departments/use-departments.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { Choice } from '../parts/choice.tsx'
import { contentOf, curl } from '../parts/command-line.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Filters, SearchField } from '../parts/filters.tsx'
import { LinkButton } from '../parts/link-button.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { Pager, readSkip } from '../parts/pager.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { changeQuery } from '../router.tsx'
import { service, type Answer } from '../service.ts'
import { formatCount } from '../format.ts'
import { useResource } from '../use-resource.ts'
import { describeWaiting, RequestState, STATUS_NAMES } from './request-state.tsx'

const TAKE = 25
const REFRESH_MS = 15_000

type Listing = Answer<'listSignatureRequests'>
type Status = Listing['items'][number]['status']

/** Everything that was sent for signature, newest first. */
export function RequestList({ query }: PageProps) {
  const filter = {
    search: query.get('search') ?? '',
    status: query.get('status') ?? '',
    departmentId: query.get('department') ?? '',
  }
  const skip = readSkip(query)
  const requests = useResource(`requests ${query.toString()}`, () => list(filter, skip), { everyMs: REFRESH_MS })
  const departments = useDepartments()
  const change = (changes: Record<string, string>) => changeQuery({ skip: undefined, ...changes })
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <Page
      title="Signature requests"
      action={
        <LinkButton kind="primary" icon={ICONS.plus} to="/console/requests/new">
          New request
        </LinkButton>
      }
    >
      <Filters>
        <SearchField
          label="Search subject, reference, name or e-mail"
          value={filter.search}
          onChange={(search) => change({ search })}
        />
        <Choice
          label="State"
          value={filter.status}
          options={[['', 'All'], ...STATUS_NAMES]}
          onChange={(status) => change({ status })}
        />
        <DepartmentChoice
          label="Department"
          anyLabel="All"
          departments={departments.placed}
          value={filter.departmentId}
          onChange={(department) => change({ department })}
        />
      </Filters>
      <Loaded resource={requests}>
        {(listing) =>
          listing.items.length === 0 ? (
            <Nothing isFiltered={isFiltered} />
          ) : (
            <>
              <List items={listing.items} departments={departments} />
              <Pager skip={skip} take={TAKE} total={listing.total} isCapped={listing.totalIsCapped ?? false} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function list(filter: { search: string; status: string; departmentId: string }, skip: number): Promise<Listing> {
  const { search, status, departmentId } = filter
  return service.listSignatureRequests({
    skip,
    take: TAKE,
    ...(search && { search }),
    ...(status && { status: status as Status }),
    ...(departmentId && { departmentId }),
  })
}

function List({ items, departments }: { items: Listing['items']; departments: Departments }) {
  return (
    <Rows label="Signature requests">
      {items.map((request) => (
        <Row
          key={request.id}
          to={`/console/requests/${request.id}`}
          title={request.subject}
          detail={[
            formatCount(request.documents.length, 'document', 'documents'),
            formatCount(request.signatories.length, 'person', 'people'),
            departments.placed.length > 1 && departments.nameOf(request.departmentId),
            request.externalReference,
          ]
            .filter(Boolean)
            .join(' · ')}
          state={<RequestState status={request.status} statusReason={request.statusReason} />}
          who={describeWaiting(request)}
          when={<Moment at={request.creationDate} />}
        />
      ))}
    </Rows>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState icon={ICONS.search} title="Nothing found">
        No request matches what you look for. Try fewer words, or another state.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={ICONS.requests}
      title="Nothing has been sent for signature yet"
      command={curl('/onestepsigning/signaturerequest', {
        body: {
          subject: 'Lease for the office',
          status: 'Open',
          signatories: [{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }],
          documents: [{ fileName: 'lease.pdf', contentBase64: contentOf('lease.pdf') }],
        },
      })}
    >
      A request brings documents to people: they read, sign with a certificate of their own, and you get the sealed
      files with evidence that holds without us.
    </EmptyState>
  )
}
