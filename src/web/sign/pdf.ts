// The PDF renderer, a chunk of its own because it is twenty times as large as the rest of the page. It runs no script
// of a document: scripting is a part that is not shipped, and the page's policy forbids evaluating text.
import { getDocument, GlobalWorkerOptions, TextLayer, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist'

export type { PDFDocumentProxy, PDFPageProxy }

const WORKER = `${PDF_DATA}pdf.worker.min.mjs`
const RANGE_BYTES = 256 * 1024
const MOST_IMAGE_PIXELS = 64 * 1024 * 1024
/** Telephones refuse larger canvases. */
const MOST_CANVAS_PIXELS = 16 * 1024 * 1024
const SHARPEST = 2

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): string
  }
}

/** The page's policy lets nothing become a script by its name alone; this names the one that may. */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (trustedTypes === undefined) return address
  const rules = {
    createScriptURL(asked: string) {
      if (asked !== WORKER) throw new TypeError('only the renderer may be loaded')
      return asked
    },
  }
  return trustedTypes.createPolicy('countersign-renderer', rules).createScriptURL(address)
}

GlobalWorkerOptions.workerPort = new Worker(trusted(WORKER), { type: 'module' })

export type OpenedPdf = { pdf: PDFDocumentProxy; close(): void }

/** Opens a document of our own service; it is fetched in parts, as they are needed. */
export async function openPdf(url: string): Promise<OpenedPdf> {
  const task = getDocument({
    url,
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    enableXfa: false,
    // Fonts of our own for documents that bring none: everybody sees the same.
    useSystemFonts: false,
    maxImageSize: MOST_IMAGE_PIXELS,
    cMapUrl: `${PDF_DATA}cmaps/`,
    standardFontDataUrl: `${PDF_DATA}standard_fonts/`,
    wasmUrl: `${PDF_DATA}wasm/`,
    iccUrl: `${PDF_DATA}iccs/`,
  })
  const pdf = await task.promise
  return { pdf, close: () => void task.destroy() }
}

export type Drawing = { canvas: HTMLCanvasElement; words: HTMLDivElement; widthPx: number }

/** Draws a page, and lays its text over it for those who listen, search or copy. Returns how to stop. */
export function drawPage(
  page: PDFPageProxy,
  { canvas, words, widthPx }: Drawing,
): { done: Promise<void>; stop(): void } {
  const scale = widthPx / page.getViewport({ scale: 1 }).width
  const viewport = page.getViewport({ scale })
  const sharpness = sharpnessFor(viewport.width * viewport.height)
  canvas.width = Math.floor(viewport.width * sharpness)
  canvas.height = Math.floor(viewport.height * sharpness)
  const rendering = page.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, 0, 0] })
  words.replaceChildren()
  words.style.setProperty('--total-scale-factor', String(scale))
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: words, viewport })
  const done = Promise.all([rendering.promise, layer.render()]).then(() => undefined)
  return {
    done,
    stop() {
      rendering.cancel()
      layer.cancel()
    },
  }
}

function sharpnessFor(pixels: number): number {
  const wanted = Math.min(devicePixelRatio, SHARPEST)
  return Math.min(wanted, Math.sqrt(MOST_CANVAS_PIXELS / pixels))
}

/** Gives back what a page that went out of sight had taken. */
export function clearPage(canvas: HTMLCanvasElement, words: HTMLDivElement): void {
  canvas.width = 0
  canvas.height = 0
  words.replaceChildren()
}
