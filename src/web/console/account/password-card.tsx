import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../parts/card.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { faultOf, MOST_PASSWORD_LENGTH, NewPasswordField } from '../sign-in/new-password-field.tsx'
import { useAction } from '../use-action.ts'

/** Another password; every other browser is signed out by it. */
export function PasswordCard() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [fault, setFault] = useState<string>()
  const { isBusy, error, run } = useAction()
  const say = useToast()

  const change = async () => {
    const found = faultOf(next)
    setFault(found)
    if (found !== undefined) return
    const isGood = await run(() => service.changePassword({ currentPassword: current, newPassword: next }))
    if (!isGood) return
    setCurrent('')
    setNext('')
    say('Your password is changed. Every other browser has been signed out.')
  }

  return (
    <Card title="Password">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void change()
        }}
      >
        <Input
          label="Present password"
          kind="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          maxLength={MOST_PASSWORD_LENGTH}
          isRequired
        />
        <NewPasswordField value={next} onChange={setNext} fault={fault} />
        {error && <ErrorNotice error={error} />}
        <div className="form-actions">
          <Button isBusy={isBusy}>Change the password</Button>
        </div>
      </form>
    </Card>
  )
}
