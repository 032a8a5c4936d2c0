// A mark drawn by hand, as it was given: lists of x, y, x, y … wherever the person drew.

/** A mark drawn by hand: lines of points in a box of the size given, from its top left corner. */
export interface Strokes {
  readonly width: number
  readonly height: number
  readonly strokes: readonly (readonly (readonly [x: number, y: number])[])[]
}

/** Far from any screen, and far from where the distance between two numbers is no number any more. */
const FARTHEST = 1e100

/** The points in a box of their own size; undefined where there are none. */
export function strokesInBox(given: readonly (readonly number[])[]): Strokes | undefined {
  const points = given.map(pairs).filter((stroke) => stroke.length > 0)
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
  for (let at = 0; at + 1 < numbers.length; at += 2) points.push([within(numbers[at]!), within(numbers[at + 1]!)])
  return points
}

const within = (number: number) => Math.max(-FARTHEST, Math.min(FARTHEST, number))

const range = (numbers: readonly number[]): [least: number, most: number] => [
  Math.min(...numbers),
  Math.max(...numbers),
]
