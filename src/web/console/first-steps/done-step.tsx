import { Notice } from '../../ui/notice.tsx'
import { CommandLine, curl } from '../parts/command-line.tsx'
import { Download } from '../parts/download.tsx'
import { LinkButton } from '../parts/link-button.tsx'
import { Progress } from '../parts/progress.tsx'
import type { ShownRequest } from '../requests/shown-request.ts'
import { service } from '../service.ts'

export type DoneStepProps = { request: ShownRequest; isClosed: boolean }

/** The sealed file and the evidence, and where to go from here. */
export function DoneStep({ request, isClosed }: DoneStepProps) {
  const [document] = request.documents
  if (!isClosed || document === undefined) return <Progress label="Your organisation’s seal is being put on it" />
  return (
    <>
      <Notice kind="good">
        It carries your signature, a timestamp, your organisation’s seal, and all that proves them for years (PAdES{' '}
        {document.levelReached}).
      </Notice>
      <div className="form-actions">
        <Download
          kind="primary"
          fileName={document.fileName}
          load={() => service.downloadStoredDocument({ uri: document.documentURI })}
        >
          Download the signed document
        </Download>
        <LinkButton to={`/console/requests/${request.id}`}>Everything about it</LinkButton>
        <LinkButton to="/console/requests/new">Send one of your own</LinkButton>
      </div>
      <CommandLine
        label="The evidence from a program"
        command={`${curl(`/signing/signaturerequest/${request.id}/evidence`)} -o evidence.zip`}
      />
    </>
  )
}
