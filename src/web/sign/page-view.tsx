import { useEffect, useRef, useState } from 'react'
import { loadRenderer } from './use-pdf.ts'
import type { PDFDocumentProxy, PDFPageProxy } from './pdf.ts'
import { useInSight } from './use-in-sight.ts'
import { useWords } from './words.ts'

export type PageViewProps = {
  pdf: PDFDocumentProxy
  number: number
  /** Gives the page its size before it is known. */
  first: PDFPageProxy
  widthPx: number
  onSeen: (number: number) => void
  onDrawn: () => void
}

const NEAR = '100% 0%'
/** The band in the middle of the window: the page there is the one being read. */
const MIDDLE = '-45% 0% -45% 0%'

/** One page: an empty sheet of its size until it comes near, then drawn, and given back when it is far again. */
export function PageView({ pdf, number, first, widthPx, onSeen, onDrawn }: PageViewProps) {
  const { say } = useWords()
  const sheet = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const [page, setPage] = useState(number === 1 ? first : undefined)
  useInSight(sheet, NEAR, setNear)
  useInSight(sheet, MIDDLE, (isSeen) => isSeen && onSeen(number))

  useEffect(() => {
    let isWanted = true
    if (isNear) void pdf.getPage(number).then((loaded) => isWanted && setPage(loaded), ignoreClosed)
    return () => {
      isWanted = false
    }
  }, [isNear, pdf, number])

  const { width, height } = (page ?? first).getViewport({ scale: 1 })
  const label = say('pageOf', { page: number, pages: pdf.numPages })
  return (
    <div
      ref={sheet}
      className="sheet-of-paper"
      role="group"
      aria-label={label}
      style={{ width: `${widthPx}px`, height: `${(widthPx * height) / width}px` }}
    >
      {isNear && page && <Drawn page={page} widthPx={widthPx} onDrawn={onDrawn} />}
    </div>
  )
}

function Drawn({ page, widthPx, onDrawn }: { page: PDFPageProxy; widthPx: number; onDrawn: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const words = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [paper, text] = [canvas.current!, words.current!]
    let stop: (() => void) | undefined
    let isWanted = true
    const draw = async () => {
      const renderer = await loadRenderer()
      if (!isWanted) return
      const drawing = renderer.drawPage(page, { canvas: paper, words: text, widthPx })
      stop = () => {
        drawing.stop()
        renderer.clearPage(paper, text)
      }
      await drawing.done
      if (isWanted) onDrawn()
    }
    draw().catch(ignoreClosed)
    return () => {
      isWanted = false
      stop?.()
    }
  }, [page, widthPx])
  return (
    <>
      <canvas ref={canvas} aria-hidden="true" />
      <div ref={words} className="textLayer" />
    </>
  )
}

/** A page that is no longer wanted ends its drawing by an exception. */
function ignoreClosed(): void {}
