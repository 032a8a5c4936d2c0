/** The outline of a page that is on its way, as tall as what will stand there. */
export function PageSkeleton() {
  return (
    <div className="page" aria-busy="true">
      <p className="for-screen-readers">Loading</p>
      <div className="skeleton skeleton-title" />
      <RowsSkeleton />
    </div>
  )
}

/** The outline of a list. */
export function RowsSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className="rows" aria-busy="true">
      <p className="for-screen-readers">Loading</p>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="row row-skeleton">
          <div className="skeleton" />
        </div>
      ))}
    </div>
  )
}
