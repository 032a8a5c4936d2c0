import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { LinkButton } from '../parts/link-button.tsx'
import { Page } from '../parts/page.tsx'
import { navigate } from '../router.tsx'
import { CountersignError, service } from '../service.ts'
import { useAction } from '../use-action.ts'
import { faultOf, NewPasswordField } from './new-password-field.tsx'

const LINK_IS_OVER = 1501

/** Where the link of an invitation or a reset leads: its token stands behind the #, which no server gets to see. */
export function SetPassword() {
  // Out of the address bar at once, and out of the browser's history.
  const [token] = useState(takeToken)
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const [isDone, setDone] = useState(false)
  const { isBusy, error, run } = useAction()
  const isOver = token === '' || (error instanceof CountersignError && error.code === LINK_IS_OVER)

  const set = async () => {
    const found = faultOf(password)
    setFault(found)
    if (found === undefined && (await run(() => service.setPasswordByLink({ token, password })))) setDone(true)
  }

  if (isDone)
    return (
      <Page title="Your password is set">
        <Notice kind="good">You can sign in with it now.</Notice>
        <p>
          <LinkButton kind="primary" to="/console">
            Sign in
          </LinkButton>
        </p>
      </Page>
    )
  if (isOver)
    return (
      <Page title="This link does not work any more" lead="It was used before, or its time is over.">
        <div className="form-actions">
          <LinkButton kind="primary" to="/console/forgot">
            Get a new link
          </LinkButton>
          <LinkButton to="/console">Sign in</LinkButton>
        </div>
      </Page>
    )
  return (
    <Page title="Choose a password" lead="With it and your e-mail address you sign in to Countersign.">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void set()
        }}
      >
        <NewPasswordField value={password} onChange={setPassword} fault={fault} />
        {error && <ErrorNotice error={error} />}
        <div className="form-actions">
          <Button kind="primary" isBusy={isBusy}>
            Set the password
          </Button>
        </div>
      </form>
    </Page>
  )
}

function takeToken(): string {
  const token = window.location.hash.slice(1)
  if (token !== '') navigate(window.location.pathname, { replace: true })
  return token
}
