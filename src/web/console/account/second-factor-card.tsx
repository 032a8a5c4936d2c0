import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'
import { formatCount } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { RowsSkeleton } from '../parts/skeleton.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { service } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { AddAppSheet } from './add-app-sheet.tsx'
import { RemoveAppSheet } from './remove-app-sheet.tsx'

/** An authenticator app beside the password: whoever learns the password alone does not get in. */
export function SecondFactorCard() {
  const factor = useResource('factor', () => service.readSecondFactor())
  const [sheet, setSheet] = useState<'add' | 'remove'>()
  const close = () => {
    setSheet(undefined)
    void factor.reload()
  }
  return (
    <Card title="Second factor">
      <Loaded resource={factor} outline={<RowsSkeleton rows={1} />}>
        {({ isOn, sinceDate, recoveryCodesLeft }) =>
          isOn ? (
            <>
              <StateMark tone="good" icon={ICONS.shield}>
                Authenticator app is on
              </StateMark>
              <p>
                {sinceDate && (
                  <>
                    Since <Moment at={sinceDate} />.{' '}
                  </>
                )}
                You have {formatCount(recoveryCodesLeft, 'recovery code', 'recovery codes')} left.
              </p>
              <div className="form-actions">
                <Button kind="danger" onPress={() => setSheet('remove')}>
                  Remove the app
                </Button>
              </div>
            </>
          ) : (
            <>
              <p className="quiet">
                A code from an app on your phone, asked for after the password. Whoever learns your password alone does
                not get in.
              </p>
              <div className="form-actions">
                <Button icon={ICONS.shield} onPress={() => setSheet('add')}>
                  Add an authenticator app
                </Button>
              </div>
            </>
          )
        }
      </Loaded>
      {sheet === 'add' && <AddAppSheet onClose={close} />}
      {sheet === 'remove' && <RemoveAppSheet onClose={close} />}
    </Card>
  )
}
