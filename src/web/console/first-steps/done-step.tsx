import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { saveAs } from '../download.ts'
import { CommandLine, curl } from '../parts/command-line.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { LinkButton } from '../parts/link-button.tsx'
import { Progress } from '../parts/progress.tsx'
import type { ShownRequest } from '../requests/shown-request.ts'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'

export type DoneStepProps = { request: ShownRequest; isClosed: boolean }

/** The sealed file and the evidence, and where to go from here. */
export function DoneStep({ request, isClosed }: DoneStepProps) {
  const { isBusy, error, run } = useAction()
  const [document] = request.documents
  if (!isClosed || document === undefined) return <Progress label="Your organisation’s seal is being put on it" />
  const download = () =>
    run(async () => saveAs(await service.downloadStoredDocument({ uri: document.documentURI }), document.fileName))
  return (
    <>
      <Notice kind="good">
        It carries your signature, a timestamp, your organisation’s seal, and all that proves them for years (PAdES{' '}
        {document.levelReached}).
      </Notice>
      <div className="form-actions">
        <Button kind="primary" icon="download" isBusy={isBusy} onPress={() => void download()}>
          Download the signed document
        </Button>
        <LinkButton to={`/console/requests/${request.id}`}>Everything about it</LinkButton>
        <LinkButton to="/console/requests/new">Send one of your own</LinkButton>
      </div>
      {error && <ErrorNotice error={error} />}
      <CommandLine
        label="The evidence from a program"
        command={`${curl(`/signing/signaturerequest/${request.id}/evidence`)} -o evidence.zip`}
      />
    </>
  )
}
