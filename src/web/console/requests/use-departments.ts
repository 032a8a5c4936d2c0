import { service } from '../service.ts'
import { useResource } from '../use-resource.ts'

const MOST = 500

/** The departments within reach, for whoever may list them; nobody else has a choice. */
export function useDepartments(mayList: boolean): { id: string; name: string }[] {
  const { data } = useResource(`departments ${mayList}`, async () =>
    mayList ? (await service.listDepartments({ take: MOST })).items : [],
  )
  return (data ?? []).map(({ id, name }) => ({ id, name }))
}
