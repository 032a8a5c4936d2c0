import { useEffect, useRef, useState, type RefObject } from 'react'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageView } from './page-view.tsx'
import { downloadAddress, type ShownDocument } from './signer-api.ts'
import { useInSight } from './use-in-sight.ts'
import { usePdf, type ShownPdf } from './use-pdf.ts'
import { useWords } from './words.ts'

/** What lies behind the bar at the bottom of a phone has not been seen. */
const ABOVE_THE_BAR = '0px 0px -80px 0px'

export type DocumentViewProps = {
  document: ShownDocument
  zoom: number
  onDrawn: () => void
  onRead: () => void
  onOpen: (pages: number) => void
}

/** One document: its title, where in it the reader is, and its pages. */
export function DocumentView({ document, zoom, onDrawn, onRead, onOpen }: DocumentViewProps) {
  const { say } = useWords()
  const { shown, again } = usePdf(document.url)
  const [page, setPage] = useState(1)
  const title = titleOf(document)
  const pages = shown.kind === 'open' ? shown.paper.pages : undefined
  useEffect(() => {
    if (pages !== undefined) onOpen(pages)
  }, [pages])
  return (
    <div className="document" id={document.id} tabIndex={-1}>
      <div className="document-top">
        <h2>{title}</h2>
        {pages !== undefined && <span className="quiet small">{say('pageOf', { page, pages })}</span>}
        <ButtonLink
          icon="download"
          href={downloadAddress(document)}
          isDownload
          label={say('downloadDocument', { title })}
          onFollow={onRead}
        >
          {say('download')}
        </ButtonLink>
      </div>
      <Pages shown={shown} zoom={zoom} title={title} onPage={setPage} onDrawn={onDrawn} onRead={onRead} again={again} />
    </div>
  )
}

type PagesProps = {
  shown: ShownPdf
  zoom: number
  title: string
  onPage: (page: number) => void
  onDrawn: () => void
  onRead: () => void
  again: () => void
}

function Pages({ shown, zoom, title, onPage, onDrawn, onRead, again }: PagesProps) {
  const { say } = useWords()
  const desk = useRef<HTMLDivElement>(null)
  const width = useWidth(desk)
  const numbers = shown.kind === 'open' ? Array.from({ length: shown.paper.pages }, (_, at) => at + 1) : []
  return (
    <>
      <div ref={desk} className="desk" role="group" aria-label={title} tabIndex={zoom > 1 ? 0 : undefined}>
        {shown.kind === 'failed' && <Failed again={again} />}
        {shown.kind === 'opening' && (
          <div className="sheet-of-paper first-sheet" role="status">
            <span className="for-screen-readers">{say('opening')}</span>
          </div>
        )}
        {shown.kind === 'open' &&
          width > 0 &&
          numbers.map((number) => (
            <PageView
              key={number}
              paper={shown.paper}
              number={number}
              widthPx={Math.floor(width * zoom)}
              onSeen={onPage}
              onDrawn={onDrawn}
            />
          ))}
      </div>
      {shown.kind === 'open' && width > 0 && <End onReached={onRead} />}
    </>
  )
}

/** Stands below the last page: whoever sees it has come to the end. */
function End({ onReached }: { onReached: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  useInSight(end, ABOVE_THE_BAR, (isInSight) => isInSight && onReached())
  return <div ref={end} className="document-end" />
}

function Failed({ again }: { again: () => void }) {
  const { say } = useWords()
  return (
    <div className="document-failed">
      <Notice kind="warn">{say('cannotShow')}</Notice>
      <p>{say('cannotShowHint')}</p>
      <Button onPress={again}>{say('tryAgain')}</Button>
    </div>
  )
}

/** The width of an element, also after the window has changed. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const measured = element.current
    if (measured === null) return undefined
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth))
    observer.observe(measured)
    setWidth(measured.clientWidth)
    return () => observer.disconnect()
  }, [element])
  return width
}

export function titleOf({ title, fileName }: ShownDocument): string {
  return title || fileName
}
