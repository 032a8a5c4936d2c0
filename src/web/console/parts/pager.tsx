import { Button } from '../../ui/button.tsx'
import { formatAmount } from '../format.ts'
import { ICONS } from '../icons.ts'
import { changeQuery } from '../router.tsx'

export type PagerProps = {
  skip: number
  take: number
  total: number
  /** There are more than total; beyond that they are not counted. */
  isCapped?: boolean
}

/** Where the list begins, by the address; what somebody typed there is no reason to ask for nonsense. */
export function readSkip(query: URLSearchParams): number {
  const skip = Number(query.get('skip') ?? 0)
  return Number.isSafeInteger(skip) && skip > 0 ? skip : 0
}

function goTo(skip: number): void {
  changeQuery({ skip: skip === 0 ? undefined : String(skip) })
  window.scrollTo(0, 0)
}

/** Where one is in a long list, and the way to the pages before and after. */
export function Pager({ skip, take, total, isCapped = false }: PagerProps) {
  if (total <= take && skip === 0) return null
  const last = Math.min(skip + take, total)
  return (
    <nav className="pager" aria-label="Pages of the list">
      <p className="quiet small">
        {formatAmount(Math.min(skip + 1, total))} to {formatAmount(last)} of {isCapped ? 'more than ' : ''}
        {formatAmount(total)}
      </p>
      {skip > 0 && (
        <Button icon={ICONS.back} onPress={() => goTo(Math.max(0, skip - take))}>
          Newer
        </Button>
      )}
      {last < total && (
        <Button icon={ICONS.forward} onPress={() => goTo(skip + take)}>
          Older
        </Button>
      )}
    </nav>
  )
}
