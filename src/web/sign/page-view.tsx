import { useEffect, useRef, useState } from 'react'
import { loadRenderer } from './use-pdf.ts'
import type { Paper, Size } from './pdf.ts'
import { useInSight } from './use-in-sight.ts'
import { useWords } from './words.ts'

export type PageViewProps = {
  paper: Paper
  number: number
  widthPx: number
  onSeen: (number: number) => void
  onDrawn: () => void
}

const NEAR = '100% 0%'
/** The band in the middle of the window: the page there is the one being read. */
const MIDDLE = '-45% 0% -45% 0%'

/** One page: an empty sheet of its size until it comes near, then drawn, and given back when it is far again. */
export function PageView({ paper, number, widthPx, onSeen, onDrawn }: PageViewProps) {
  const { say } = useWords()
  const sheet = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const [size, setSize] = useState<Size | undefined>(number === 1 ? paper.size : undefined)
  useInSight(sheet, NEAR, setNear)
  useInSight(sheet, MIDDLE, (isSeen) => isSeen && onSeen(number))

  useEffect(() => {
    let isWanted = true
    if (isNear && size === undefined)
      void paper.sizeOf(number).then((found) => isWanted && setSize(found), ignoreClosed)
    return () => {
      isWanted = false
    }
  }, [isNear, size, paper, number])

  // Most pages are as large as the first; until it is known, that is what the sheet is.
  const { width, height } = size ?? paper.size
  const heightPx = (widthPx * height) / width
  return (
    <div
      ref={sheet}
      className="sheet-of-paper"
      role="group"
      aria-label={say('pageOf', { page: number, pages: paper.pages })}
      style={{ width: `${widthPx}px`, height: `${heightPx}px` }}
    >
      {isNear && size && (
        <Drawn paper={paper} number={number} widthPx={widthPx} heightPx={heightPx} onDrawn={onDrawn} />
      )}
    </div>
  )
}

type DrawnProps = { paper: Paper; number: number; widthPx: number; heightPx: number; onDrawn: () => void }

function Drawn({ paper, number, widthPx, heightPx, onDrawn }: DrawnProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const words = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const drawing = { canvas: canvas.current!, words: words.current!, widthPx, heightPx }
    const { done, stop } = paper.draw(number, drawing)
    let isWanted = true
    done.then(() => isWanted && onDrawn(), ignoreClosed)
    return () => {
      isWanted = false
      stop()
      void loadRenderer().then(({ clearPage }) => clearPage(drawing))
    }
  }, [paper, number, widthPx, heightPx])
  return (
    <>
      <canvas ref={canvas} aria-hidden="true" />
      <div ref={words} className="textLayer" />
    </>
  )
}

/** A page that is no longer wanted ends its drawing by an exception. */
function ignoreClosed(): void {}
