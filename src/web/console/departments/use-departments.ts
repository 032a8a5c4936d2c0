import type { Department, OwnDepartment } from '#client'
import { service } from '../service.ts'
import { loadAhead, useResource, type Resource } from '../use-resource.ts'
import { placeDepartments, type PlacedDepartment } from './department-tree.ts'

const PAGE = 500
const MOST = 5_000

export type Departments<T extends OwnDepartment = OwnDepartment> = {
  resource: Resource<T[]>
  /** In the order of the tree. */
  placed: PlacedDepartment<T>[]
  /** What a department is called; nothing for one that the person does not see. */
  nameOf: (id: string) => string | undefined
}

const OWN = 'departments'

const listOwn: ListPage<OwnDepartment> = (page) => service.listOwnDepartments(page)

/** The departments that the person reaches, by name: their own and everything below it. */
export function useDepartments(): Departments {
  return useTree(OWN, listOwn)
}

/** Nearly every page lets people choose among them, where there are several: known first, nothing moves when they come. */
export function loadDepartmentsAhead(): Promise<void> {
  return loadAhead(OWN, () => loadAll(listOwn))
}

/** The same with all that administrators know about them. */
export function useManagedDepartments(): Departments<Department> {
  return useTree<Department>('managed departments', (page) => service.listDepartments(page))
}

type ListPage<T> = (page: { skip: number; take: number }) => Promise<{ items: T[]; total: number }>

function useTree<T extends OwnDepartment>(key: string, listPage: ListPage<T>): Departments<T> {
  const resource = useResource(key, () => loadAll(listPage))
  const placed = placeDepartments(resource.data ?? [])
  const names = new Map(placed.map(({ id, name }) => [id, name]))
  return { resource, placed, nameOf: (id) => names.get(id) }
}

async function loadAll<T>(listPage: ListPage<T>): Promise<T[]> {
  const all: T[] = []
  for (let skip = 0; skip < MOST; skip += PAGE) {
    const { items, total } = await listPage({ skip, take: PAGE })
    all.push(...items)
    if (all.length >= total) break
  }
  return all
}
