import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'
import { LinkButton } from '../parts/link-button.tsx'
import { Page } from '../parts/page.tsx'
import { Link } from '../router.tsx'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'

/** Has a link sent by which another password can be chosen. */
export function ForgotPassword() {
  const [login, setLogin] = useState('')
  const [isSent, setSent] = useState(false)
  const { isBusy, error, run } = useAction()
  const ask = async () => {
    if (await run(() => service.askForNewPassword({ login }))) setSent(true)
  }
  if (isSent)
    return (
      <Page title="Look into your inbox">
        <p>
          If {login} belongs to an account here, a message with a link is on its way. It works for one hour. Nothing
          there? Look among the spam, or ask your administrator.
        </p>
        <p>
          <LinkButton to="/console">Back to signing in</LinkButton>
        </p>
      </Page>
    )
  return (
    <Page title="Forgot your password?" lead="We send you a link to choose a new one.">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void ask()
        }}
      >
        <Input
          label="E-mail address"
          kind="email"
          autoComplete="username"
          value={login}
          onChange={setLogin}
          maxLength={254}
          isRequired
        />
        {error && <ErrorNotice error={error} />}
        <div className="form-actions">
          <Button kind="primary" isBusy={isBusy}>
            Send the link
          </Button>
          <Link to="/console">Back to signing in</Link>
        </div>
      </form>
    </Page>
  )
}
