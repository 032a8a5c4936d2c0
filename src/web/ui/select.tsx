import { useId } from 'react'
import { Icon, type IconName } from './icon.tsx'

export type SelectProps<Value extends string> = {
  label: string
  icon: IconName
  value: Value
  options: readonly (readonly [value: Value, name: string])[]
  onChange: (value: Value) => void
}

/** A choice among a few, with an icon in place of a visible label. */
export function Select<Value extends string>({ label, icon, value, options, onChange }: SelectProps<Value>) {
  const id = useId()
  return (
    <div className="select">
      <label htmlFor={id}>
        <Icon name={icon} />
        <span className="for-screen-readers">{label}</span>
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option} lang={option}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
