import type { RequestTemplate } from '#client'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { Card } from '../parts/card.tsx'
import { Choice } from '../parts/choice.tsx'
import { service } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { applyTemplate } from './apply-template.ts'
import type { Draft } from './draft.ts'

const MOST_TEMPLATES = 500

export type BeginFieldProps = {
  draft: Draft
  templates: readonly RequestTemplate[]
  onChange: (changes: Partial<Draft>) => void
}

/** Where it begins: from a template, and for which department. Whoever has nothing to choose does not see it. */
export function BeginField({ draft, templates, onChange }: BeginFieldProps) {
  const departments = useDepartments()
  if (departments.placed.length < 2 && templates.length === 0) return null
  return (
    <Card title="Begin with">
      <div className="fields">
        {templates.length > 0 && (
          <Choice
            label="Template"
            value={draft.templateId}
            options={[['', 'None'], ...templates.map(({ id, name }) => [id, name] as const)]}
            hint="Fills in what it presets; you can change everything."
            onChange={(id) => {
              const template = templates.find((candidate) => candidate.id === id)
              onChange(template === undefined ? { templateId: '' } : applyTemplate(draft, template))
            }}
          />
        )}
        <DepartmentChoice
          label="Department"
          departments={departments.placed}
          value={draft.departmentId}
          onChange={(departmentId) => onChange({ departmentId })}
          hint="Its people see the request, and its seal closes it."
        />
      </div>
    </Card>
  )
}

/** The templates to choose from; undefined until it is known which there are. */
export function useTemplates(): readonly RequestTemplate[] | undefined {
  const { data, isLoading } = useResource('signature templates', () =>
    service.listRequestTemplates({ kind: 'signature', take: MOST_TEMPLATES }),
  )
  return isLoading ? undefined : (data?.items ?? [])
}
