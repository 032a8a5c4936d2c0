// The PDF renderer. It runs no script of a document: scripting is a part that is not shipped, and the policy of this
// place forbids evaluating text.
import {
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  TextLayer,
  type PDFDocumentLoadingTask,
  type PDFPageProxy,
} from 'pdfjs-dist'
import type { Reply, Size, Styles, Wish, Words } from './protocol.ts'
import { startParser } from './parser.ts'

const RANGE_BYTES = 256 * 1024
const MOST_IMAGE_PIXELS = 64 * 1024 * 1024

type Paper = { task: PDFDocumentLoadingTask; source: Source }

/** Answers the page's wishes for as long as the page is there. */
export function answerWishes(port: MessagePort): void {
  GlobalWorkerOptions.workerPort = startParser()
  const papers = new Map<number, Paper>()
  const drawings = new Map<number, () => void>()
  const say = (reply: Reply, moved: Transferable[] = []) => port.postMessage(reply, moved)

  async function open({ call, paper, sizeBytes }: Extract<Wish, { kind: 'open' }>): Promise<void> {
    const source = new Source(sizeBytes, (begin, end) => say({ kind: 'wanted', paper, begin, end }))
    const task = openDocument(source)
    papers.set(paper, { task, source })
    const pdf = await task.promise
    say({ kind: 'opened', call, pages: pdf.numPages, size: sizeOf(await pdf.getPage(1)) })
  }

  async function draw({ call, paper, page, widthPx, sharpness }: Extract<Wish, { kind: 'draw' }>): Promise<void> {
    const loaded = await (await papers.get(paper)!.task.promise).getPage(page)
    const { picture, words } = await drawPage(loaded, {
      widthPx,
      sharpness,
      onStart: (stop) => drawings.set(call, stop),
    })
    say({ kind: 'drawn', call, picture, words }, [picture])
  }

  async function answer(wish: Wish): Promise<void> {
    switch (wish.kind) {
      case 'open':
        return open(wish)
      case 'size':
        return say({
          kind: 'sized',
          call: wish.call,
          size: sizeOf(await (await papers.get(wish.paper)!.task.promise).getPage(wish.page)),
        })
      case 'draw':
        return draw(wish).finally(() => drawings.delete(wish.call))
      case 'bytes':
        return papers.get(wish.paper)?.source.take(wish.begin, wish.bytes)
      case 'stop':
        return drawings.get(wish.call)?.()
      default:
        void papers.get(wish.paper)?.task.destroy()
        papers.delete(wish.paper)
    }
  }

  port.addEventListener('message', ({ data }: MessageEvent<Wish>) => {
    answer(data).catch(() => 'call' in data && say({ kind: 'failed', call: data.call }))
  })
  port.start()
}

/** The page fetches what is needed of the document, part by part. */
class Source extends PDFDataRangeTransport {
  readonly #ask: (begin: number, end: number) => void

  constructor(sizeBytes: number, ask: (begin: number, end: number) => void) {
    super(sizeBytes, null)
    this.#ask = ask
  }

  override requestDataRange(begin: number, end: number): void {
    this.#ask(begin, end)
  }

  take(begin: number, bytes: ArrayBuffer | null): void {
    if (bytes === null) this.abort()
    else this.onDataRange(begin, new Uint8Array(bytes))
  }
}

function openDocument(range: Source): PDFDocumentLoadingTask {
  const data = (folder: string) => new URL(`${PDF_DATA}${folder}/`, location.href).href
  return getDocument({
    range,
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    enableXfa: false,
    // Fonts of our own for documents that bring none: everybody sees the same.
    useSystemFonts: false,
    maxImageSize: MOST_IMAGE_PIXELS,
    cMapUrl: data('cmaps'),
    standardFontDataUrl: data('standard_fonts'),
    wasmUrl: data('wasm'),
    iccUrl: data('iccs'),
  })
}

function sizeOf(page: PDFPageProxy): Size {
  const { width, height } = page.getViewport({ scale: 1 })
  return { width, height }
}

type Drawing = { widthPx: number; sharpness: number; onStart: (stop: () => void) => void }

async function drawPage(page: PDFPageProxy, { widthPx, sharpness, onStart }: Drawing) {
  const scale = widthPx / page.getViewport({ scale: 1 }).width
  const viewport = page.getViewport({ scale })
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width * sharpness)
  canvas.height = Math.floor(viewport.height * sharpness)
  const rendering = page.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, 0, 0] })
  const container = document.createElement('div')
  container.style.setProperty('--total-scale-factor', String(scale))
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport })
  onStart(() => {
    rendering.cancel()
    layer.cancel()
  })
  await Promise.all([rendering.promise, layer.render()])
  const picture = await createImageBitmap(canvas)
  canvas.width = 0
  return { picture, words: readWords(container) }
}

function readWords(container: HTMLElement): Words {
  const spans = [...container.querySelectorAll<HTMLElement>('span:not(.markedContent), br')].map((element) => ({
    text: element.textContent,
    direction: element.dir,
    styles: readStyles(element),
    isBreak: element.tagName === 'BR',
  }))
  return { styles: readStyles(container), spans }
}

function readStyles({ style }: HTMLElement): Styles {
  return [...style].map((name) => [name, style.getPropertyValue(name)])
}
