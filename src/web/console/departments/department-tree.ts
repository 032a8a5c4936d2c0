// Departments in the order of their tree. Pure.
import type { OwnDepartment } from '#client'

export type PlacedDepartment<T extends OwnDepartment = OwnDepartment> = T & {
  /** How far below the topmost one that the person sees. */
  depth: number
  /** Its names from the top down, such as “Acme / Sales / North”. */
  trail: string
}

/** Every department below the one that it hangs under, siblings by name. Those whose parent is out of sight are on top. */
export function placeDepartments<T extends OwnDepartment>(departments: readonly T[]): PlacedDepartment<T>[] {
  const known = new Set(departments.map(({ id }) => id))
  const children = new Map<string | null, T[]>()
  for (const department of departments) {
    const parent = department.parentDepartmentId
    const above = parent !== null && known.has(parent) ? parent : null
    children.set(above, [...(children.get(above) ?? []), department])
  }
  const place = (parent: string | null, depth: number, trail: string): PlacedDepartment<T>[] =>
    (children.get(parent) ?? [])
      .sort((a, b) => a.name.localeCompare(b.name))
      .flatMap((department) => {
        const here = trail === '' ? department.name : `${trail} / ${department.name}`
        return [{ ...department, depth, trail: here }, ...place(department.id, depth + 1, here)]
      })
  return place(null, 0, '')
}

/** The department itself and everything below it, by their ids. */
export function listBelow(placed: readonly PlacedDepartment[], id: string): Set<string> {
  const below = new Set([id])
  // A parent always comes before what hangs below it.
  for (const { id: own, parentDepartmentId } of placed) {
    if (parentDepartmentId !== null && below.has(parentDepartmentId)) below.add(own)
  }
  return below
}
