import { useState } from 'react'
import type { DocumentTemplate } from '#client'
import { Button } from '../../ui/button.tsx'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { contentOf, curl } from '../parts/command-line.tsx'
import { ConfirmSheet } from '../parts/confirm-sheet.tsx'
import { Download } from '../parts/download.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Filters } from '../parts/filters.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Pager, readSkip } from '../parts/pager.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { useToast } from '../parts/toasts.tsx'
import { changeQuery } from '../router.tsx'
import { service } from '../service.ts'
import { useMe } from '../session.ts'
import { useResource } from '../use-resource.ts'
import { DocumentTemplateSheet } from './document-template-sheet.tsx'
import { TemplateTabs } from './template-tabs.tsx'

const TAKE = 50

type Shown = { kind: 'add' } | { kind: 'change' | 'delete'; template: DocumentTemplate }

/** Documents that are used again and again. */
export function DocumentTemplates({ query }: PageProps) {
  const { isAdministrator } = useMe()
  const Skip = readSkip(query)
  const DepartmentId = query.get('departmentId') ?? ''
  const departments = useDepartments()
  const templates = useResource(`document templates ${query.toString()}`, () =>
    service.listDocumentTemplates({ Skip, Take: TAKE, ...(DepartmentId && { DepartmentId }) }),
  )
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  const add = isAdministrator && (
    <Button kind="primary" icon={ICONS.upload} onPress={() => setShown({ kind: 'add' })}>
      Add a document
    </Button>
  )
  return (
    <Page
      title="Templates"
      lead="Documents that you send again and again, kept in one place for people and programs."
      action={add}
    >
      <TemplateTabs current="/console/templates" />
      {departments.placed.length > 1 && (
        <Filters>
          <DepartmentChoice
            label="Department"
            anyLabel="All departments"
            departments={departments.placed}
            value={DepartmentId}
            onChange={(value) => changeQuery({ departmentId: value, skip: undefined })}
          />
        </Filters>
      )}
      <Loaded resource={templates}>
        {({ items, total }) =>
          items.length === 0 ? (
            <NoTemplates />
          ) : (
            <>
              <Rows label="Document templates">
                {items.map((template) => (
                  <TemplateRow
                    key={template.id}
                    template={template}
                    department={departments.nameOf(template.departmentId)}
                    onShow={setShown}
                  />
                ))}
              </Rows>
              <Pager skip={Skip} take={TAKE} total={total} />
            </>
          )
        }
      </Loaded>
      {shown?.kind === 'add' && <DocumentTemplateSheet onClose={close} onDone={templates.reload} />}
      {shown?.kind === 'change' && (
        <DocumentTemplateSheet template={shown.template} onClose={close} onDone={templates.reload} />
      )}
      {shown?.kind === 'delete' && (
        <DeleteTemplate template={shown.template} onClose={close} onDone={templates.reload} />
      )}
    </Page>
  )
}

type TemplateRowProps = {
  template: DocumentTemplate
  department: string | undefined
  onShow: (shown: Shown) => void
}

function TemplateRow({ template, department, onShow }: TemplateRowProps) {
  const { isAdministrator } = useMe()
  const { name, language, templateUri } = template
  return (
    <Row
      title={name}
      detail={language === null ? undefined : `Language: ${language}`}
      who={department}
      actions={
        <>
          <Download fileName={name} load={() => service.downloadStoredDocument({ uri: templateUri })}>
            Download<span className="for-screen-readers"> {name}</span>
          </Download>
          {isAdministrator && (
            <>
              <Button icon="pen" onPress={() => onShow({ kind: 'change', template })}>
                Change<span className="for-screen-readers"> {name}</span>
              </Button>
              <Button icon={ICONS.remove} onPress={() => onShow({ kind: 'delete', template })}>
                Delete<span className="for-screen-readers"> {name}</span>
              </Button>
            </>
          )}
        </>
      }
    />
  )
}

type DeleteTemplateProps = { template: DocumentTemplate; onClose: () => void; onDone: () => Promise<void> }

function DeleteTemplate({ template, onClose, onDone }: DeleteTemplateProps) {
  const say = useToast()
  return (
    <ConfirmSheet
      title={`Delete the template ${template.name}?`}
      action="Delete the template"
      onClose={onClose}
      onConfirm={async () => {
        await service.deleteDocumentTemplate({ id: template.id })
        say(`${template.name} is deleted.`)
        await onDone()
      }}
    >
      <p>Nobody finds it any more. Requests that were made from it stay as they are.</p>
    </ConfirmSheet>
  )
}

const ADD = curl('/documenttemplating/template', {
  method: 'POST',
  body: { name: 'Lease', contentBase64: contentOf('lease.pdf') },
})

function NoTemplates() {
  return (
    <EmptyState icon={ICONS.templates} title="No document is kept here yet" command={ADD}>
      A lease, a consent, an order form: put the document here once. Programs find it by name and send it as it stands.
    </EmptyState>
  )
}
