import { Button } from '../../ui/button.tsx'
import { saveAs } from '../download.ts'
import { Card } from '../parts/card.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'
import type { ShownRequest } from './shown-request.ts'

/** The documents as they are now: each signature grows them, and the seal ends them. */
export function DocumentsCard({ request: { documents } }: { request: ShownRequest }) {
  return (
    <Card title="Documents">
      <Rows label="Documents">
        {documents.map((document) => (
          <DocumentRow key={document.id} document={document} />
        ))}
      </Rows>
    </Card>
  )
}

function DocumentRow({ document }: { document: ShownRequest['documents'][number] }) {
  const { title, fileName, documentURI: uri, levelReached } = document
  const { isBusy, error, run } = useAction()
  const download = () => run(async () => saveAs(await service.downloadStoredDocument({ uri }), fileName))
  return (
    <Row
      title={title ?? fileName}
      detail={
        <>
          {title !== null && title !== fileName && fileName}
          {levelReached && ` · PAdES ${levelReached}`}
          {error && <ErrorNotice error={error} />}
        </>
      }
      state={
        <Button icon="download" isBusy={isBusy} onPress={() => void download()}>
          Download
          <span className="for-screen-readers"> {title ?? fileName}</span>
        </Button>
      }
    />
  )
}
