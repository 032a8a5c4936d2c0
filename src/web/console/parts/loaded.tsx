import type { ReactNode } from 'react'
import type { Resource } from '../use-resource.ts'
import { ErrorNotice } from './error-notice.tsx'
import { RowsSkeleton } from './skeleton.tsx'

export type LoadedProps<T> = {
  resource: Resource<T>
  /** Stands there until the data does; the outline of a list unless told otherwise. */
  outline?: ReactNode
  children: (data: T) => ReactNode
}

/** What a resource holds, its outline while it loads, or what went wrong. */
export function Loaded<T>({ resource, outline = <RowsSkeleton />, children }: LoadedProps<T>) {
  const { data, error, isLoading, reload } = resource
  if (isLoading) return <>{outline}</>
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={reload} />}
      {data !== undefined && children(data)}
    </>
  )
}
