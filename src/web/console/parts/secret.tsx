import { useId } from 'react'
import { Copy } from './copy.tsx'

/** A value that is shown this once, to be copied. */
export function Secret({ label, value }: { label: string; value: string }) {
  const id = useId()
  return (
    <div className="secret">
      <div className="secret-top">
        <strong id={id}>{label}</strong>
        <Copy text={value} what={label.toLowerCase()} />
      </div>
      <code aria-labelledby={id} role="textbox" aria-readonly="true" tabIndex={0}>
        {value}
      </code>
    </div>
  )
}
