import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { ICONS } from '../icons.ts'
import { BackLink } from '../parts/back-link.tsx'
import { ChosenFiles } from '../parts/chosen-files.tsx'
import { DropFiles } from '../parts/drop-files.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'
import { Page } from '../parts/page.tsx'
import { Progress } from '../parts/progress.tsx'
import { navigate } from '../router.tsx'
import { useMe } from '../session.ts'
import { useAction } from '../use-action.ts'
import { sealFiles, titleOf } from './seal-files.ts'

const MOST_FILES = 50

/** Drop files, name them, seal them. */
export function NewSealing() {
  const me = useMe()
  const { placed } = useDepartments()
  const [files, setFiles] = useState<File[]>([])
  const [subject, setSubject] = useState('')
  const [externalReference, setReference] = useState('')
  const [departmentId, setDepartmentId] = useState(me.departmentId)
  const [share, setShare] = useState<number>()
  const { isBusy, error, run } = useAction()

  const add = (more: File[]) => {
    setFiles((before) => [...before, ...more].slice(0, MOST_FILES))
    setSubject((before) => before || titleOf(more[0]!))
  }
  const seal = () =>
    run(async () => {
      const fields = { files, subject: subject.trim(), externalReference: externalReference.trim(), departmentId }
      const id = await sealFiles({ ...fields, onProgress: setShare })
      navigate(`/console/sealing/${id}`)
    })
  return (
    <Page
      title="Seal files"
      lead="Each file gets the seal of the department, a timestamp, and what is needed to check it years later."
      above={<BackLink to="/console/sealing">Sealing</BackLink>}
    >
      <form
        className="form form-narrow"
        onSubmit={(event) => {
          event.preventDefault()
          void seal()
        }}
      >
        <DropFiles
          label={files.length === 0 ? 'Drop PDF files here, or choose them' : 'Add more files'}
          hint={`PDF, up to ${MOST_FILES} files at once.`}
          accept=".pdf,application/pdf"
          onFiles={add}
        />
        <ChosenFiles files={files} onRemove={(file) => setFiles((before) => before.filter((kept) => kept !== file))} />
        {files.length > 0 && (
          <>
            <Input label="Subject" value={subject} onChange={setSubject} maxLength={500} isRequired />
            <Input
              label="Reference"
              value={externalReference}
              onChange={setReference}
              maxLength={255}
              hint="By which other programs of yours know it. You can leave it empty."
            />
            <DepartmentChoice
              label="Seal of"
              departments={placed}
              value={departmentId}
              onChange={setDepartmentId}
              hint="Or of the nearest department above it that has a seal."
            />
            {isBusy && <Progress label="Uploading" share={share} />}
            {error && <ErrorNotice error={error} />}
            <div className="form-actions">
              <Button kind="primary" icon={ICONS.sealing} isBusy={isBusy}>
                {files.length === 1 ? 'Seal one file' : `Seal ${files.length} files`}
              </Button>
            </div>
          </>
        )}
      </form>
    </Page>
  )
}
