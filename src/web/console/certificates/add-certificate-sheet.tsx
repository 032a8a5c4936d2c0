import { useState } from 'react'
import type { CreateSealCertificateBody } from '#client'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { Choice } from '../parts/choice.tsx'
import { FileInput } from '../parts/file-input.tsx'
import { FormSheet } from '../parts/form-sheet.tsx'
import { Input } from '../parts/input.tsx'
import { useToast } from '../parts/toasts.tsx'
import { toBase64 } from '../read-file.ts'
import { service } from '../service.ts'
import { useMe } from '../session.ts'

const SOURCES = [
  ['generate', 'Let the service make one'],
  ['pkcs12', 'Import a PKCS #12 file (.p12, .pfx)'],
  ['pem', 'Import a PEM file with certificate and key'],
] as const

type Source = (typeof SOURCES)[number][0]

export type AddCertificateSheetProps = { onClose: () => void; onDone: () => Promise<void> }

/** A department's own seal: made here, or imported. */
export function AddCertificateSheet({ onClose, onDone }: AddCertificateSheetProps) {
  const me = useMe()
  const say = useToast()
  const { placed, nameOf } = useDepartments()
  const [departmentId, setDepartmentId] = useState(me.departmentId)
  const [source, setSource] = useState<Source>('generate')
  const [file, setFile] = useState<File>()
  const [password, setPassword] = useState('')
  const isImport = source !== 'generate'
  return (
    <FormSheet
      title="Add a seal certificate"
      action={isImport ? 'Import it' : 'Make it'}
      onClose={onClose}
      onSubmit={async () => {
        const content = await readSource(source, file!)
        await service.createSealCertificate({ departmentId, ...content, ...(password && { password }) })
        say('The certificate is being checked. It takes over in a moment.')
        onClose()
        await onDone()
      }}
    >
      <DepartmentChoice
        label="Department"
        departments={placed}
        value={departmentId}
        onChange={setDepartmentId}
        hint={`Takes the place of the seal that ${nameOf(departmentId) ?? 'it'} uses now.`}
      />
      <Choice label="Where it comes from" value={source} options={SOURCES} onChange={setSource} />
      {isImport && (
        <>
          <FileInput
            label={source === 'pem' ? 'PEM file' : 'PKCS #12 file'}
            accept={source === 'pem' ? '.pem,.crt,.key,.txt' : '.p12,.pfx'}
            onChoose={setFile}
            hint="Certificate, chain and private key. The key is encrypted at once; only the worker opens it."
          />
          <Input
            label="Password of the file, if it has one"
            kind="password"
            value={password}
            onChange={setPassword}
            maxLength={1024}
          />
        </>
      )}
    </FormSheet>
  )
}

async function readSource(source: Source, file: File): Promise<CreateSealCertificateBody> {
  if (source === 'generate') return { generate: true }
  return source === 'pem' ? { pem: await file.text() } : { pkcs12: await toBase64(file) }
}
