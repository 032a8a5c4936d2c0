import { Button } from '../../ui/button.tsx'
import { Card } from '../parts/card.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { RowsSkeleton } from '../parts/skeleton.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'
import { useResource } from '../use-resource.ts'
import { describeBrowser } from './describe-browser.ts'

/** The browsers in which one is signed in. */
export function SessionsCard() {
  const sessions = useResource('sessions', () => service.listSessions())
  const { isBusy, error, run } = useAction()
  const say = useToast()
  const end = async (id: string) => {
    const isGood = await run(async () => {
      await service.endSession({ id })
      await sessions.reload()
    })
    if (isGood) say('That browser has been signed out.')
  }
  return (
    <Card title="Where you are signed in">
      {error && <ErrorNotice error={error} />}
      <Loaded resource={sessions} outline={<RowsSkeleton rows={1} />}>
        {({ items }) => (
          <Rows label="Sessions">
            {items.map(({ id, agent, isThisOne, lastSeenDate, creationDate }) => (
              <Row
                key={id}
                title={describeBrowser(agent)}
                detail={
                  <>
                    Signed in <Moment at={creationDate} />, last used <Moment at={lastSeenDate} isDistance />
                  </>
                }
                state={
                  isThisOne ? (
                    <span className="quiet small">This browser</span>
                  ) : (
                    <Button isBusy={isBusy} onPress={() => void end(id)}>
                      Sign out
                    </Button>
                  )
                }
              />
            ))}
          </Rows>
        )}
      </Loaded>
    </Card>
  )
}
