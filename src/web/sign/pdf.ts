// Documents as the page sees them: sizes, pictures and words, made in a sandbox that the page feeds with bytes. What
// comes out of there is taken for what it should be and for nothing else.
import type { Reply, Size, Styles, Wish, Words } from '../paper/protocol.ts'

export type { Size }

const SANDBOX = '/sign/paper'
/** Telephones refuse larger canvases. */
const MOST_CANVAS_PIXELS = 16 * 1024 * 1024
const SHARPEST = 2
const READY_WITHIN_MS = 30_000
const MOST_SPANS = 50_000
/** Where text stands and how large it is; nothing that could load or cover anything. */
const ALLOWED_STYLES =
  /^(left|top|width|height|font-size|font-family|--(scale-x|rotate|font-height|min-font-size|min-font-size-inv|scale-round-[xy]|total-scale-factor))$/

export type Paper = {
  pages: number
  /** Of the first page. */
  size: Size
  sizeOf(page: number): Promise<Size>
  draw(page: number, drawing: Drawing): { done: Promise<void>; stop(): void }
  close(): void
}

export type Drawing = { canvas: HTMLCanvasElement; words: HTMLDivElement; widthPx: number; heightPx: number }

type Call = { resolve: (reply: Reply) => void; reject: (error: Error) => void }
type Sandbox = {
  ask(wish: Wish & { call: number }): Promise<Reply>
  tell(wish: Wish, moved?: Transferable[]): void
  feed(paper: number, url: string): void
}

let counter = 0
const next = () => ++counter
let sandbox: Promise<Sandbox> | undefined

/** Opens a document of our own service; it is fetched in parts, as they are needed. */
export async function openPdf(url: string): Promise<Paper> {
  sandbox ??= startSandbox()
  sandbox.catch(() => (sandbox = undefined))
  const { ask, tell, feed } = await sandbox
  const paper = next()
  feed(paper, url)
  const opened = await ask({ kind: 'open', call: next(), paper, sizeBytes: await measure(url) })
  if (opened.kind !== 'opened') throw new Error('not an answer to this')
  return {
    pages: opened.pages,
    size: opened.size,
    async sizeOf(page) {
      const reply = await ask({ kind: 'size', call: next(), paper, page })
      return reply.kind === 'sized' ? reply.size : opened.size
    },
    draw(page, drawing) {
      const call = next()
      let isStopped = false
      const { widthPx, heightPx } = drawing
      const sharpness = sharpnessFor(widthPx * heightPx)
      const done = ask({ kind: 'draw', call, paper, page, widthPx, sharpness }).then((reply) => {
        if (reply.kind === 'drawn' && !isStopped) show(reply, drawing)
      })
      return {
        done,
        stop() {
          isStopped = true
          tell({ kind: 'stop', call })
        },
      }
    },
    close: () => tell({ kind: 'close', paper }),
  }
}

/** Gets the sandbox ready before the first document is known. */
export function warmUp(): void {
  sandbox ??= startSandbox()
}

async function measure(url: string): Promise<number> {
  const response = await fetch(url, { headers: { range: 'bytes=0-0' } })
  const whole = response.headers.get('content-range')?.split('/')[1]
  if (!response.ok || whole === undefined) throw new Error('the document can not be fetched')
  return Number(whole)
}

async function fetchPart(url: string, begin: number, end: number): Promise<ArrayBuffer> {
  const response = await fetch(url, { headers: { range: `bytes=${begin}-${end - 1}` } })
  if (response.status !== 206) throw new Error('the document can not be fetched')
  return response.arrayBuffer()
}

async function startSandbox(): Promise<Sandbox> {
  const calls = new Map<number, Call>()
  const addresses = new Map<number, string>()
  const { port1: port, port2: theirs } = new MessageChannel()
  const tell = (wish: Wish, moved: Transferable[] = []) => port.postMessage(wish, moved)

  async function deliver({ paper, begin, end }: Extract<Reply, { kind: 'wanted' }>): Promise<void> {
    const url = addresses.get(paper)
    const bytes = url === undefined ? null : await fetchPart(url, begin, end).catch(() => null)
    tell({ kind: 'bytes', paper, begin, bytes }, bytes === null ? [] : [bytes])
    if (bytes === null) failAll()
  }

  function failAll(): void {
    for (const { reject } of calls.values()) reject(new Error('a part of the document did not come'))
    calls.clear()
  }

  port.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    if (data.kind === 'wanted') return void deliver(data)
    const call = calls.get(data.call)
    calls.delete(data.call)
    if (data.kind === 'failed') call?.reject(new Error('the document can not be shown'))
    else call?.resolve(data)
  })
  port.start()
  const frame = await loadFrame()
  // A sandbox has no origin that could be named; it holds nothing either, and gets no more than this port.
  frame.contentWindow!.postMessage('start', '*', [theirs])
  return {
    tell,
    ask: (wish) =>
      new Promise((resolve, reject) => {
        calls.set(wish.call, { resolve, reject })
        tell(wish)
      }),
    feed: (paper, url) => void addresses.set(paper, url),
  }
}

function loadFrame(): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe')
  // Scripts, for the renderer, and nothing else: above all not our origin.
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  frame.className = 'paper-sandbox'
  frame.src = SANDBOX
  return new Promise((resolve, reject) => {
    const hear = ({ source, data }: MessageEvent) => {
      if (source !== frame.contentWindow || data !== 'ready') return
      end()
      resolve(frame)
    }
    const giveUp = setTimeout(() => {
      end()
      frame.remove()
      reject(new Error('the renderer did not come'))
    }, READY_WITHIN_MS)
    const end = () => {
      removeEventListener('message', hear)
      clearTimeout(giveUp)
    }
    addEventListener('message', hear)
    document.body.append(frame)
  })
}

function show({ picture, words }: Extract<Reply, { kind: 'drawn' }>, drawing: Drawing): void {
  const { canvas } = drawing
  canvas.width = picture.width
  canvas.height = picture.height
  canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(picture)
  layOut(words, drawing)
}

/** Words become text and nothing but text, whoever wrote them. */
function layOut({ styles, spans }: Words, { words: layer }: Drawing): void {
  applyStyles(layer, styles)
  layer.replaceChildren(
    ...spans.slice(0, MOST_SPANS).map(({ text, direction, styles: own, isBreak }) => {
      const element = document.createElement(isBreak ? 'br' : 'span')
      element.setAttribute('role', 'presentation')
      if (isBreak) return element
      element.textContent = text
      element.dir = direction === 'rtl' ? 'rtl' : 'ltr'
      applyStyles(element, own)
      return element
    }),
  )
}

function applyStyles(element: HTMLElement, styles: Styles): void {
  for (const [name, value] of styles) {
    if (ALLOWED_STYLES.test(name) && !/url|image|expression/i.test(value)) element.style.setProperty(name, value)
  }
}

function sharpnessFor(pixels: number): number {
  const wanted = Math.min(devicePixelRatio, SHARPEST)
  return Math.min(wanted, Math.sqrt(MOST_CANVAS_PIXELS / pixels))
}

/** Gives back what a page that went out of sight had taken. */
export function clearPage({ canvas, words }: Pick<Drawing, 'canvas' | 'words'>): void {
  canvas.width = 0
  canvas.height = 0
  words.replaceChildren()
}
