// What the signing page and the sandbox in which documents are drawn say to each other. The sandbox has no origin, no
// cookies and no way to the service: it gets bytes and gives back pictures and words.

/** From the page. `open` and `draw` are answered under their number. */
export type Wish =
  | { kind: 'open'; call: number; paper: number; sizeBytes: number }
  | { kind: 'bytes'; paper: number; begin: number; bytes: ArrayBuffer | null }
  | { kind: 'size'; call: number; paper: number; page: number }
  | { kind: 'draw'; call: number; paper: number; page: number; widthPx: number; sharpness: number }
  | { kind: 'stop'; call: number }
  | { kind: 'close'; paper: number }

/** From the sandbox. It asks for bytes as it needs them. */
export type Reply =
  | { kind: 'wanted'; paper: number; begin: number; end: number }
  | { kind: 'opened'; call: number; pages: number; size: Size }
  | { kind: 'sized'; call: number; size: Size }
  | { kind: 'drawn'; call: number; picture: ImageBitmap; words: Words }
  | { kind: 'failed'; call: number }

/** In points. */
export type Size = { width: number; height: number }

export type Styles = [name: string, value: string][]

/** The text of a page, laid out for those who listen, search or copy. */
export type Words = { styles: Styles; spans: Span[] }
export type Span = { text: string; direction: string; styles: Styles; isBreak: boolean }
