// What a visible signature field shows: the person's own mark, the name and the time.
import { oneLine } from '#i18n/one-line.ts'
import type { Appearance, Strokes } from '#pades/appearance.ts'
import { describeSignature } from '#pades/appearance.ts'
import type { Mark } from './confirmation-statements.ts'

/** The appearance of a person's signature. Fields without a place on a page ignore it. */
export function markAppearance({ name, mark, time }: { name: string; mark: Mark | null; time: Date }): Appearance {
  const lines = describeSignature({ name, time })
  if (mark === null) return { lines }
  if (mark.kind === 'typed') return { lines, typed: oneLine(mark.text) }
  const strokes = toStrokes(mark.strokes)
  return strokes === undefined ? { lines } : { lines, strokes }
}

/** From x, y, x, y … wherever the person drew, to points in a box of their own size. */
function toStrokes(given: readonly (readonly number[])[]): Strokes | undefined {
  const points = given.map((stroke) => pairs(stroke)).filter((stroke) => stroke.length > 0)
  const all = points.flat()
  if (all.length === 0) return undefined
  const [left, right] = range(all.map(([x]) => x))
  const [top, bottom] = range(all.map(([, y]) => y))
  // A straight line has no height of its own, and a box must have one.
  const [width, height] = [Math.max(1, right - left), Math.max(1, bottom - top)]
  return { width, height, strokes: points.map((stroke) => stroke.map(([x, y]) => [x - left, y - top] as const)) }
}

function pairs(numbers: readonly number[]): [x: number, y: number][] {
  const points: [number, number][] = []
  for (let at = 0; at + 1 < numbers.length; at += 2) points.push([numbers[at]!, numbers[at + 1]!])
  return points
}

function range(numbers: readonly number[]): [least: number, most: number] {
  return [Math.min(...numbers), Math.max(...numbers)]
}
