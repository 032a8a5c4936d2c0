import { useId, type ReactNode } from 'react'

export type CardProps = {
  title: string
  /** Beside the title. */
  action?: ReactNode
  children: ReactNode
}

/** A part of a page with a title of its own. */
export function Card({ title, action, children }: CardProps) {
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-top">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}
