import { formatDistance, formatExactly, formatMoment } from '../format.ts'

/** A moment as people say it; the exact one, with its zone, on pointing at it. */
export function Moment({ at, isDistance = false }: { at: string; isDistance?: boolean }) {
  return (
    <time dateTime={at} title={formatExactly(at)}>
      {isDistance ? formatDistance(at) : formatMoment(at)}
    </time>
  )
}
