import { Button } from '../../ui/button.tsx'
import { formatAmount } from '../format.ts'
import { ICONS } from '../icons.ts'

export type PagerProps = {
  skip: number
  take: number
  total: number
  /** There are more than total; beyond that they are not counted. */
  isCapped?: boolean
  onSkip: (skip: number) => void
}

/** Where one is in a long list, and the way to the pages before and after. */
export function Pager({ skip, take, total, isCapped = false, onSkip }: PagerProps) {
  if (total <= take && skip === 0) return null
  const last = Math.min(skip + take, total)
  return (
    <nav className="pager" aria-label="Pages of the list">
      <p className="quiet small">
        {formatAmount(Math.min(skip + 1, total))} to {formatAmount(last)} of {isCapped ? 'more than ' : ''}
        {formatAmount(total)}
      </p>
      {skip > 0 && (
        <Button icon={ICONS.back} onPress={() => onSkip(Math.max(0, skip - take))}>
          Newer
        </Button>
      )}
      {last < total && (
        <Button icon={ICONS.forward} onPress={() => onSkip(skip + take)}>
          Older
        </Button>
      )}
    </nav>
  )
}
