// Finds a page and its geometry (ISO 32000-2, 7.7.3): boxes and rotation may be inherited from the tree above it.
import type { PdfReader } from './reader.ts'
import { damaged, PdfRefused } from './refused.ts'
import { asInteger, dictOf, entry, isName, type PdfDict, type PdfRef, type PdfValue } from './value.ts'

const MAX_TREE_DEPTH = 64
const MAX_TREE_NODES = 100_000

export interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

export type Rotation = 0 | 90 | 180 | 270

export interface Page {
  readonly ref: PdfRef
  readonly dict: PdfDict
  /** What is shown of the page: the crop box within the media box. */
  readonly box: Box
  /** Clockwise, as shown. */
  readonly rotation: Rotation
}

type Inherited = Readonly<Record<'MediaBox' | 'CropBox' | 'Rotate', PdfValue | undefined>>

/** A page by its number, counted from 1. Reads only the branches of the tree that lead to it. */
export async function getPage(reader: PdfReader, pageNumber: number): Promise<Page> {
  const walk = { reader, remaining: pageNumber, nodes: 0, seen: new Set<number>() }
  const pages = entry(await reader.catalog(), 'Pages')
  const nothing: Inherited = { MediaBox: undefined, CropBox: undefined, Rotate: undefined }
  const page = pages?.kind === 'ref' && pageNumber >= 1 ? await descend(walk, pages, nothing, 0) : undefined
  if (page === undefined) throw new PdfRefused('page', `This PDF has no page ${pageNumber}.`)
  return page
}

/** How many pages the document says it has. */
export async function countPages(reader: PdfReader): Promise<number> {
  const pages = await reader.findDict(await reader.catalog(), 'Pages')
  const count = pages === undefined ? undefined : asInteger(await reader.get(pages, 'Count'))
  if (count === undefined || count < 0) throw damaged('it does not say how many pages it has')
  return count
}

interface Walk {
  readonly reader: PdfReader
  remaining: number
  nodes: number
  readonly seen: Set<number>
}

async function descend(walk: Walk, ref: PdfRef, above: Inherited, depth: number): Promise<Page | undefined> {
  const { reader } = walk
  if (++walk.nodes > MAX_TREE_NODES || depth > MAX_TREE_DEPTH || walk.seen.has(ref.number)) {
    throw damaged('its pages run in a circle')
  }
  walk.seen.add(ref.number)
  const dict = dictOf(await reader.resolve(ref))
  if (dict === undefined) throw damaged('one of its pages is missing')
  const inherited = {
    MediaBox: (await reader.get(dict, 'MediaBox')) ?? above.MediaBox,
    CropBox: (await reader.get(dict, 'CropBox')) ?? above.CropBox,
    Rotate: (await reader.get(dict, 'Rotate')) ?? above.Rotate,
  }
  const kids = await reader.findArray(dict, 'Kids')
  if (kids === undefined || isName(await reader.get(dict, 'Type'), 'Page')) {
    return --walk.remaining === 0 ? toPage(reader, ref, dict, inherited) : undefined
  }
  const count = asInteger(await reader.get(dict, 'Count'))
  if (count !== undefined && count >= 0 && count < walk.remaining) {
    walk.remaining -= count
    return undefined
  }
  for (const kid of kids.items) {
    if (kid.kind !== 'ref') throw damaged('its list of pages is malformed')
    const page = await descend(walk, kid, inherited, depth + 1)
    if (page !== undefined) return page
  }
  return undefined
}

async function toPage(reader: PdfReader, ref: PdfRef, dict: PdfDict, inherited: Inherited): Promise<Page> {
  const media = await toBox(reader, inherited.MediaBox)
  if (media === undefined) throw damaged('a page has no size')
  const crop = (await toBox(reader, inherited.CropBox)) ?? media
  return { ref, dict, box: intersection(crop, media), rotation: toRotation(inherited.Rotate) }
}

function toRotation(value: PdfValue | undefined): Rotation {
  const degrees = asInteger(value) ?? 0
  const turned = ((degrees % 360) + 360) % 360
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0
}

/** A rectangle from any two opposite corners (7.9.5). */
export async function toBox(reader: PdfReader, value: PdfValue | undefined): Promise<Box | undefined> {
  if (value?.kind !== 'array' || value.items.length !== 4) return undefined
  const numbers: number[] = []
  for (const item of value.items) {
    const number = await reader.resolve(item)
    if (number?.kind !== 'number') return undefined
    numbers.push(number.value)
  }
  const [a, b, c, d] = numbers as [number, number, number, number]
  return { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) }
}

function intersection(crop: Box, media: Box): Box {
  const box = {
    left: Math.max(crop.left, media.left),
    bottom: Math.max(crop.bottom, media.bottom),
    right: Math.min(crop.right, media.right),
    top: Math.min(crop.top, media.top),
  }
  return box.left < box.right && box.bottom < box.top ? box : media
}

/** A place on the page as a person sees it: points from the top left corner. */
export interface Placement {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where a placement lies in the page's own coordinates, which know neither rotation nor cropping. */
export function placeOnPage(
  { box, rotation }: Pick<Page, 'box' | 'rotation'>,
  { x, y, width, height }: Placement,
): Box {
  const [x1, y1] = toUserSpace(box, rotation, x, y)
  const [x2, y2] = toUserSpace(box, rotation, x + width, y + height)
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
}

function toUserSpace({ left, bottom, right, top }: Box, rotation: Rotation, x: number, y: number): [number, number] {
  if (rotation === 90) return [left + y, bottom + x]
  if (rotation === 180) return [right - x, bottom + y]
  if (rotation === 270) return [right - y, top - x]
  return [left + x, top - y]
}

/** The page that a reference names, with what it inherits; undefined where it names none. */
export async function findPageOf(reader: PdfReader, ref: PdfValue | undefined): Promise<Page | undefined> {
  const page = dictOf(await reader.resolve(ref))
  if (page === undefined || ref?.kind !== 'ref') return undefined
  const inherited: Record<keyof Inherited, PdfValue | undefined> = {
    MediaBox: undefined,
    CropBox: undefined,
    Rotate: undefined,
  }
  for (let node: PdfDict | undefined = page, depth = 0; node !== undefined; depth++) {
    if (depth > MAX_TREE_DEPTH) throw damaged('its pages run in a circle')
    inherited.MediaBox ??= await reader.get(node, 'MediaBox')
    inherited.CropBox ??= await reader.get(node, 'CropBox')
    inherited.Rotate ??= await reader.get(node, 'Rotate')
    node = await reader.findDict(node, 'Parent')
  }
  return toPage(reader, ref, page, inherited)
}
