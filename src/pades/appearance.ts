// What a visible signature looks like: a picture or drawn strokes beside lines of text, in a form XObject whose fonts
// are embedded. Upright as shown, whatever the rotation of the page.
import { deflateSync } from 'node:zlib'
import { canWrite, FontSubset, measureText } from './font.ts'
import { embedImage, type EmbeddedImage } from './image.ts'
import type { Rotation } from './page.ts'
import { PdfRefused } from './refused.ts'
import type { Strokes } from './strokes.ts'
import type { Update } from './update.ts'
import { decimal, reference, type ObjectId } from './write.ts'

export interface Appearance {
  /** From top to bottom: usually the name, the time and the reason, in the language of the reader. */
  readonly lines?: readonly string[]
  /** PNG or JPEG. */
  readonly image?: Buffer
  readonly strokes?: Strokes
  /** A signature that was typed; a face like handwriting shows it where it has all the letters, else the text face. */
  readonly typed?: string
  readonly hasBorder?: boolean
}

export interface Surface {
  readonly width: number
  readonly height: number
  readonly rotation: Rotation
  readonly mayBeTransparent: boolean
}

interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const MAX_LINES = 12
const MAX_LINE_CHARACTERS = 200
const MAX_POINTS = 50_000
const MAX_FONT_SIZE = 12
const MIN_FONT_SIZE = 3
const LINE_HEIGHT = 1.25
const MAX_MARK_SIZE = 36
/** How high above the bottom of a line its letters stand, as a share of the font size. */
const BASELINE = 0.3
/** The share of the width that a mark takes when text stands beside it. */
const MARK_SHARE = 0.4
/** The share of the height that a typed signature takes when text stands below it. */
const TYPED_SHARE = 0.55

/** Lines that say who signed, when, and why. */
export function describeSignature({ name, time, reason }: { name?: string; time: Date; reason?: string }): string[] {
  const when = `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return [name, when, reason].filter((line) => line !== undefined && line !== '') as string[]
}

/** Writes the appearance into the update. Width and height are those that a person sees. */
export function addAppearance(
  update: Update,
  appearance: Appearance,
  { width, height, rotation, mayBeTransparent }: Surface,
): ObjectId {
  const typed = printable(appearance.typed ?? '')
  const isHandwritten = typed !== '' && canWrite(typed, 'handwriting')
  const plain = typed === '' || isHandwritten ? [] : [typed]
  const lines = [...plain, ...(appearance.lines ?? [])].slice(0, MAX_LINES).map(printable)
  const padding = Math.min(4, width * 0.05, height * 0.05)
  const inner: Frame = { x: padding, y: padding, width: width - 2 * padding, height: height - 2 * padding }
  const hasMark = appearance.image !== undefined || appearance.strokes !== undefined
  const markFrame = lines.length === 0 ? inner : { ...inner, width: inner.width * MARK_SHARE }
  const { above, below } = isHandwritten && lines.length > 0 ? cutInTwo(inner) : { above: inner, below: inner }
  const textFrame = hasMark ? rightOf(markFrame, inner, padding) : below

  const content: string[] = []
  const resources: string[] = []
  if (appearance.hasBorder === true)
    content.push(`q 0.5 G 0.5 w ${rectangle({ x: 0.5, y: 0.5, width: width - 1, height: height - 1 })} S Q`)
  if (appearance.image !== undefined) {
    const image = embedImage(update, appearance.image, { mayBeTransparent })
    resources.push(`/XObject << /Mark ${reference(image.ref)} >>`)
    content.push(drawImage(image, markFrame))
  }
  if (appearance.strokes !== undefined) content.push(drawStrokes(appearance.strokes, markFrame))
  const fonts: string[] = []
  if (isHandwritten) {
    const font = new FontSubset('handwriting')
    content.push(drawTyped(typed, above, font))
    fonts.push(`/F2 ${reference(font.embed(update))}`)
  }
  if (lines.length > 0) {
    const font = new FontSubset()
    content.push(drawLines(lines, textFrame, font))
    fonts.push(`/F1 ${reference(font.embed(update))}`)
  }
  if (fonts.length > 0) resources.push(`/Font << ${fonts.join(' ')} >>`)
  const entries =
    `/Type /XObject /Subtype /Form /FormType 1 /BBox [0 0 ${decimal(width)} ${decimal(height)}] ` +
    `/Matrix [${MATRICES[rotation]}] /Resources << ${resources.join(' ')} >>`
  return update.addStream(`${entries} /Filter /FlateDecode`, deflateSync(Buffer.from(content.join('\n'), 'latin1')))
}

/** Turns the content against the rotation of the page; the viewer moves the result into the field's rectangle. */
const MATRICES: Readonly<Record<Rotation, string>> = {
  0: '1 0 0 1 0 0',
  90: '0 1 -1 0 0 0',
  180: '-1 0 0 -1 0 0',
  270: '0 -1 1 0 0 0',
}

function rightOf(mark: Frame, inner: Frame, gap: number): Frame {
  const x = mark.x + mark.width + gap
  return { ...inner, x, width: inner.x + inner.width - x }
}

/** A typed name is wide and low: it stands above the text. */
function cutInTwo(inner: Frame): { above: Frame; below: Frame } {
  const height = inner.height * TYPED_SHARE
  return {
    above: { ...inner, y: inner.y + inner.height - height, height },
    below: { ...inner, height: inner.height - height },
  }
}

/** Control characters and unpaired surrogates have no glyph. */
const printable = (line: string) =>
  Array.from(line.toWellFormed().replace(/\p{Cc}+/gu, ' '))
    .slice(0, MAX_LINE_CHARACTERS)
    .join('')

const rectangle = ({ x, y, width, height }: Frame) => `${[x, y, width, height].map(decimal).join(' ')} re`

/** The largest scale at which something fits, and the place that centres it. */
function fit(frame: Frame, width: number, height: number): { scale: number; x: number; y: number } {
  const scale = Math.min(frame.width / width, frame.height / height)
  return { scale, x: frame.x + (frame.width - width * scale) / 2, y: frame.y + (frame.height - height * scale) / 2 }
}

function drawImage({ width, height }: EmbeddedImage, frame: Frame): string {
  const { scale, x, y } = fit(frame, width, height)
  return `q ${[width * scale, 0, 0, height * scale, x, y].map(decimal).join(' ')} cm /Mark Do Q`
}

function drawStrokes({ width, height, strokes }: Strokes, frame: Frame): string {
  const points = strokes.reduce((sum, stroke) => sum + stroke.length, 0)
  const isUsable = width > 0 && height > 0 && points <= MAX_POINTS && strokes.flat(2).every(Number.isFinite)
  if (!isUsable) throw new PdfRefused('unsupported', 'The drawn signature cannot be used.')
  const { scale, x, y } = fit(frame, width, height)
  const place = ([px, py]: readonly [number, number]) =>
    `${decimal(x + px * scale)} ${decimal(y + (height - py) * scale)}`
  const paths = strokes
    .filter((stroke) => stroke.length > 0)
    .map(([first, ...rest]) => {
      const start = place(first as readonly [number, number])
      // A single point is drawn as a line of no length, which round caps turn into a dot.
      const lines = rest.length === 0 ? [`${start} l`] : rest.map((point) => `${place(point)} l`)
      return `${start} m ${lines.join(' ')} S`
    })
  return `q 1 J 1 j ${decimal(Math.max(0.6, frame.height / 50))} w 0 0 0.4 RG\n${paths.join('\n')}\nQ`
}

/** One line, as large as fits, in the ink of drawn signatures. */
function drawTyped(text: string, frame: Frame, font: FontSubset): string {
  const width = measureText(text, 'handwriting')
  const size = Math.min(MAX_MARK_SIZE, frame.height / LINE_HEIGHT, frame.width / Math.max(width, 0.01))
  const baseline = frame.y + (frame.height - size) / 2 + size * BASELINE
  return `q BT 0 0 0.4 rg /F2 ${decimal(size)} Tf ${decimal(frame.x)} ${decimal(baseline)} Td ${font.encode(text)} Tj ET Q`
}

function drawLines(lines: string[], frame: Frame, font: FontSubset): string {
  const widest = Math.max(...lines.map((line) => measureText(line)), 0.01)
  const wanted = Math.min(MAX_FONT_SIZE, frame.height / (lines.length * LINE_HEIGHT), frame.width / widest)
  const size = Math.max(MIN_FONT_SIZE, wanted)
  const baseline = frame.y + frame.height - (frame.height - lines.length * size * LINE_HEIGHT) / 2 - size
  const shown = lines.map((line) => `${font.encode(shortened(line, frame.width / size))} Tj`)
  const clip = `${rectangle(frame)} W n`
  return `q ${clip} BT 0 g /F1 ${decimal(size)} Tf ${decimal(size * LINE_HEIGHT)} TL ${decimal(frame.x)} ${decimal(baseline)} Td\n${shown.join(' T*\n')}\nET Q`
}

/** A line that is too long ends in an ellipsis rather than in the middle of a letter. */
function shortened(line: string, width: number): string {
  if (measureText(line) <= width + 0.001) return line
  const characters = Array.from(line)
  while (characters.length > 1 && measureText(`${characters.join('')}…`) > width) characters.pop()
  return `${characters.join('')}…`
}
