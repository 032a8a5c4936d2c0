// What a visible signature field shows: the person's own mark, the name and the time.
import { oneLine } from '#i18n/one-line.ts'
import type { Appearance } from '#pades/appearance.ts'
import { describeSignature } from '#pades/appearance.ts'
import { strokesInBox } from '#pades/strokes.ts'
import type { Mark } from './confirmation-statements.ts'

/** The appearance of a person's signature. Fields without a place on a page ignore it. */
export function markAppearance({ name, mark, time }: { name: string; mark: Mark | null; time: Date }): Appearance {
  const lines = describeSignature({ name, time })
  if (mark === null) return { lines }
  if (mark.kind === 'typed') return { lines, typed: oneLine(mark.text) }
  const strokes = strokesInBox(mark.strokes)
  return strokes === undefined ? { lines } : { lines, strokes }
}
