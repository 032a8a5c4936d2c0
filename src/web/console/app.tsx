import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { loadDepartmentsAhead } from './departments/use-departments.ts'
import { Frame } from './frame.tsx'
import { LazyPage } from './lazy-page.tsx'
import { OPEN_PAGES, PAGES, type PageEntry } from './pages.ts'
import { ErrorNotice } from './parts/error-notice.tsx'
import { NotFound } from './parts/not-found.tsx'
import { PageSkeleton } from './parts/skeleton.tsx'
import { Toasts } from './parts/toasts.tsx'
import { matchPath, useAddress, type Address } from './router.tsx'
import { CountersignError, onSessionEnded, service } from './service.ts'
import { MeContext, type Me } from './session.ts'
import { SignIn } from './sign-in/sign-in.tsx'
import { SignInAgain } from './sign-in/sign-in-again.tsx'
import { forgetResources } from './use-resource.ts'

type Visitor = { kind: 'unknown' } | { kind: 'nobody' } | { kind: 'trouble'; error: Error } | { kind: 'person'; me: Me }

/** The whole console: whoever is not signed in signs in first, at whatever address they came to. */
export function App() {
  const address = useAddress()
  const { visitor, hasEnded, ask } = useVisitor()
  useLateFont()
  const open = find(OPEN_PAGES, address)
  if (open !== undefined) return <Outside>{open}</Outside>
  switch (visitor.kind) {
    case 'unknown':
      return <Outside>{null}</Outside>
    case 'nobody':
      return (
        <Outside>
          <SignIn onSignedIn={ask} />
        </Outside>
      )
    case 'trouble':
      return (
        <Outside>
          <ErrorNotice error={visitor.error} onRetry={ask} />
        </Outside>
      )
    default:
      return (
        <MeContext.Provider value={visitor.me}>
          <Toasts>
            <Frame path={address.path}>{find(PAGES, address) ?? <NotFound />}</Frame>
            {hasEnded && <SignInAgain login={visitor.me.email ?? ''} onSignedIn={ask} />}
          </Toasts>
        </MeContext.Provider>
      )
  }
}

function find(entries: PageEntry[], { path, query }: Address): ReactNode {
  // An address without names comes before one with them: /requests/new is no request.
  const sorted = [...entries].sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))
  for (const entry of sorted) {
    const params = matchPath(entry.path, path)
    if (params !== undefined) return <LazyPage key={entry.path} entry={entry} params={params} query={query} />
  }
  return undefined
}

/** Pages without the navigation, for whoever is not signed in. */
function Outside({ children }: { children: ReactNode }) {
  return (
    <main className="outside">
      <p className="brand">Countersign</p>
      {children ?? <PageSkeleton />}
    </main>
  )
}

function useVisitor(): { visitor: Visitor; hasEnded: boolean; ask: () => Promise<void> } {
  const [visitor, setVisitor] = useState<Visitor>({ kind: 'unknown' })
  const [hasEnded, setEnded] = useState(false)
  const ask = useCallback(async () => {
    try {
      const me = await service.readCaller()
      await loadDepartmentsAhead()
      setVisitor((before) => {
        if (before.kind === 'person' && before.me.id !== me.id) forgetResources()
        return { kind: 'person', me }
      })
      setEnded(false)
    } catch (error) {
      const isNobody = error instanceof CountersignError && error.status === 401
      // Whoever has been working keeps the page, and signs in above it.
      setVisitor((before) => {
        if (isNobody) return before.kind === 'person' ? before : { kind: 'nobody' }
        return before.kind === 'person' ? before : { kind: 'trouble', error: error as Error }
      })
    }
  }, [])
  useEffect(() => {
    void ask()
    return onSessionEnded(() => setEnded(true))
  }, [ask])
  return { visitor, hasEnded, ask }
}

/** The font comes after what people came for. */
function useLateFont(): void {
  useEffect(() => void import('../ui/font.css'), [])
}
