import type { SealingDocument, SealingRequest as Request } from '#client'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useState } from 'react'
import { useDepartments } from '../departments/use-departments.ts'
import { saveAnswer } from '../download.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Card } from '../parts/card.tsx'
import { ConfirmSheet } from '../parts/confirm-sheet.tsx'
import { Download } from '../parts/download.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Facts } from '../parts/facts.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { NotFound } from '../parts/not-found.tsx'
import { Page } from '../parts/page.tsx'
import { Progress } from '../parts/progress.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'
import { isMissing, useResource } from '../use-resource.ts'
import { isMoving, MARKS, nameOfRequest, type Status } from './sealing-words.ts'

const LOOK_AGAIN_MS = 1_000
const SEALED: Status[] = ['Processed', 'Closed', 'Archiving', 'Archived', 'ArchivingFailed']

const isSealed = (status: Status) => SEALED.includes(status)

/** One sealing request: what becomes of it, and its files. */
export function SealingRequest({ params }: PageProps) {
  const sealingRequestId = params['id']!
  const [isWaiting, setWaiting] = useState(false)
  const request = useResource(
    `sealing request ${sealingRequestId}`,
    async () => {
      const [found, documents] = await Promise.all([
        service.readSealingRequest({ sealingRequestId }),
        service.listDocumentsOfSealingRequest({ sealingRequestId }),
      ])
      setWaiting(isMoving(found.status))
      return { ...found, documents: documents.items }
    },
    { everyMs: isWaiting ? LOOK_AGAIN_MS : undefined },
  )
  const [isCanceling, setCanceling] = useState(false)
  const { isBusy, error, run } = useAction()
  if (isMissing(request.error)) return <NotFound what="sealing request" />
  const { data } = request
  const move = async (status: Status) => {
    await service.createOrChangeSealingRequest({ sealingRequestId, status })
    await request.reload()
  }
  const next = data && nextMove(data)
  return (
    <Page
      title={data ? nameOfRequest(data) : 'Sealing request'}
      above={<BackLink to="/console/sealing">Sealing</BackLink>}
      action={
        <>
          {next && (
            <Button kind={next.kind} icon={next.icon} isBusy={isBusy} onPress={() => void run(() => move(next.to))}>
              {next.words}
            </Button>
          )}
          {data && isSealed(data.status) && <DownloadSealed documents={data.documents} />}
        </>
      }
    >
      {error && <ErrorNotice error={error} />}
      <Loaded resource={request}>
        {(found) => (
          <div className="columns">
            <Documents request={found} documents={found.documents} />
            <About request={found} onCancel={() => setCanceling(true)} />
          </div>
        )}
      </Loaded>
      {data && isCanceling && (
        <ConfirmSheet
          title="Cancel this sealing request?"
          action="Cancel it"
          closeLabel="Keep it"
          onClose={() => setCanceling(false)}
          onConfirm={() => move('Canceled')}
        >
          <p>Its {data.documents.length} files are not sealed. They stay as they were given.</p>
        </ConfirmSheet>
      )}
    </Page>
  )
}

/** Where it can go from here. Once it is sealed, people want the files first; closing it can wait. */
function nextMove({ status, documents }: Request & { documents: SealingDocument[] }) {
  if (status === 'Draft' && documents.length > 0)
    return { to: 'Open', words: 'Seal it now', icon: ICONS.sealing, kind: 'primary' } as const
  if (status === 'Error') return { to: 'Open', words: 'Try again', icon: ICONS.again, kind: 'primary' } as const
  if (status === 'Processed') return { to: 'Closed', words: 'Close it', icon: 'done', kind: 'plain' } as const
  return undefined
}

/** All of its sealed files, one after the other. */
function DownloadSealed({ documents }: { documents: SealingDocument[] }) {
  const { isBusy, error, run } = useAction()
  const download = () =>
    run(async () => {
      for (const { documentURI: uri, fileName } of documents)
        await saveAnswer(await service.downloadStoredDocument({ uri }), sealedName(fileName))
    })
  return (
    <>
      <Button kind="primary" icon="download" isBusy={isBusy} onPress={() => void download()}>
        {documents.length === 1 ? 'Download the sealed file' : `Download ${documents.length} sealed files`}
      </Button>
      {error && <ErrorNotice error={error} />}
    </>
  )
}

function About({ request, onCancel }: { request: Request; onCancel: () => void }) {
  const departments = useDepartments()
  const { status, statusReason } = request
  const mark = MARKS[status]
  return (
    <Card
      title="About it"
      action={
        <StateMark tone={mark.tone} icon={mark.icon}>
          {mark.words}
        </StateMark>
      }
    >
      {isMoving(status) && <Progress label="The worker seals it. You can leave this page." />}
      {statusReason !== null && <Notice kind={status === 'Error' ? 'bad' : 'warn'}>{statusReason}</Notice>}
      <Facts
        facts={[
          ['Made', <Moment key="made" at={request.creationDate} />],
          ['Last changed', <Moment key="changed" at={request.modifiedDate} />],
          ['By', request.creatorName],
          ['Department', departments.nameOf(request.departmentId)],
          ['Reference', request.externalReference],
          ['Id', <code key="id">{request.id}</code>],
        ]}
      />
      {(status === 'Draft' || status === 'Open' || status === 'Error') && (
        <div className="actions">
          <Button kind="danger" icon="cross" onPress={onCancel}>
            Cancel it
          </Button>
        </div>
      )}
    </Card>
  )
}

function Documents({ request, documents }: { request: Request; documents: SealingDocument[] }) {
  return (
    <Card title="Files">
      {documents.length === 0 ? (
        <p className="quiet">There is no file in it yet.</p>
      ) : (
        <Rows label="Files">
          {documents.map((document) => (
            <Row
              key={document.id}
              title={document.title ?? document.fileName}
              detail={document.title ? document.fileName : undefined}
              actions={<Downloads document={document} isSealed={isSealed(request.status)} />}
            />
          ))}
        </Rows>
      )}
    </Card>
  )
}

function Downloads({ document, isSealed }: { document: SealingDocument; isSealed: boolean }) {
  const { documentURI, sourceDocumentURI, fileName } = document
  return (
    <>
      {isSealed && (
        <Download fileName={sealedName(fileName)} load={() => service.downloadStoredDocument({ uri: documentURI })}>
          Download sealed<span className="for-screen-readers"> {fileName}</span>
        </Download>
      )}
      <Download
        kind="quiet"
        fileName={fileName}
        load={() => service.downloadStoredDocument({ uri: sourceDocumentURI })}
      >
        Original<span className="for-screen-readers"> of {fileName}</span>
      </Download>
    </>
  )
}

const sealedName = (fileName: string) => fileName.replace(/(\.[^.]+)?$/, (ending) => `-sealed${ending}`)
