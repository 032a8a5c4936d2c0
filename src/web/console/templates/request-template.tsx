import { useState } from 'react'
import type { RequestTemplate as Template } from '#client'
import { Button } from '../../ui/button.tsx'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Card } from '../parts/card.tsx'
import { Choice } from '../parts/choice.tsx'
import { CommandLine, curl } from '../parts/command-line.tsx'
import { ConfirmSheet } from '../parts/confirm-sheet.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'
import { LanguageTagChoice } from '../parts/language-choice.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NotFound } from '../parts/not-found.tsx'
import { Page } from '../parts/page.tsx'
import { useToast } from '../parts/toasts.tsx'
import { navigate } from '../router.tsx'
import { service } from '../service.ts'
import { useMe } from '../session.ts'
import { useAction } from '../use-action.ts'
import { isMissing, useResource } from '../use-resource.ts'
import { PeopleField } from '../requests/people-field.tsx'
import { Placements } from './placements.tsx'
import {
  DELIVERIES,
  emptyForm,
  KINDS,
  mannerOf,
  readForm,
  STRENGTHS,
  writeFields,
  type TemplateForm,
} from './request-template-fields.ts'

const LIST = '/console/templates/requests'

/** A new request template. */
export function NewRequestTemplate() {
  const me = useMe()
  return <Editor title="A new request template" first={emptyForm(me.departmentId)} template={undefined} />
}

/** A request template that is there. */
export function RequestTemplate({ params }: PageProps) {
  const id = params['id']!
  const template = useResource(`request template ${id}`, () => service.readRequestTemplate({ id }))
  if (isMissing(template.error)) return <NotFound what="template" />
  if (template.data === undefined) {
    return (
      <Page title="Request template" above={<BackLink to={LIST}>Request templates</BackLink>}>
        <Loaded resource={template}>{() => null}</Loaded>
      </Page>
    )
  }
  return <Editor key={id} title={template.data.name} first={readForm(template.data)} template={template.data} />
}

type EditorProps = { title: string; first: TemplateForm; template: Template | undefined }

function Editor({ title, first, template }: EditorProps) {
  const { isAdministrator } = useMe()
  const say = useToast()
  const [form, setForm] = useState(first)
  const [isDeleting, setDeleting] = useState(false)
  const { isBusy, error, run } = useAction()
  const change = (changes: Partial<TemplateForm>) => setForm((before) => ({ ...before, ...changes }))
  const save = () =>
    run(async () => {
      const { kind, departmentId } = form
      const body = { name: form.name.trim(), departmentId, fields: writeFields(form) }
      if (template === undefined) await service.createRequestTemplate({ kind, ...body })
      else await service.changeRequestTemplate({ id: template.id, ...body })
      say(`${body.name} is saved.`)
      navigate(LIST)
    })
  return (
    <Page title={title} above={<BackLink to={LIST}>Request templates</BackLink>}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Words form={form} isNew={template === undefined} onChange={change} />
        {form.kind === 'signature' && <Signing form={form} onChange={change} />}
        {error && <ErrorNotice error={error} />}
        {isAdministrator && (
          <div className="form-actions">
            <Button kind="primary" isBusy={isBusy}>
              {template === undefined ? 'Create the template' : 'Save the changes'}
            </Button>
            {template !== undefined && (
              <Button kind="danger" icon={ICONS.remove} onPress={() => setDeleting(true)}>
                Delete
              </Button>
            )}
          </div>
        )}
      </form>
      {template !== undefined && <Use template={template} />}
      {template !== undefined && isDeleting && (
        <DeleteTemplate template={template} onClose={() => setDeleting(false)} />
      )}
    </Page>
  )
}

type PartProps = { form: TemplateForm; onChange: (changes: Partial<TemplateForm>) => void }

function Words({ form, isNew, onChange }: PartProps & { isNew: boolean }) {
  const { placed } = useDepartments()
  return (
    <Card title="What it presets">
      <div className="fields">
        <Input
          label="Name of the template"
          value={form.name}
          onChange={(name) => onChange({ name })}
          maxLength={255}
          isRequired
        />
        {isNew && <Choice label="For" value={form.kind} options={KINDS} onChange={(kind) => onChange({ kind })} />}
        <DepartmentChoice
          label="Department"
          departments={placed}
          value={form.departmentId}
          onChange={(departmentId) => onChange({ departmentId })}
        />
      </div>
      <div className="fields">
        <Input label="Subject" value={form.subject} onChange={(subject) => onChange({ subject })} maxLength={500} />
        <LanguageTagChoice
          label="Language"
          anyLabel="As the request says"
          value={form.languageCode}
          onChange={(languageCode) => onChange({ languageCode })}
        />
      </div>
    </Card>
  )
}

function Signing({ form, onChange }: PartProps) {
  return (
    <>
      <Card title="How people sign">
        <div className="fields">
          <Choice
            label="Before reading, they prove who they are by"
            value={form.readingAuthenticationStrength}
            options={STRENGTHS}
            onChange={(readingAuthenticationStrength) => onChange({ readingAuthenticationStrength })}
          />
          <Choice
            label="Before signing, by"
            value={form.signingAuthenticationStrength}
            options={STRENGTHS}
            onChange={(signingAuthenticationStrength) => onChange({ signingAuthenticationStrength })}
          />
          <Choice
            label="They are invited"
            value={form.delivery}
            options={DELIVERIES}
            onChange={(delivery) => onChange({ delivery })}
          />
        </div>
      </Card>
      <PeopleField
        people={form.people}
        manner={mannerOf(form)}
        isTemplate
        onChange={(people) => onChange({ people })}
      />
      <Card title="Where signatures show">
        <p className="quiet">
          Without any, signatures are invisible in the document, and the drawn or typed marks stand in the evidence. An
          empty signature field in the document comes before these.
        </p>
        <Placements placements={form.placements} onChange={(placements) => onChange({ placements })} />
      </Card>
    </>
  )
}

function Use({ template }: { template: Template }) {
  const isSigning = template.kind === 'signature'
  const path = isSigning ? '/onestepsigning/signaturerequest' : '/sealing/sealingrequest'
  const body = isSigning ? { signatureRequestTemplateId: template.id } : { sealingRequestTemplateId: template.id }
  return <CommandLine label="Use it from a program" command={curl(path, { method: 'POST', body })} />
}

function DeleteTemplate({ template, onClose }: { template: Template; onClose: () => void }) {
  const say = useToast()
  return (
    <ConfirmSheet
      title={`Delete the template ${template.name}?`}
      action="Delete the template"
      onClose={onClose}
      onConfirm={async () => {
        await service.deleteRequestTemplate({ id: template.id })
        say(`${template.name} is deleted.`)
        navigate(LIST)
      }}
    >
      <p>Programs that name it are refused from now on. Requests that were made from it stay as they are.</p>
    </ConfirmSheet>
  )
}
