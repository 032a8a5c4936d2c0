import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatCount, formatMoment } from '../format.ts'
import { ICONS } from '../icons.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { service, type Answer } from '../service.ts'
import { useAction } from '../use-action.ts'

type Verification = Answer<'verifyHistory'>

/** Checks the history as it is stored at this moment, and says what was found. */
export function VerifyHistory({ requestId }: { requestId: string }) {
  const [found, setFound] = useState<Verification>()
  const { isBusy, error, run } = useAction()
  const verify = () =>
    run(async () => {
      setFound(undefined)
      setFound(await service.verifyHistory({ signatureRequestId: requestId }))
    })
  return (
    <div className="verify-history" aria-live="polite">
      <Button icon={ICONS.shield} isBusy={isBusy} onPress={() => void verify()}>
        Verify history now
      </Button>
      {error && <ErrorNotice error={error} />}
      {found && <Verdict found={found} />}
    </div>
  )
}

function Verdict({ found }: { found: Verification }) {
  const { isIntact, problem, eventCount, loggedCount, stampedAt, stampedBy } = found
  if (!isIntact)
    return (
      <Notice kind="bad">The history is not what was written down: {problem ?? 'it does not fit together'}.</Notice>
    )
  return (
    <>
      <Notice kind="good">
        Nothing was changed, added or taken away: {formatCount(eventCount ?? 0, 'event', 'events')} in an unbroken
        chain.
      </Notice>
      <p className="quiet small">
        {formatCount(loggedCount ?? 0, 'event is', 'events are')} in the log of the installation
        {stampedAt && `, timestamped ${formatMoment(stampedAt)}${stampedBy ? ` by ${stampedBy}` : ''}`}.
      </p>
    </>
  )
}
