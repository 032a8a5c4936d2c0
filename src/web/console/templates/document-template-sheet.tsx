import { useState } from 'react'
import type { DocumentTemplate } from '#client'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { FileInput } from '../parts/file-input.tsx'
import { FormSheet } from '../parts/form-sheet.tsx'
import { Input } from '../parts/input.tsx'
import { LanguageTagChoice } from '../parts/language-choice.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { useMe } from '../session.ts'

export type DocumentTemplateSheetProps = {
  /** The one to change; without it a new one is made. */
  template?: DocumentTemplate
  onClose: () => void
  onDone: () => Promise<void>
}

/** A document template: its file, its name, whose it is. */
export function DocumentTemplateSheet({ template, onClose, onDone }: DocumentTemplateSheetProps) {
  const me = useMe()
  const say = useToast()
  const { placed } = useDepartments()
  const [file, setFile] = useState<File>()
  const [name, setName] = useState(template?.name ?? '')
  const [language, setLanguage] = useState(template?.language ?? '')
  const [departmentId, setDepartmentId] = useState(template?.departmentId ?? me.departmentId)
  const save = async () => {
    const stored = file && (await service.uploadDocument({ content: file, fileName: file.name }))
    const fields = {
      name: name.trim(),
      departmentId,
      ...(language && { language }),
      ...(stored && { templateUri: stored.uri }),
    }
    if (template === undefined) await service.createDocumentTemplate(fields)
    else await service.changeDocumentTemplate({ id: template.id, ...fields })
    say(`${fields.name} is saved.`)
    onClose()
    await onDone()
  }
  return (
    <FormSheet
      title={template === undefined ? 'Add a document' : `Change ${template.name}`}
      action={template === undefined ? 'Add the document' : 'Save the changes'}
      onClose={onClose}
      onSubmit={save}
    >
      <FileInput
        label={template === undefined ? 'File' : 'Another file'}
        isRequired={template === undefined}
        onChoose={(chosen) => {
          setFile(chosen)
          if (chosen) setName((before) => before || chosen.name.replace(/\.[^.]+$/, ''))
        }}
        {...(template !== undefined && { hint: 'Leave it empty to keep the file that is there.' })}
      />
      <Input label="Name" value={name} onChange={setName} maxLength={255} isRequired />
      <LanguageTagChoice label="Language" anyLabel="Not said" value={language} onChange={setLanguage} />
      <DepartmentChoice label="Department" departments={placed} value={departmentId} onChange={setDepartmentId} />
    </FormSheet>
  )
}
