import { Tabs } from '../parts/tabs.tsx'

const TABS = [
  ['/console/templates', 'Documents'],
  ['/console/templates/requests', 'Requests'],
] as const

export type TemplatePage = (typeof TABS)[number][0]

/** Both kinds of template. */
export function TemplateTabs({ current }: { current: TemplatePage }) {
  return <Tabs label="Templates" current={current} tabs={TABS} />
}
