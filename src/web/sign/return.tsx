import { useEffect } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import { useWords } from './words.ts'

/** Leads back to where the person came from: by itself when they have just finished here, else by a button. */
export function Return({ url, isFresh }: { url: string; isFresh: boolean }) {
  const { say } = useWords()
  useEffect(() => {
    if (isFresh) leaveFor(url)
  }, [url, isFresh])
  return (
    <div className="state-page-actions">
      <ButtonLink kind="primary" href={url} isWholeWindow>
        {say('doneReturn', { host: new URL(url).host })}
      </ButtonLink>
    </div>
  )
}

/** Out of a frame as well. A browser that does not let us, too long after the last press, leaves the button. */
function leaveFor(url: string): void {
  try {
    ;(window.top ?? window).location.href = url
  } catch {
    // The button is there.
  }
}
