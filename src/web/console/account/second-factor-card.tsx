import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'
import { formatCount } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { RowsSkeleton } from '../parts/skeleton.tsx'
import { knowsPasskeys } from '../passkeys.ts'
import { service, type Answer } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { AddAppSheet } from './add-app-sheet.tsx'
import { AddPasskeySheet } from './add-passkey-sheet.tsx'
import { RemoveAppSheet } from './remove-app-sheet.tsx'
import { RemovePasskeySheet } from './remove-passkey-sheet.tsx'

type Factor = Answer<'readSecondFactor'>
type Passkey = Factor['passkeys'][number]
type Opened = 'add-app' | 'remove-app' | 'add-passkey' | Passkey

/** An authenticator app or passkeys beside the password: whoever learns the password alone does not get in. */
export function SecondFactorCard() {
  const factor = useResource('factor', () => service.readSecondFactor())
  const [sheet, setSheet] = useState<Opened>()
  const close = () => {
    setSheet(undefined)
    void factor.reload()
  }
  const isLast = countFactors(factor.data) === 1
  return (
    <Card title="Second factor">
      <Loaded resource={factor} outline={<RowsSkeleton rows={2} />}>
        {(data) => <Factors factor={data} onOpen={setSheet} />}
      </Loaded>
      {sheet === 'add-app' && <AddAppSheet onClose={close} />}
      {sheet === 'remove-app' && <RemoveAppSheet isLast={isLast} onClose={close} />}
      {sheet === 'add-passkey' && <AddPasskeySheet onClose={close} />}
      {typeof sheet === 'object' && <RemovePasskeySheet passkey={sheet} isLast={isLast} onClose={close} />}
    </Card>
  )
}

function countFactors(factor: Factor | undefined): number {
  return (factor?.passkeys.length ?? 0) + (factor?.appSinceDate ? 1 : 0)
}

type FactorsProps = { factor: Factor; onOpen: (sheet: Opened) => void }

function Factors({ factor: { isOn, appSinceDate, passkeys, recoveryCodesLeft }, onOpen }: FactorsProps) {
  return (
    <>
      {isOn ? (
        <p>
          Asked for after the password. You have {formatCount(recoveryCodesLeft, 'recovery code', 'recovery codes')}{' '}
          left.
        </p>
      ) : (
        <p className="quiet">
          Something that you have, asked for after the password. Whoever learns your password alone does not get in.
        </p>
      )}
      {isOn && (
        <Rows label="Second factors">
          {appSinceDate && (
            <Row
              title="Authenticator app"
              detail={
                <>
                  On since <Moment at={appSinceDate} />
                </>
              }
              state={<Button onPress={() => onOpen('remove-app')}>Remove the app</Button>}
            />
          )}
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => onOpen(passkey)} />
          ))}
        </Rows>
      )}
      <div className="form-actions">
        {knowsPasskeys() && (
          <Button icon={ICONS.shield} onPress={() => onOpen('add-passkey')}>
            Add a passkey
          </Button>
        )}
        {appSinceDate === null && (
          <Button icon={ICONS.plus} onPress={() => onOpen('add-app')}>
            Add an authenticator app
          </Button>
        )}
      </div>
    </>
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { name, creationDate, lastUsedDate } = passkey
  return (
    <Row
      title={name}
      detail={
        <>
          Passkey since <Moment at={creationDate} />
          {lastUsedDate && (
            <>
              , last used <Moment at={lastUsedDate} isDistance />
            </>
          )}
        </>
      }
      state={<Button onPress={onRemove}>Remove</Button>}
    />
  )
}
