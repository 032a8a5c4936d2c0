// What stands on the left, in its order.
import type { IconName } from '../ui/icon.tsx'
import { ICONS } from './icons.ts'
import type { Me } from './session.ts'

export type NavigationEntry = { to: string; name: string; icon: IconName; isForAdministrators?: boolean }

const ENTRIES: NavigationEntry[] = [
  { to: '/console', name: 'Overview', icon: ICONS.overview },
  { to: '/console/requests', name: 'Signature requests', icon: ICONS.requests },
]

/** The entries that this person can use. */
export function listNavigation({ isAdministrator }: Me): NavigationEntry[] {
  return ENTRIES.filter((entry) => isAdministrator || !entry.isForAdministrators)
}

/** Whether the address lies at or below an entry; the overview is only itself. */
export function isWithin(path: string, { to }: NavigationEntry): boolean {
  return path === to || (to !== '/console' && path.startsWith(`${to}/`))
}
