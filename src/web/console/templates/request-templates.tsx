import type { RequestTemplate } from '#client'
import { useDepartments } from '../departments/use-departments.ts'
import { formatCount } from '../format.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { Choice } from '../parts/choice.tsx'
import { curl } from '../parts/command-line.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Filters } from '../parts/filters.tsx'
import { LinkButton } from '../parts/link-button.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { Pager, readSkip } from '../parts/pager.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { changeQuery } from '../router.tsx'
import { service } from '../service.ts'
import { useMe } from '../session.ts'
import { useResource } from '../use-resource.ts'
import { KINDS, readPlacements, type Kind } from './request-template-fields.ts'
import { TemplateTabs } from './template-tabs.tsx'

const TAKE = 50

/** What requests are preset with. */
export function RequestTemplates({ query }: PageProps) {
  const { isAdministrator } = useMe()
  const skip = readSkip(query)
  const kind = (query.get('kind') ?? '') as Kind | ''
  const departments = useDepartments()
  const templates = useResource(`request templates ${query.toString()}`, () =>
    service.listRequestTemplates({ skip, take: TAKE, ...(kind && { kind }) }),
  )
  return (
    <Page
      title="Templates"
      lead="A request template fills in what a request leaves out: its words, how people prove who they are, and where signatures show."
      action={isAdministrator && <NewTemplate />}
    >
      <TemplateTabs current="/console/templates/requests" />
      <Filters>
        <Choice
          label="For"
          value={kind}
          options={[['', 'All requests'], ...KINDS]}
          onChange={(value) => changeQuery({ kind: value, skip: undefined })}
        />
      </Filters>
      <Loaded resource={templates}>
        {({ items, total }) =>
          items.length === 0 ? (
            <NoTemplates isFiltered={kind !== ''} />
          ) : (
            <>
              <Rows label="Request templates">
                {items.map((template) => (
                  <TemplateRow
                    key={template.id}
                    template={template}
                    department={departments.nameOf(template.departmentId)}
                  />
                ))}
              </Rows>
              <Pager skip={skip} take={TAKE} total={total} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function NewTemplate() {
  return (
    <LinkButton kind="primary" icon={ICONS.plus} to="/console/templates/requests/new">
      Create a template
    </LinkButton>
  )
}

function TemplateRow({ template, department }: { template: RequestTemplate; department: string | undefined }) {
  const { id, name, kind, fields, modifiedDate } = template
  const placements = readPlacements(fields).length
  const subject = typeof fields['subject'] === 'string' ? `“${fields['subject']}”` : ''
  const marks = placements > 0 ? formatCount(placements, 'visible signature', 'visible signatures') : ''
  return (
    <Row
      to={`/console/templates/requests/${id}`}
      title={name}
      detail={[subject, marks].filter(Boolean).join(' · ')}
      state={
        <StateMark tone="quiet" icon={kind === 'signature' ? ICONS.requests : ICONS.sealing}>
          {kind === 'signature' ? 'Signing' : 'Sealing'}
        </StateMark>
      }
      who={department}
      when={<Moment at={modifiedDate} />}
    />
  )
}

const EXAMPLE = { kind: 'signature', name: 'Lease', fields: { subject: 'Your lease', languageCode: 'en' } }

function NoTemplates({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p className="quiet">There is no template of this kind.</p>
  return (
    <EmptyState
      icon={ICONS.templates}
      title="No request template yet"
      command={curl('/documenttemplating/requesttemplate', { method: 'POST', body: EXAMPLE })}
    >
      Say once what every lease or every order has in common. A request that names the template, by
      signatureRequestTemplateId or sealingRequestTemplateId, then only says what is different.
    </EmptyState>
  )
}
