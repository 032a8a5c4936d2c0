import { useEffect, useState } from 'react'
import { ErrorNotice } from './parts/error-notice.tsx'
import { PageSkeleton } from './parts/skeleton.tsx'
import type { PageComponent, PageProps } from './page-props.ts'
import type { PageEntry } from './pages.ts'

const loaded = new Map<string, PageComponent>()

export type LazyPageProps = PageProps & { entry: PageEntry }

/** The page of an entry, with its outline until it has arrived. */
export function LazyPage({ entry, params, query }: LazyPageProps) {
  const [, setArrived] = useState('')
  const [error, setError] = useState<Error>()
  useEffect(() => {
    if (loaded.has(entry.path)) return
    setError(undefined)
    entry.load().then(
      (page) => {
        loaded.set(entry.path, page)
        setArrived(entry.path)
      },
      (failure: unknown) => setError(failure as Error),
    )
  }, [entry])
  const Page = loaded.get(entry.path)
  if (Page !== undefined) return <Page key={JSON.stringify(params)} params={params} query={query} />
  // A new version of the service has other files: loading the whole page again brings them.
  if (error !== undefined) return <ErrorNotice error={error} onRetry={() => window.location.reload()} />
  return <PageSkeleton />
}
