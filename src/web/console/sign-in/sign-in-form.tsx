import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'
import { Link } from '../router.tsx'
import { service, type Answer } from '../service.ts'
import { useAction } from '../use-action.ts'
import { ChooseTenant } from './choose-tenant.tsx'

const EMAIL_LENGTH = 254
const PASSWORD_LENGTH = 256

export type SignInFormProps = { login?: string; onSignedIn: () => Promise<void> }

/** E-mail address and password; then, where there are several, the organisation. */
export function SignInForm({ login: known = '', onSignedIn }: SignInFormProps) {
  const [login, setLogin] = useState(known)
  const [password, setPassword] = useState('')
  const [tenants, setTenants] = useState<Answer<'signIn'>['tenants']>(null)
  const { isBusy, error, run } = useAction()

  const signIn = (tenantId?: string) =>
    run(async () => {
      const answer = await service.signIn({ login, password, ...(tenantId && { tenantId }) })
      setTenants(answer.tenants)
      if (answer.state === 'SignedIn') await onSignedIn()
    })

  if (tenants !== null) return <ChooseTenant tenants={tenants} isBusy={isBusy} error={error} onChoose={signIn} />
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void signIn()
      }}
    >
      <Input
        label="E-mail address"
        kind="email"
        autoComplete="username"
        value={login}
        onChange={setLogin}
        maxLength={EMAIL_LENGTH}
        isRequired
      />
      <Input
        label="Password"
        kind="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        maxLength={PASSWORD_LENGTH}
        isRequired
      />
      {error && <ErrorNotice error={error} />}
      <div className="form-actions">
        <Button kind="primary" isBusy={isBusy}>
          Sign in
        </Button>
        <Link to="/console/forgot">Forgot your password?</Link>
      </div>
    </form>
  )
}
