import { useDepartments } from '../departments/use-departments.ts'
import { Tabs } from '../parts/tabs.tsx'

const TABS = [
  ['/console/people', 'Departments'],
  ['/console/people/users', 'Users'],
  ['/console/people/organisation', 'Organisation'],
] as const

export type PeoplePage = (typeof TABS)[number][0]

/** Who is here, and how they are organised. What holds for everybody is for those who reach everybody. */
export function PeopleTabs({ current }: { current: PeoplePage }) {
  const { placed } = useDepartments()
  const reachesAll = placed.some(({ parentDepartmentId }) => parentDepartmentId === null)
  const tabs = TABS.filter(([to]) => to !== '/console/people/organisation' || reachesAll || to === current)
  return <Tabs label="People" current={current} tabs={tabs} />
}
