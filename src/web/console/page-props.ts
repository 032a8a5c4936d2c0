import type { ReactNode } from 'react'

/** What every page is given: what varies in its path, and what stands behind it. */
export type PageProps = { params: Record<string, string>; query: URLSearchParams }

export type PageComponent = (props: PageProps) => ReactNode
