import { Button } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'
import { changeQuery } from '../router.tsx'

export type OlderProps = {
  /** Of the page that is shown, newest first. */
  items: readonly { id: string }[]
  take: number
  /** Where the page begins; empty on the first. */
  before: string
}

/** The way through a list that is read by its last id: on to what is older, and back to the beginning. */
export function Older({ items, take, before }: OlderProps) {
  const last = items.length === take ? items.at(-1)?.id : undefined
  if (last === undefined && before === '') return null
  return (
    <nav className="pager" aria-label="Pages of the list">
      <p />
      {before !== '' && (
        <Button icon={ICONS.back} onPress={() => changeQuery({ before: undefined })}>
          Newest
        </Button>
      )}
      {last !== undefined && (
        <Button icon={ICONS.forward} onPress={() => changeQuery({ before: last })}>
          Older
        </Button>
      )}
    </nav>
  )
}
