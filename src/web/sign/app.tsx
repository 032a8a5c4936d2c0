import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Authenticate } from './authenticate.tsx'
import { Canceled } from './canceled.tsx'
import { Closed } from './closed.tsx'
import { Declined } from './declined.tsx'
import { Done } from './done.tsx'
import { Expired } from './expired.tsx'
import { Frame } from './frame.tsx'
import { Loading } from './loading.tsx'
import { NotYourTurn } from './not-your-turn.tsx'
import { Preparing } from './preparing.tsx'
import { Read } from './read.tsx'
import { SessionEnded } from './session-ended.tsx'
import { saveLanguage, type EndState, type SigningRequest } from './signer-api.ts'
import { Signing } from './signing.tsx'
import { Trouble } from './trouble.tsx'
import { useRequest, type Screen } from './use-request.ts'
import { useLoadedWords, WordsContext, type Words } from './words.ts'
import { WrongLink } from './wrong-link.tsx'

type Reload = () => Promise<void>
/** How to look again, and whether the person has come to this end just now, on this page. */
type Course = { reload: Reload; isFresh: boolean }

/** The whole page: one screen for each thing that a person can meet. */
export function App() {
  const { screen, reload } = useRequest()
  const [chosen, setChosen] = useState<string>()
  const request = screen.kind === 'open' ? screen.request : undefined
  // Nothing is shown in the browser's language first, only to jump to the request's own.
  const tag = chosen ?? request?.language ?? (screen.kind === 'loading' ? undefined : navigator.language)
  const words = useLoadedWords(tag)
  useTitle(words, request)
  const isFresh = useHasActed(request)
  useLateFont(screen.kind !== 'loading')
  if (words === undefined) return null

  const choose = (language: string) => {
    setChosen(language)
    // Whoever has no session yet, or no more, still reads the page in that language.
    if (request) saveLanguage(language).catch(() => {})
  }
  return (
    <WordsContext.Provider value={words}>
      <Frame request={request} onLanguage={choose}>
        {pageFor(screen, { reload, isFresh })}
      </Frame>
    </WordsContext.Provider>
  )
}

function pageFor(screen: Screen, { reload, isFresh }: Course): ReactNode {
  switch (screen.kind) {
    case 'loading':
      return <Loading />
    case 'open':
      return pageForRequest(screen.request, { reload, isFresh })
    case 'ended':
      return pageForEnd(screen.state)
    case 'wronglink':
      return <WrongLink />
    case 'sessionended':
      return <SessionEnded />
    default:
      return <Trouble isOffline={screen.isOffline} requestId={screen.requestId} onRetry={reload} />
  }
}

function pageForEnd(state: EndState, seen?: { request: SigningRequest; isFresh: boolean }): ReactNode {
  switch (state) {
    case 'declined':
      return <Declined request={seen?.request} isFresh={seen?.isFresh ?? false} />
    case 'canceled':
      return <Canceled />
    case 'expired':
      return <Expired />
    default:
      return <Closed />
  }
}

function pageForRequest(request: SigningRequest, { reload, isFresh }: Course): ReactNode {
  switch (request.state) {
    case 'authenticate':
      return <Authenticate request={request} onMet={reload} />
    case 'notyourturn':
      return <NotYourTurn request={request} />
    case 'ready':
      if (request.documents === null) return <Preparing request={request} />
      return <Read request={request} documents={request.documents} onChange={reload} />
    case 'signing':
      return <Signing />
    case 'signed':
      return <Done request={request} isFresh={isFresh} onMet={reload} />
    default:
      return pageForEnd(request.state, { request, isFresh })
  }
}

function useTitle(words: Words | undefined, request: SigningRequest | undefined): void {
  const subject = request?.subject
  useEffect(() => {
    if (words) document.title = subject ? words.say('documentTitle', { subject }) : words.say('plainTitle')
  }, [words, subject])
}

/** Whether the documents stood on this page earlier: whoever then comes to an end has done it here. */
function useHasActed(request: SigningRequest | undefined): boolean {
  const hasRead = useRef(false)
  if (request?.state === 'ready') hasRead.current = true
  return hasRead.current
}

/** The font comes after what people came for. */
function useLateFont(isShown: boolean): void {
  useEffect(() => {
    if (isShown) void import('../ui/font.css')
  }, [isShown])
}
