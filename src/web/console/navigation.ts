// What stands on the left, in its order.
import type { IconName } from '../ui/icon.tsx'
import { ICONS } from './icons.ts'
import type { Me } from './session.ts'

export type NavigationEntry = { to: string; name: string; icon: IconName; isForAdministrators?: boolean }

const ENTRIES: NavigationEntry[] = [
  { to: '/console', name: 'Overview', icon: ICONS.overview },
  { to: '/console/requests', name: 'Signature requests', icon: ICONS.requests },
  { to: '/console/sealing', name: 'Sealing', icon: ICONS.sealing },
  { to: '/console/templates', name: 'Templates', icon: ICONS.templates },
  { to: '/console/people', name: 'People', icon: ICONS.people, isForAdministrators: true },
  { to: '/console/integrations', name: 'Integrations', icon: ICONS.integrations, isForAdministrators: true },
  { to: '/console/messages', name: 'Messages', icon: ICONS.messages, isForAdministrators: true },
  { to: '/console/certificates', name: 'Certificates', icon: ICONS.certificates, isForAdministrators: true },
  { to: '/console/archive', name: 'Archive', icon: ICONS.archive },
  { to: '/console/activity', name: 'Activity', icon: ICONS.activity, isForAdministrators: true },
]

/** The entries that this person can use. */
export function listNavigation({ isAdministrator }: Me): NavigationEntry[] {
  return ENTRIES.filter((entry) => isAdministrator || !entry.isForAdministrators)
}

/** Whether the address lies at or below an entry; the overview is only itself. */
export function isWithin(path: string, { to }: NavigationEntry): boolean {
  return path === to || (to !== '/console' && path.startsWith(`${to}/`))
}
