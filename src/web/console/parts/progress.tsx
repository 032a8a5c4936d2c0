import { useId } from 'react'

/** How far something long has come. Without a share it only says that it goes on. */
export function Progress({ label, share }: { label: string; share?: number | undefined }) {
  const id = useId()
  return (
    <div className="progress">
      <label htmlFor={id} className="small">
        {label}
        {share !== undefined && <span className="quiet"> {Math.round(share * 100)} %</span>}
      </label>
      <progress id={id} max={1} value={share} />
    </div>
  )
}
