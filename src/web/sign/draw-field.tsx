import { useEffect, useRef, type PointerEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { useWords } from './words.ts'

/** More than any hand draws; the service takes as many. */
const MOST_NUMBERS = 10_000
const MOST_STROKES = 400
const PEN_PX = 2.2

/** A field to draw in. Strokes are lists of x, y, x, y … in pixels from the top left. */
export function DrawField({ onChange }: { onChange: (strokes: number[][]) => void }) {
  const { say } = useWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  const strokes = useRef<number[][]>([])
  const isDown = useRef(false)

  useEffect(() => fitToScreen(canvas.current!), [])

  const place = (event: PointerEvent<HTMLCanvasElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return [Math.round(event.clientX - left), Math.round(event.clientY - top)] as const
  }
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    if (strokes.current.length >= MOST_STROKES) return
    event.currentTarget.setPointerCapture(event.pointerId)
    isDown.current = true
    strokes.current.push([...place(event)])
  }
  const draw = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!isDown.current || strokes.current.flat().length >= MOST_NUMBERS) return
    const stroke = strokes.current.at(-1)!
    stroke.push(...place(event))
    drawLine(event.currentTarget, stroke.slice(-4))
  }
  const end = () => {
    if (!isDown.current) return
    isDown.current = false
    onChange([...strokes.current])
  }
  const clear = () => {
    strokes.current = []
    fitToScreen(canvas.current!)
    onChange([])
  }
  return (
    <div className="draw">
      <canvas
        ref={canvas}
        role="img"
        aria-label={say('markDrawnLabel')}
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <p className="quiet small">{say('markDrawnHint')}</p>
      <Button onPress={clear}>{say('markClear')}</Button>
    </div>
  )
}

/** Setting its size empties a canvas as well. */
function fitToScreen(canvas: HTMLCanvasElement): void {
  canvas.width = canvas.clientWidth * devicePixelRatio
  canvas.height = canvas.clientHeight * devicePixelRatio
}

function drawLine(canvas: HTMLCanvasElement, [fromX, fromY, toX, toY]: number[]): void {
  const pen = canvas.getContext('2d')!
  pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
  pen.strokeStyle = getComputedStyle(canvas).color
  pen.lineWidth = PEN_PX
  pen.lineCap = 'round'
  pen.beginPath()
  pen.moveTo(fromX!, fromY!)
  pen.lineTo(toX!, toY!)
  pen.stroke()
}
