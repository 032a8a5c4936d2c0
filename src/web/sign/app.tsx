import { useEffect, useState, type ReactNode } from 'react'
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

/** The whole page: one screen for each thing that a person can meet. */
export function App() {
  const { screen, reload } = useRequest()
  const [chosen, setChosen] = useState<string>()
  const request = screen.kind === 'open' ? screen.request : undefined
  // Nothing is shown in the browser's language first, only to jump to the request's own.
  const tag = chosen ?? request?.language ?? (screen.kind === 'loading' ? undefined : navigator.language)
  const words = useLoadedWords(tag)
  useTitle(words, request)
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
        {pageFor(screen, reload)}
      </Frame>
    </WordsContext.Provider>
  )
}

function pageFor(screen: Screen, reload: Reload): ReactNode {
  switch (screen.kind) {
    case 'loading':
      return <Loading />
    case 'open':
      return pageForRequest(screen.request, reload)
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

function pageForEnd(state: EndState, request?: SigningRequest): ReactNode {
  switch (state) {
    case 'declined':
      return <Declined request={request} />
    case 'canceled':
      return <Canceled />
    case 'expired':
      return <Expired />
    default:
      return <Closed />
  }
}

function pageForRequest(request: SigningRequest, reload: Reload): ReactNode {
  switch (request.state) {
    case 'authenticate':
      return <Authenticate request={request} onMet={reload} />
    case 'notyourturn':
      return <NotYourTurn request={request} />
    case 'ready':
      if (request.documents === null) return <Preparing />
      return <Read request={request} documents={request.documents} onChange={reload} />
    case 'signing':
      return <Signing />
    case 'signed':
      return <Done request={request} onMet={reload} />
    default:
      return pageForEnd(request.state, request)
  }
}

function useTitle(words: Words | undefined, request: SigningRequest | undefined): void {
  const subject = request?.subject
  useEffect(() => {
    if (words) document.title = subject ? words.say('documentTitle', { subject }) : words.say('plainTitle')
  }, [words, subject])
}

/** The font comes after what people came for. */
function useLateFont(isShown: boolean): void {
  useEffect(() => {
    if (isShown) void import('../ui/font.css')
  }, [isShown])
}
