// What the person meets now. The service tells the state; this asks again when something was done or is under way.
import { useCallback, useEffect, useRef, useState } from 'react'
import { loadRenderer } from './use-pdf.ts'
import { openSession, readRequest, Refusal, REFUSALS, type EndState, type SigningRequest } from './signer-api.ts'

export type Screen =
  | { kind: 'loading' }
  | { kind: 'open'; request: SigningRequest }
  | { kind: 'ended'; state: EndState }
  | { kind: 'wronglink' }
  | { kind: 'sessionended' }
  | { kind: 'trouble'; isOffline: boolean; requestId: string | undefined }

const ENDS: readonly string[] = ['declined', 'canceled', 'expired', 'closed'] satisfies EndState[]
const PAGE = '/sign'

export type RequestView = { screen: Screen; reload: () => Promise<void> }

/** Opens the link or goes on with the session, and keeps what is shown up to date. */
export function useRequest(): RequestView {
  const [screen, setScreen] = useState<Screen>({ kind: 'loading' })
  const token = useRef(tokenInAddress())

  const reload = useCallback(async () => {
    setScreen(await look(token))
  }, [])

  useEffect(() => void reload(), [reload])
  useAskingAgain(screen, reload)
  return { screen, reload }
}

type Token = { current: string | undefined }

async function look(token: Token): Promise<Screen> {
  try {
    await exchange(token)
    return showing(await readRequest())
  } catch (error) {
    if (error instanceof Refusal) return afterRefusal(error)
    throw error
  }
}

/** The token becomes a cookie and leaves the address, also when the service refuses it. */
async function exchange(token: Token): Promise<void> {
  if (token.current === undefined) return
  const returnUrl = new URLSearchParams(location.search).get('returnUrl')
  try {
    await openSession({ token: token.current, returnUrl, isFramed: window.top !== window })
  } catch (error) {
    // Without an answer it stays, so that loading the page again is another try.
    if (error instanceof Refusal && (error.state !== undefined || isMalformed(error))) forget(token)
    throw error
  }
  forget(token)
  // Whoever has just come by a link is going to read: the renderer travels while the request is asked for.
  void loadRenderer()
}

function forget(token: Token): void {
  token.current = undefined
  history.replaceState(null, '', PAGE)
}

function tokenInAddress(): string | undefined {
  const [, page, token] = location.pathname.split('/')
  return `/${page}` === PAGE && token ? token : undefined
}

function showing(request: SigningRequest): Screen {
  return { kind: 'open', request }
}

/** A link that was cut off, lengthened, or given another address to return to. */
function isMalformed({ classification }: Refusal): boolean {
  return classification === 'InvalidArgument'
}

function afterRefusal(refusal: Refusal): Screen {
  const { code, state, requestId } = refusal
  if (state !== undefined && ENDS.includes(state)) return { kind: 'ended', state: state as EndState }
  if (state === 'wronglink' || isMalformed(refusal)) return { kind: 'wronglink' }
  if (code === REFUSALS.sessionNeeded) return { kind: 'sessionended' }
  return { kind: 'trouble', isOffline: code === undefined, requestId }
}

const QUICKLY_MS = 500
/** The seal takes a moment, or as long as the timestamp authority is away. */
const SOON_MS = 2_000
const SLOWLY_MS = 20_000

/** How soon it makes sense to ask again; undefined where only the person can change anything. */
function askAgainAfterMs(screen: Screen): number | undefined {
  if (screen.kind !== 'open') return undefined
  const { state, documents, progress } = screen.request
  if (state === 'signing' || (state === 'ready' && documents === null)) return QUICKLY_MS
  if (state === 'signed' && progress === 'sealing') return SOON_MS
  return state === 'notyourturn' ? SLOWLY_MS : undefined
}

function useAskingAgain(screen: Screen, reload: () => Promise<void>): void {
  useEffect(() => {
    const afterMs = askAgainAfterMs(screen)
    if (afterMs === undefined) return undefined
    const timer = setTimeout(() => void reload(), afterMs)
    return () => clearTimeout(timer)
  }, [screen, reload])
  // Another tab, or a page that the back button brought back, may show what is no longer so.
  useEffect(() => {
    const lookAgain = () => {
      if (document.visibilityState === 'visible' && screen.kind === 'open') void reload()
    }
    document.addEventListener('visibilitychange', lookAgain)
    addEventListener('pageshow', lookAgain)
    return () => {
      document.removeEventListener('visibilitychange', lookAgain)
      removeEventListener('pageshow', lookAgain)
    }
  }, [screen, reload])
}
