import type { Department } from '#client'
import { service } from '../service.ts'
import { useMe } from '../session.ts'
import { useResource, type Resource } from '../use-resource.ts'
import { placeDepartments, type PlacedDepartment } from './department-tree.ts'

const PAGE = 500
const MOST = 5_000

export type Departments = {
  resource: Resource<Department[]>
  /** In the order of the tree. */
  placed: PlacedDepartment[]
  /** What a department is called; nothing for one that the person does not see. */
  nameOf: (id: string) => string | undefined
}

/** The departments that the person reaches. Only administrators may list them; others see none by name. */
export function useDepartments(): Departments {
  const { isAdministrator } = useMe()
  const resource = useResource('departments', isAdministrator ? loadAll : async () => [])
  const placed = placeDepartments(resource.data ?? [])
  const names = new Map(placed.map(({ id, name }) => [id, name]))
  return { resource, placed, nameOf: (id) => names.get(id) }
}

async function loadAll(): Promise<Department[]> {
  const all: Department[] = []
  for (let skip = 0; skip < MOST; skip += PAGE) {
    const { items, total } = await service.listDepartments({ skip, take: PAGE })
    all.push(...items)
    if (all.length >= total) break
  }
  return all
}
