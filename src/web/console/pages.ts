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
  { path: '/console/account', load: async () => (await import('./account/account.tsx')).Account },
]

/** Pages for people who are not signed in. */
export const OPEN_PAGES: PageEntry[] = [
  { path: '/console/password', load: async () => (await import('./sign-in/set-password.tsx')).SetPassword },
  { path: '/console/forgot', load: async () => (await import('./sign-in/forgot-password.tsx')).ForgotPassword },
]
