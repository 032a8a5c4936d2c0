// Every page of the console and its address. Each is loaded when somebody goes there.
import type { ReactNode } from 'react'

export type PageProps = { params: Record<string, string>; query: URLSearchParams }
export type PageComponent = (props: PageProps) => ReactNode

export type PageEntry = {
  /** With :name for what varies. */
  path: string
  load: () => Promise<PageComponent>
}

export const PAGES: PageEntry[] = [
  { path: '/console', load: async () => (await import('./overview/overview.tsx')).Overview },
]

/** Pages for people who are not signed in. */
export const OPEN_PAGES: PageEntry[] = []
