import { Card } from '../parts/card.tsx'
import { Download } from '../parts/download.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { service } from '../service.ts'
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
  return (
    <Row
      title={title ?? fileName}
      detail={
        <>
          {title !== null && title !== fileName && fileName}
          {levelReached && ` · PAdES ${levelReached}`}
        </>
      }
      state={
        <Download fileName={fileName} load={() => service.downloadStoredDocument({ uri })}>
          Download
          <span className="for-screen-readers"> {title ?? fileName}</span>
        </Download>
      }
    />
  )
}
