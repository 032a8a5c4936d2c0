import { useState } from 'react'
import type { Department } from '#client'
import { Button } from '../../ui/button.tsx'
import { listBelow, type PlacedDepartment } from '../departments/department-tree.ts'
import { useManagedDepartments } from '../departments/use-departments.ts'
import { formatCount } from '../format.ts'
import { ICONS } from '../icons.ts'
import { CommandLine, curl } from '../parts/command-line.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { Link } from '../router.tsx'
import { NewDepartmentSheet } from './department-sheets.tsx'
import { PeopleTabs } from './people-tabs.tsx'

/** The departments as a tree. Whoever belongs to one sees it and everything below it. */
export function Departments() {
  const departments = useManagedDepartments()
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button kind="primary" icon={ICONS.plus} onPress={() => setAdding(true)}>
      Add a department
    </Button>
  )
  return (
    <Page
      title="People"
      lead="Departments form a tree. People, keys and requests belong to one, and reach it with everything below it."
      action={add}
    >
      <PeopleTabs current="/console/people" />
      <Loaded resource={departments.resource}>
        {() => (
          <>
            <Rows label="Departments">
              {departments.placed.map((department) => (
                <DepartmentRow
                  key={department.id}
                  department={department}
                  below={listBelow(departments.placed, department.id).size - 1}
                />
              ))}
            </Rows>
            {departments.placed.length === 1 && <OnlyTheRoot />}
          </>
        )}
      </Loaded>
      {isAdding && <NewDepartmentSheet onClose={() => setAdding(false)} onDone={departments.resource.reload} />}
    </Page>
  )
}

/** As far as lines are set in; deeper ones stand below each other. */
const DEEPEST = 8

function DepartmentRow({ department, below }: { department: PlacedDepartment<Department>; below: number }) {
  const { id, name, trail, depth, businessId, externalReference, contactEmail } = department
  const facts = [businessId, externalReference, contactEmail].filter(Boolean).join(' · ')
  return (
    <li className={`row row-opens depth-${Math.min(depth, DEEPEST)}`}>
      <div className="row-title">
        <Link to={`/console/people/departments/${id}`}>
          {name}
          {depth > 0 && <span className="for-screen-readers"> ({trail})</span>}
        </Link>
        {facts && <div className="quiet small">{facts}</div>}
      </div>
      {below > 0 && (
        <div className="row-when quiet small wide-only">{formatCount(below, 'department', 'departments')} below</div>
      )}
    </li>
  )
}

function OnlyTheRoot() {
  return (
    <CommandLine
      label="Add a department from a program"
      command={curl('/onboarding/department', { method: 'POST', body: { department: { name: 'Sales' } } })}
    />
  )
}
