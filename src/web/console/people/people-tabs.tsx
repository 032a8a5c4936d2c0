import { Tabs } from '../parts/tabs.tsx'

const TABS = [
  ['/console/people', 'Departments'],
  ['/console/people/users', 'Users'],
] as const

export type PeoplePage = (typeof TABS)[number][0]

/** Who is here, and how they are organised. */
export function PeopleTabs({ current }: { current: PeoplePage }) {
  return <Tabs label="People" current={current} tabs={TABS} />
}
