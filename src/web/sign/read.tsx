import { useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { outcomeOf } from './came-back.ts'
import { DocumentView } from './document-view.tsx'
import { Remaining } from './remaining.tsx'
import { sayViewed, type ShownDocument, type SigningRequest } from './signer-api.ts'
import { useReadDocuments } from './use-read-documents.ts'
import { useSheets } from './use-sheets.ts'
import { useWords } from './words.ts'

export type ReadProps = { request: SigningRequest; documents: ShownDocument[]; onChange: () => Promise<void> }

const ZOOMS = [1, 1.25, 1.5, 2, 3] as const

/** Where the documents are read, and where signing and declining start. */
export function Read({ request, documents, onChange }: ReadProps) {
  const { say } = useWords()
  const [sheet, setSheet] = useState<'sign' | 'decline' | undefined>(outcomeOf('signing') ? 'sign' : undefined)
  const [hasChanged, setChanged] = useState(false)
  const [zoomAt, setZoomAt] = useState(0)
  const sheets = useSheets(sheet)
  const { isRead, setRead } = useReadDocuments()
  const tellViewed = useViewed()
  const { shown, renew } = useShown(documents)
  const [pages, setPages] = useState<Readonly<Record<string, number>>>({})
  const close = () => setSheet(undefined)
  const showAgain = async () => {
    close()
    setChanged(true)
    renew()
    await onChange()
  }

  return (
    <div className="reading">
      <div className="reading-top">
        <PageTitle>{request.subject}</PageTitle>
        {hasChanged && <Notice kind="warn">{say('shownAgain')}</Notice>}
        <Zoom at={zoomAt} onChange={setZoomAt} />
      </div>
      <div className="reading-documents">
        {shown.map((document) => (
          <DocumentView
            key={document.url}
            document={document}
            zoom={ZOOMS[zoomAt]!}
            onDrawn={tellViewed}
            onRead={() => setRead(document)}
            onOpen={(count) => setPages((known) => ({ ...known, [document.id]: count }))}
          />
        ))}
      </div>
      <Remaining
        request={request}
        documents={shown}
        isRead={isRead}
        onSign={() => setSheet('sign')}
        onDecline={() => setSheet('decline')}
      />
      {sheets && sheet === 'sign' && (
        <sheets.SignSheet
          request={request}
          documents={shown}
          pages={pages}
          unread={shown.filter((document) => !isRead(document)).length}
          onClose={close}
          onChange={onChange}
          onShownAgain={showAgain}
        />
      )}
      {sheets && sheet === 'decline' && <sheets.DeclineSheet request={request} onClose={close} onDeclined={onChange} />}
    </div>
  )
}

function Zoom({ at, onChange }: { at: number; onChange: (at: number) => void }) {
  const { say } = useWords()
  return (
    <div className="zoom" role="group" aria-label={say('zoom')}>
      <Button icon="zoomOut" onPress={() => onChange(Math.max(0, at - 1))}>
        {say('zoomOut')}
      </Button>
      <Button icon="zoomIn" onPress={() => onChange(Math.min(ZOOMS.length - 1, at + 1))}>
        {say('zoomIn')}
      </Button>
      <output className="small quiet">{Math.round(ZOOMS[at]! * 100)} %</output>
    </div>
  )
}

/** Says once that a document really stands in front of the person. If that gets lost, signing says it as well. */
function useViewed(): () => void {
  const isTold = useRef(false)
  return useCallback(() => {
    if (isTold.current) return
    isTold.current = true
    sayViewed().catch(() => {})
  }, [])
}

/** When somebody else signs meanwhile, what lies under the reader's eyes stays: it is what they are going to confirm. */
function useShown(latest: ShownDocument[]): { shown: ShownDocument[]; renew: () => void } {
  const [shown, setShown] = useState(latest)
  const isOld = useRef(false)
  useEffect(() => {
    if (isOld.current) setShown(latest)
    isOld.current = false
  }, [latest])
  return {
    shown,
    renew: () => {
      isOld.current = true
    },
  }
}
