import { useEffect, type ReactNode } from 'react'
import { PageTitle } from '../../ui/page-title.tsx'

export type PageProps = {
  title: string
  /** One sentence, where it helps. */
  lead?: ReactNode
  /** The one thing that people mostly come here for. */
  action?: ReactNode
  /** What leads back, above the title. */
  above?: ReactNode
  children: ReactNode
}

/** A page: title, a sentence, one primary action at the right, then content. */
export function Page({ title, lead, action, above, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Countersign`
  }, [title])
  return (
    <div className="page">
      {above}
      <header className="page-top">
        <div className="page-words">
          <PageTitle>{title}</PageTitle>
          {lead !== undefined && <p className="quiet">{lead}</p>}
        </div>
        {action !== undefined && <div className="page-action">{action}</div>}
      </header>
      {children}
    </div>
  )
}
